package table

import (
	"io"
	"strconv"
)

const csvFlush = 128 << 10

// csvWriter writes RFC 4180 with a header row, LF line ends and quotes only
// where they are needed. An absent value is an empty cell.
type csvWriter struct {
	file io.WriteCloser
	buf  []byte
}

func newCSVWriter(file io.WriteCloser, s *Schema) *csvWriter {
	w := &csvWriter{file: file, buf: make([]byte, 0, csvFlush+csvFlush/4)}
	for i, c := range s.Columns {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = appendCell(w.buf, c.Name)
	}
	w.buf = append(w.buf, '\n')
	return w
}

func (w *csvWriter) Write(b *Batch) error {
	for row := range b.rows {
		w.buf = appendRow(w.buf, b.cols, row)
		if len(w.buf) >= csvFlush {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *csvWriter) Close() error { return closeAll(w.flush, w.file.Close) }

func (w *csvWriter) flush() error {
	_, err := w.file.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

func appendRow(dst []byte, cols []column, row int) []byte {
	start := len(dst)
	for i := range cols {
		if i > 0 {
			dst = append(dst, ',')
		}
		c := &cols[i]
		if c.vec.Valid[row] == 0 {
			continue
		}
		switch c.kind {
		case Int:
			dst = strconv.AppendInt(dst, c.vec.Ints[row], 10)
		case Seconds:
			dst = appendSeconds(dst, c.exact[row])
		case GPUSeconds:
			dst = appendGPUSeconds(dst, c.exact[row], c.low[row])
		case Milli:
			dst = appendMilli(dst, c.exact[row])
		case Float:
			dst = appendFloat(dst, c.vec.Floats[row])
		case Text:
			dst = appendCell(dst, c.vec.Text(row))
		case Flag:
			dst = strconv.AppendBool(dst, c.vec.Flags[row] == 1)
		}
	}
	if len(dst) == start { // the only column is empty
		dst = append(dst, `""`...) // many readers skip an empty line
	}
	return append(dst, '\n')
}

// appendCell appends a text, in quotes if a reader could misunderstand it.
func appendCell[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		if c := s[i]; c == ',' || c == '"' || c == '\n' || c == '\r' {
			return appendQuoted(dst, s)
		}
	}
	return append(dst, s...)
}

func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
