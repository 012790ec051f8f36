package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of a document.
const (
	maxDepth   = 100
	maxAliased = 100_000 // nodes reached through anchors, where the document has fewer of its own

	// MaxBytes is the size of the largest file that Parse takes.
	MaxBytes = 512 << 20
)

// Parse reads one YAML document; file is its name in errors, which are Errors.
// Cost: some microseconds a line, and about 300 bytes a value while it runs.
func Parse(file string, data []byte) (*Node, error) {
	n, err := parse(file, data)
	if err == nil && n.Kind == Null {
		return nil, Errors{{File: file, Line: 1, Column: 1, Message: "is empty"}}
	}
	return n, err
}

// parse is Parse for a text that may be nothing.
func parse(file string, data []byte) (*Node, error) {
	if e := unreadable(data); e != nil {
		e.File = file
		return nil, Errors{*e}
	}
	fail := func(line, column int, message string) (*Node, error) {
		return nil, Errors{{File: file, Line: line, Column: column, Message: message}}
	}
	var root, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	switch err := safely(func() error { return dec.Decode(&root) }); {
	case errors.Is(err, io.EOF):
		return fail(1, 1, "is empty")
	case err != nil:
		return nil, Errors{yamlError(file, data, err)}
	}
	switch err := safely(func() error { return dec.Decode(&second) }); {
	case err == nil:
		return fail(second.Line, max(1, second.Column), "a second document begins here; one file holds one document")
	case !errors.Is(err, io.EOF):
		return nil, Errors{yamlError(file, data, err)}
	}
	c := newConverter(file, root.Content[0])
	n := c.convert(root.Content[0], 0, false)
	if err := c.errs.Sorted(); err != nil {
		return nil, err
	}
	return n, nil
}

// unreadable finds what keeps data from being text, nil if nothing does.
func unreadable(data []byte) *Error {
	switch {
	case len(data) > MaxBytes:
		return &Error{Message: fmt.Sprintf("is larger than %d MiB", MaxBytes>>20)}
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return &Error{Line: 1, Column: 1, Message: "is UTF-16; save it as UTF-8"}
	case bytes.HasPrefix(data, []byte("version https://git-lfs")):
		return &Error{Line: 1, Column: 1, Message: "is a large-file pointer, not the file; fetch the file itself"}
	}
	line, start := 1, 0
	for i := 0; i < len(data); {
		switch b := data[i]; {
		case b == 0:
			return &Error{Line: line, Column: 1 + utf8.RuneCount(data[start:i]), Message: "a zero byte stands here; save the file as UTF-8 text"}
		case b == '\n':
			line, start = line+1, i+1
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size == 1 {
				return &Error{Line: line, Column: 1 + utf8.RuneCount(data[start:i]), Message: fmt.Sprintf("byte 0x%02X is not UTF-8 (Latin-1, perhaps); save the file as UTF-8", b)}
			}
			i += size - 1
		}
		i++
	}
	return nil
}

// safely turns a panic of the YAML library into an error.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be read as YAML: %v", r)
		}
	}()
	return f()
}

// remedies are what to do about the library's commonest complaints.
var remedies = []struct{ complaint, remedy string }{
	{"cannot start any token", "indent with blanks, not tabs, and put quotes around texts that begin with @, % or `"},
	{"unexpected end of stream", "a quote is not closed"},
	{"mapping values are not allowed", "is a line indented differently, or a colon inside a text without quotes?"},
	{"did not find expected key", "is a line indented differently from those above it?"},
	{"did not find expected '-' indicator", "is a line indented differently from the list above it?"},
	{"did not find expected ','", "a comma or the closing bracket is missing"},
	{"could not find expected ':'", "a key needs a colon and a blank behind it"},
}

// yamlError words an error of the YAML library with the line where it belongs.
func yamlError(file string, data []byte, err error) Error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	e := Error{File: file, Line: 1, Column: 1}
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(num); err == nil {
				e.Line, msg = n, after
				if parserComplaint(msg) {
					e.Line++ // the library counts these from 0
				}
			}
		}
	}
	if strings.Contains(msg, "exceeded max depth") || openBrackets(data) > maxDepth {
		e.Message = tooDeep
		return e
	}
	if name, ok := strings.CutPrefix(msg, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "'")
		if i := bytes.Index(data, []byte("*"+name)); i >= 0 {
			e.Line = 1 + bytes.Count(data[:i], []byte{'\n'})
			e.Column = i - bytes.LastIndexByte(data[:i], '\n')
		}
		e.Message = fmt.Sprintf("there is no anchor &%s above", name)
		return e
	}
	e.Message = "not valid YAML: " + msg
	for _, r := range remedies {
		if strings.Contains(msg, r.complaint) {
			e.Message += "; " + r.remedy
			break
		}
	}
	return e
}

// parserComplaint tells the complaints of the library's parser from those of
// its scanner.
func parserComplaint(msg string) bool {
	rest, ok := strings.CutPrefix(msg, "did not find expected ")
	if !ok {
		return false
	}
	for _, what := range []string{"node content", "key", "'-' indicator", "',' or", "<document start>", "<stream-start>"} {
		if strings.HasPrefix(rest, what) {
			return true
		}
	}
	return false
}

// openBrackets returns how many brackets are open at most. It does not see
// quotes and comments, so it serves to explain an error only.
func openBrackets(data []byte) int {
	open, most := 0, 0
	for _, b := range data {
		switch b {
		case '[', '{':
			open++
			most = max(most, open)
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return most
}
