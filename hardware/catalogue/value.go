package catalogue

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Status says how far a figure can be trusted.
type Status string

// The statuses.
const (
	Unknown  Status = ""         // nobody found it
	Read     Status = "read"     // read at the source that is named
	Memory   Status = "memory"   // from memory of the datasheet: proves nothing
	Computed Status = "computed" // follows from other figures
	Ours     Status = "ours"     // a name that gpusim gives
	Given    Status = "given"    // given by the user
)

// Field describes one column: a figure that entries have.
type Field struct {
	Name string
	Unit string // "" where there is none
	Doc  string

	kind     string // text, number (above 0) or count (0 has a meaning)
	readFrom string // where it was read, where it was
}

// Value is one figure of an entry.
type Value struct {
	Field
	Text   string // as in the table; "" when unknown
	Known  bool
	Status Status
	Source string // in words, "" when unknown
}

// Number returns the figure as a number; false when it is unknown or a text.
func (v Value) Number() (float64, bool) {
	if !v.Known || v.kind == "text" {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	return f, err == nil
}

// value makes a figure; detail is what else is to be said of its source.
func (f Field) value(text string, status Status, detail string) (Value, error) {
	if text == "" {
		return Value{Field: f}, nil
	}
	if f.kind != "text" {
		n, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || math.IsInf(n, 0) || math.IsNaN(n) || strings.ContainsAny(text, "xX_"):
			return Value{}, fmt.Errorf("%s must be a number, not %q", f.Name, text)
		case n < 0, n == 0 && f.kind == "number":
			return Value{}, fmt.Errorf("%s must be above 0, not %s; leave it empty where it is not known", f.Name, text)
		}
	}
	return Value{Field: f, Text: text, Known: true, Status: status, Source: f.source(status, detail)}, nil
}

// source words where a figure comes from.
func (f Field) source(status Status, detail string) string {
	words := map[Status]string{
		Read: "read at a source", Memory: "memory of the datasheet, unverified", Computed: "computed", Ours: "name given by gpusim", Given: "given by the user",
	}[status]
	if detail == "" && status == Read {
		detail = f.readFrom
	}
	if detail == "" {
		return words
	}
	return words + ": " + detail
}

// find returns the figure of a name; one that does not exist is unknown.
func find(values []Value, name string) Value {
	for _, v := range values {
		if v.Name == name {
			return v
		}
	}
	return Value{Field: Field{Name: name}}
}
