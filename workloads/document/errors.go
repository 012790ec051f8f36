package document

import (
	"fmt"
	"slices"
	"strings"
)

// Error is one thing wrong with a document.
type Error struct {
	File         string
	Line, Column int    // from 1; 0 where the file has no lines (a setting)
	Path         string // the key, such as workload.jobs[3].gpus; may be empty
	Message      string // what is wrong and what to do
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
	sorted := slices.Clone(e)
	slices.SortStableFunc(sorted, func(a, b Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	kept := sorted[:1]
	for _, x := range sorted[1:] {
		last := kept[len(kept)-1]
		if last.Path = x.Path; x != last { // the path is not part of what is shown
			kept = append(kept, x)
		}
	}
	return kept
}
