package table

import (
	"fmt"
	"slices"
	"strings"
)

// Format is a file format, named by the ending of its files.
type Format string

// The formats a table can be written in.
const (
	CSV     Format = "csv"
	Arrow   Format = "arrow"
	Parquet Format = "parquet"
)

// Formats returns all formats, in the order in which a reader prefers them: CSV
// first, because its numbers are exact.
func Formats() []Format { return []Format{CSV, Arrow, Parquet} }

// ParseFormats reads a list such as "csv,parquet". Blanks around a name and
// capital letters are accepted; an empty list, an unknown name and a name given
// twice are errors.
func ParseFormats(list string) ([]Format, error) {
	if strings.TrimSpace(list) == "" {
		return nil, fmt.Errorf("no format given: choose from csv, arrow, parquet")
	}
	var formats []Format
	for word := range strings.SplitSeq(list, ",") {
		f := Format(strings.ToLower(strings.TrimSpace(word)))
		switch {
		case f == "":
			return nil, fmt.Errorf("formats %q: a name is missing between commas", list)
		case !slices.Contains(Formats(), f):
			return nil, fmt.Errorf("unknown format %q: choose from csv, arrow, parquet", strings.TrimSpace(word))
		case slices.Contains(formats, f):
			return nil, fmt.Errorf("format %q is given twice", f)
		}
		formats = append(formats, f)
	}
	return formats, nil
}
