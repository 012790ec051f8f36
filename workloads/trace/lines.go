package trace

import (
	"bytes"
	"fmt"
	"io"
)

// recordLimit is the longest record that is read, in bytes after unpacking. It
// is what stops a packed file that grows without end.
const recordLimit = 16 << 20

// lines cuts a stream into lines. What it returns stays valid until the next
// call.
type lines struct {
	r    io.Reader
	buf  []byte
	from int // start of the current line or record in buf
	to   int // where the next line begins
	end  int // end of what has been read into buf
	err  error
	n    int64 // lines begun so far
}

func newLines(r io.Reader) *lines {
	return &lines{r: r, buf: make([]byte, 128<<10)}
}

// next returns the next line without its line end, or io.EOF.
func (l *lines) next() ([]byte, error) {
	l.from = l.to
	return l.extend()
}

// extend adds the next line to the current one; the line break between them is
// kept as it is in the file.
func (l *lines) extend() ([]byte, error) {
	at := l.to
	for {
		if i := bytes.IndexByte(l.buf[at:l.end], '\n'); i >= 0 {
			l.n++
			stop := at + i
			l.to = stop + 1
			if stop > l.from && l.buf[stop-1] == '\r' {
				stop--
			}
			return l.buf[l.from:stop], nil
		}
		at = l.end
		if l.err != nil {
			if l.err == io.EOF && l.to < l.end { // a last line without an end
				l.n++
				l.to = l.end
				return l.buf[l.from:l.end], nil
			}
			return nil, l.err
		}
		at -= l.from
		if err := l.fill(); err != nil {
			return nil, err
		}
		at += l.from
	}
}

// fill reads more behind what is there; the current record moves to the front
// of the buffer, which doubles when it is full.
func (l *lines) fill() error {
	if l.from > 0 {
		copy(l.buf, l.buf[l.from:l.end])
		l.to -= l.from
		l.end -= l.from
		l.from = 0
	}
	if l.end == len(l.buf) {
		if l.end >= recordLimit {
			return &limitError{line: l.n + 1}
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	if err != nil {
		l.err = err
	}
	return nil
}

// limitError is a record beyond recordLimit.
type limitError struct{ line int64 }

func (e *limitError) Error() string {
	return fmt.Sprintf("a record is longer than %d MiB, the limit; is this the file that was meant?", recordLimit>>20)
}
