package trace

import (
	"bytes"
	"fmt"
	"io"
)

// jsonDepth is how deep a record may be nested.
const jsonDepth = 64

// jsonArray cuts a file that is one JSON array into its elements, without
// holding more than one of them.
type jsonArray struct {
	r      io.Reader
	buf    []byte
	pos    int // what comes next
	end    int // end of what has been read into buf
	eof    bool
	mark   int   // an offset whose place is known:
	line   int64 // line breaks before it
	column int64 // bytes since the last of them
	begun  bool  // the opening bracket has been read
	first  bool  // no element yet
	done   bool

	from, to int // the element
}

func newJSONArray(r io.Reader) *jsonArray {
	return &jsonArray{r: r, buf: make([]byte, 256<<10), first: true}
}

// element is the element that next found.
func (a *jsonArray) element() []byte { return a.buf[a.from:a.to] }

// place is the line and column, both from 1, of an offset that is not before
// the mark.
func (a *jsonArray) place(offset int) (line, column int64) {
	between := a.buf[a.mark:offset]
	n := bytes.Count(between, []byte{'\n'})
	if n == 0 {
		return a.line + 1, a.column + int64(len(between)) + 1
	}
	return a.line + int64(n) + 1, int64(len(between) - bytes.LastIndexByte(between, '\n'))
}

// move sets the mark.
func (a *jsonArray) move(offset int) {
	line, column := a.place(offset)
	a.mark, a.line, a.column = offset, line-1, column-1
}

func (a *jsonArray) fail(offset int, format string, args ...any) error {
	line, column := a.place(offset)
	return &placeError{line: line, column: column, message: fmt.Sprintf(format, args...)}
}

// more reads on; what is before keep is forgotten. It returns by how much
// offsets have shrunk, and io.EOF at the end.
func (a *jsonArray) more(keep int) (int, error) {
	if a.eof {
		return 0, io.EOF
	}
	if keep > 0 {
		a.move(keep)
		copy(a.buf, a.buf[keep:a.end])
		a.end -= keep
		a.mark = 0
	}
	if a.end == len(a.buf) {
		if a.end >= recordLimit {
			return keep, &limitError{line: a.line + 1}
		}
		a.buf = append(a.buf, make([]byte, len(a.buf))...)
	}
	n, err := a.r.Read(a.buf[a.end:])
	a.end += n
	if err == io.EOF {
		a.eof = true
		err = nil
	}
	return keep, err
}

// peek skips blanks and gives the next byte without taking it.
func (a *jsonArray) peek() (byte, error) {
	for {
		for a.pos < a.end {
			switch c := a.buf[a.pos]; c {
			case ' ', '\t', '\n', '\r':
				a.pos++
			default:
				return c, nil
			}
		}
		shift, err := a.more(a.pos)
		a.pos -= shift
		if err != nil {
			return 0, err
		}
	}
}

// next finds the next element; io.EOF behind the last.
func (a *jsonArray) next() error {
	if a.done {
		return io.EOF
	}
	c, err := a.peek()
	if !a.begun {
		switch {
		case err == io.EOF:
			return a.fail(a.pos, "the file is empty: no JSON array")
		case err != nil:
			return err
		case c != '[':
			return a.fail(a.pos, "the file must be one JSON array and begins with %q", c)
		}
		a.begun = true
		a.pos++
		c, err = a.peek()
	}
	if err == nil && c == ']' {
		return a.finish()
	}
	if err == nil && !a.first {
		if c != ',' {
			return a.fail(a.pos, "a comma or the end of the array must stand here, not %q", c)
		}
		a.pos++
		c, err = a.peek()
		if err == nil && c == ']' {
			return a.fail(a.pos, "a record must follow the comma")
		}
	}
	if err != nil {
		return a.cut(err)
	}
	a.first = false
	return a.measure()
}

// cut turns the end of the file into an error: the array was not closed.
func (a *jsonArray) cut(err error) error {
	if err == io.EOF {
		return a.fail(a.end, "unexpected end: the JSON array is not closed; the file is cut short")
	}
	return err
}

// finish reads what is behind the array.
func (a *jsonArray) finish() error {
	a.pos++
	c, err := a.peek()
	if err == nil {
		return a.fail(a.pos, "%q stands behind the end of the JSON array", c)
	}
	if err == io.EOF {
		a.done = true
	}
	return err
}

// measure finds the end of the element that begins at pos.
func (a *jsonArray) measure() error {
	var open [jsonDepth]byte
	depth, i := 0, a.pos
	quoted := -1 // where an open string begins
	for {
		buf := a.buf[:a.end]
		for i < len(buf) {
			c := buf[i]
			if quoted >= 0 {
				if c == '\\' {
					i += 2
					continue
				}
				i++
				if c == '"' {
					quoted = -1
					if depth == 0 {
						return a.took(i)
					}
				}
				continue
			}
			switch c {
			case '"':
				quoted = i
			case '{', '[':
				if depth == jsonDepth {
					return a.fail(i, "nested deeper than %d levels", jsonDepth)
				}
				open[depth] = c
				depth++
			case '}', ']', ',':
				if depth == 0 {
					return a.took(i)
				}
				if c == ',' {
					break
				}
				depth--
				if open[depth] != c-2 {
					return a.fail(i, "%q closes what %q opened", c, open[depth])
				}
				if depth == 0 {
					return a.took(i + 1)
				}
			}
			i++
		}
		shift, err := a.more(a.pos)
		a.pos, i = a.pos-shift, i-shift
		if quoted >= 0 {
			quoted -= shift
		}
		if err == io.EOF && quoted >= 0 {
			return a.fail(quoted, "unexpected end: the string that opens here is not closed")
		}
		if err != nil {
			return a.cut(err)
		}
	}
}

func (a *jsonArray) took(to int) error {
	a.move(a.pos)
	a.from, a.to = a.pos, to
	a.pos = to
	return nil
}
