package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table cuts a file of comma-separated values with a header into records and
// fields. A quote opens a quoted field (blanks may stand before it), in which
// commas and line breaks are text and a doubled quote is one quote.
type table struct {
	in       *lines
	header   []string
	rec      []byte
	lineNo   int64 // line on which the record begins
	rows     int64 // records so far, the header aside
	fields   []span
	most     int    // fields that are kept of a record; more are too many anyway
	spare    []byte // field text with doubled quotes undone
	broken   string // what is wrong with the record's quotes
	brokenAt int
}

// span is one field of the record: where it starts (the quote included) and
// where its text is.
type span struct {
	start, from, to int
	doubled         bool // holds doubled quotes
}

// headerMost is how many columns are too many.
const headerMost = 10_000

// newTable reads the header.
func newTable(r io.Reader) (*table, error) {
	t := &table{in: newLines(r), rows: -1, most: headerMost}
	err := t.next()
	if err == io.EOF {
		return nil, errors.New("no header: the file is empty")
	}
	if err != nil {
		return nil, err
	}
	if t.broken != "" {
		return nil, t.errorAt(t.brokenAt, "the header is damaged: "+t.broken)
	}
	if len(t.fields) == headerMost {
		return nil, t.errorAt(t.fields[headerMost-1].start, fmt.Sprintf("the header has %d columns or more; is this the file that was meant?", headerMost))
	}
	t.most = len(t.fields) + 16
	seen := make(map[string]int, len(t.fields))
	for i := range t.fields {
		name := string(trim(t.field(i)))
		if bytes.IndexByte(t.rec, '\r') >= 0 && !strings.Contains(name, "\n") && strings.Contains(name, "\r") {
			return nil, t.errorAt(t.fields[i].start, "lines end with a bare carriage return; save the file with line feeds")
		}
		if first, twice := seen[name]; twice && name != "" {
			return nil, t.errorAt(t.fields[i].start, fmt.Sprintf("column %q stands twice in the header (fields %d and %d); rename or remove one", name, first+1, i+1))
		}
		seen[name] = i
		t.header = append(t.header, clean([]byte(name)))
	}
	return t, nil
}

// errorAt is an error at a place of the current record.
func (t *table) errorAt(offset int, message string) error {
	line, col := t.place(offset)
	return &placeError{line: line, column: col, message: message}
}

// place turns an offset in the record into a line and a column, both from 1.
func (t *table) place(offset int) (line, column int64) {
	before := t.rec[:offset]
	line = t.lineNo + int64(bytes.Count(before, []byte{'\n'}))
	return line, int64(offset - bytes.LastIndexByte(before, '\n'))
}

// column is the index of a column, -1 where there is none.
func (t *table) column(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

// next moves to the next record that is not blank.
func (t *table) next() error {
	for {
		rec, err := t.in.next()
		if err != nil {
			return err
		}
		t.rec, t.lineNo = rec, t.in.n
		if len(trim(rec)) == 0 {
			continue
		}
		t.fields, t.spare, t.broken = t.fields[:0], t.spare[:0], ""
		t.rows++
		if bytes.IndexByte(rec, '"') < 0 {
			t.cut()
			return nil
		}
		return t.cutQuoted()
	}
}

// cut splits a record in which nothing is quoted.
func (t *table) cut() {
	rec, from := t.rec, 0
	for i, c := range rec {
		if c == ',' {
			t.fields = append(t.fields, span{start: from, from: from, to: i})
			from = i + 1
			if len(t.fields) == t.most {
				return
			}
		}
	}
	t.fields = append(t.fields, span{start: from, from: from, to: len(rec)})
}

// cutQuoted splits a record with quotes, taking in further lines while a quote
// is open.
func (t *table) cutQuoted() error {
	i := 0
	for {
		start := i
		for i < len(t.rec) && (t.rec[i] == ' ' || t.rec[i] == '\t') {
			i++
		}
		if i >= len(t.rec) || t.rec[i] != '"' {
			j := bytes.IndexByte(t.rec[i:], ',')
			if j < 0 {
				t.push(span{start: start, from: start, to: len(t.rec)})
				return nil
			}
			t.push(span{start: start, from: start, to: i + j})
			i += j + 1
			continue
		}
		s := span{start: i, from: i + 1}
		i++
		for {
			j := bytes.IndexByte(t.rec[i:], '"')
			if j < 0 {
				done := len(t.rec)
				rec, err := t.in.extend()
				if err != nil {
					return t.openQuote(s.start, err)
				}
				t.rec, i = rec, done
				continue
			}
			i += j + 1
			if i < len(t.rec) && t.rec[i] == '"' {
				s.doubled = true
				i++
				continue
			}
			break
		}
		s.to = i - 1
		t.push(s)
		for i < len(t.rec) && (t.rec[i] == ' ' || t.rec[i] == '\t') {
			i++
		}
		if i >= len(t.rec) {
			return nil
		}
		if t.rec[i] != ',' {
			t.broken, t.brokenAt = "text after the closing quote of a field", i
			return nil
		}
		i++
	}
}

func (t *table) push(s span) {
	if len(t.fields) < t.most {
		t.fields = append(t.fields, s)
	}
}

// openQuote is the error of a quote that is never closed, at the quote.
func (t *table) openQuote(offset int, err error) error {
	var limit *limitError
	if err != io.EOF && !errors.As(err, &limit) {
		return err
	}
	t.rec = t.in.buf[t.in.from:t.in.end] // reading on may have moved it
	line, col := t.place(offset)
	message := "a quote opens here and is never closed; close it or double it"
	if limit != nil {
		message = fmt.Sprintf("a quote opens here and is not closed within %d MiB, the limit of a record", recordLimit>>20)
	}
	return &placeError{line: line, column: col, message: message}
}

// field is the text of field i of the record.
func (t *table) field(i int) []byte {
	s := t.fields[i]
	b := t.rec[s.from:s.to]
	if !s.doubled {
		return b
	}
	from := len(t.spare)
	for j := 0; j < len(b); j++ {
		t.spare = append(t.spare, b[j])
		if b[j] == '"' {
			j++ // its twin
		}
	}
	return t.spare[from:]
}

// placeError is an error at a place of a file whose name the caller adds.
type placeError struct {
	line, column int64
	message      string
}

func (e *placeError) Error() string { return e.message }

// The part of a reader that all tables share.

func (t *table) columns() []string { return t.header }

func (t *table) value(column string) []byte {
	if i := t.column(column); i >= 0 && i < len(t.fields) {
		return t.field(i)
	}
	return nil
}

func (t *table) line() int64 { return t.lineNo }

func (t *table) lines() int64 { return t.in.n }

func (t *table) bytes() []byte { return t.rec }

// well says whether the record has the header's shape, and rejects the row if
// not.
func (t *table) well(r *row) bool {
	switch have, want := len(t.fields), len(t.header); {
	case t.broken != "":
		line, column := t.place(t.brokenAt)
		r.fate = Rejected
		r.add("damaged-line", Rejected, line, column, "%s", t.broken)
	case have < want:
		r.reject("too-few-fields", int64(len(t.rec)+1), "%d fields where the header has %d: %s is missing", have, want, t.header[have])
	case have > want:
		line, column := t.place(t.fields[want].start)
		r.fate = Rejected
		least := ""
		if have == t.most {
			least = "at least "
		}
		r.add("too-many-fields", Rejected, line, column, "%s%d fields where the header has %d", least, have, want)
	default:
		return true
	}
	return false
}

// at is the column in which field i starts, for an issue of the row.
func (t *table) at(i int) int64 {
	_, column := t.place(t.fields[i].start)
	return column
}

// bad rejects a row because of one field.
func (t *table) bad(r *row, i int, why string) {
	line, column := t.place(t.fields[i].start)
	if r.fate != "" {
		return
	}
	r.fate = Rejected
	r.add(why, Rejected, line, column, "%s is %s: %s", t.header[i], quoted(t.field(i)), explain(why))
}

// unknown notes the columns that are not read.
func (t *table) unknown(known func(i int) bool) []note {
	var notes []note
	if !utf8.Valid(t.rec) {
		notes = append(notes, note{"encoding", t.lineNo, 1, "the header holds bytes that are not UTF-8; they are replaced by U+FFFD"})
	}
	for i, name := range t.header {
		if known(i) {
			continue
		}
		notes = append(notes, note{"unknown-column", t.lineNo, t.at(i), fmt.Sprintf("column %q is not read", name)})
	}
	return notes
}

// quoted shows a field in a message, cut to a readable length.
func quoted(b []byte) string {
	const most = 60 // bytes
	if len(b) > most {
		return fmt.Sprintf("%q (and %d bytes more)", clean(b[:most]), len(b)-most)
	}
	return fmt.Sprintf("%q", clean(b))
}

// explain is the sentence of a reason of a single value.
func explain(why string) string {
	switch why {
	case "missing":
		return "it must not be empty"
	case "not-a-number":
		return "write a plain decimal number, such as 12 or 12.5"
	case "out-of-range":
		return "it is beyond what times and counts can hold"
	case "negative":
		return "it must not be negative"
	case "bad-quantity":
		return "it must be a whole number"
	case "bad-time":
		return "it is not a time of the stated format"
	}
	return why
}
