package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Unknown words the error for a word that is not known: the nearest known one
// where it is near, and all that are known. kind is what it should have been (a
// key, a node type), shown how to call it.
func Unknown(kind, shown, word string, known []string) string {
	msg := fmt.Sprintf("unknown %s %q", kind, shown)
	if near := Nearest(word, known); near != "" {
		msg += fmt.Sprintf("; did you mean %s?", near)
	}
	return msg + " (known: " + strings.Join(slices.Sorted(slices.Values(known)), ", ") + ")"
}

// Nearest returns the known word nearest to word, "" where none is near: a
// quarter of its letters and one more may differ.
func Nearest(word string, known []string) string {
	// Never so far that no letter of a short word would be left.
	best, dist := "", min(2+len(word)/4, max(len(word), 1))
	for _, k := range known {
		if n := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); n < dist {
			best, dist = k, n
		}
	}
	return best
}
