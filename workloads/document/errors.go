package document

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one thing wrong with a document.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

// Error gives file:line:column: message.
func (e Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors is everything wrong with a document, in order of position.
type Errors []Error

// Error gives one line each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Sorted returns the errors by position, without repeats; nil if there are
// none.
func (e Errors) Sorted() error {
	if len(e) == 0 {
		return nil
	}
	sort.SliceStable(e, func(i, j int) bool {
		if e[i].Line != e[j].Line {
			return e[i].Line < e[j].Line
		}
		return e[i].Column < e[j].Column
	})
	kept := e[:1]
	for _, x := range e[1:] {
		if x != kept[len(kept)-1] {
			kept = append(kept, x)
		}
	}
	return kept
}
