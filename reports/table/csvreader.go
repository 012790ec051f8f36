package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"gpusim/reports/table/vector"
)

// csvChunk is how many rows are read before a scan sees them.
const csvChunk = 1024

// csvReader reads what csvWriter writes, and CR LF line ends. Unlike
// encoding/csv it keeps line breaks inside quotes as they are.
type csvReader struct {
	in     *bufio.Reader
	schema vector.Schema
	line   int // of the record being read
	lines  int // read so far
	record []byte
	cell   []byte
}

func newCSVReader(f *os.File) (*csvReader, error) {
	r := &csvReader{in: bufio.NewReaderSize(f, 256<<10)}
	if err := r.next(); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("no header row")
		}
		return nil, err
	}
	r.record = bytes.TrimPrefix(r.record, []byte("\uFEFF"))
	err := r.split(func(col int, cell []byte) {
		r.schema.Fields = append(r.schema.Fields, vector.Field{Name: string(cell), Type: vector.Text, Nullable: true})
	})
	return r, err
}

// Schema describes the file: every column is text that may be absent.
func (r *csvReader) Schema() vector.Schema { return r.schema }

// Next appends up to csvChunk rows to columns and reports whether there was one.
func (r *csvReader) Next(columns []vector.Vector) (bool, error) {
	for n := range csvChunk {
		if err := r.next(); err != nil {
			if errors.Is(err, io.EOF) {
				return n > 0, nil
			}
			return false, err
		}
		cells := 0
		err := r.split(func(col int, cell []byte) {
			cells++
			switch {
			case col >= len(columns):
			case len(cell) == 0:
				columns[col].AppendNull()
			default:
				columns[col].AppendText(cell)
			}
		})
		if err != nil {
			return false, err
		}
		if cells != len(columns) {
			return false, fmt.Errorf("line %d: %d cells; the header has %d", r.line, cells, len(columns))
		}
	}
	return true, nil
}

// next reads one record, with the line breaks inside its quotes and without the
// one at its end.
func (r *csvReader) next() error {
	r.record = r.record[:0]
	r.line = r.lines + 1
	quotes := 0
	for {
		part, err := r.in.ReadSlice('\n')
		r.record = append(r.record, part...)
		quotes += bytes.Count(part, []byte{'"'})
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			if len(r.record) == 0 {
				return io.EOF
			}
			if quotes%2 != 0 {
				return fmt.Errorf("line %d: a quote is not closed", r.line)
			}
		case err != nil:
			return fmt.Errorf("line %d: %w", r.line, err)
		default:
			r.lines++
			if quotes%2 != 0 {
				continue // the line break is inside quotes
			}
		}
		r.record = bytes.TrimSuffix(r.record, []byte{'\n'})
		r.record = bytes.TrimSuffix(r.record, []byte{'\r'})
		return nil
	}
}

// split calls f with every cell of the record. A cell is valid during the call.
func (r *csvReader) split(f func(col int, cell []byte)) error {
	rest := r.record
	for col := 0; ; col++ {
		if len(rest) > 0 && rest[0] == '"' {
			var err error
			if rest, err = r.unquote(rest[1:]); err != nil {
				return err
			}
			f(col, r.cell)
			if len(rest) == 0 {
				return nil
			}
			rest = rest[1:]
			continue
		}
		i := bytes.IndexByte(rest, ',')
		if i < 0 {
			f(col, rest)
			return nil
		}
		f(col, rest[:i])
		rest = rest[i+1:]
	}
}

// unquote puts the cell whose opening quote was just read into r.cell and
// returns what follows: nothing, or something that begins with a comma.
func (r *csvReader) unquote(rest []byte) ([]byte, error) {
	r.cell = r.cell[:0]
	for {
		i := bytes.IndexByte(rest, '"')
		if i < 0 {
			return nil, fmt.Errorf("line %d: a quote is not closed", r.line)
		}
		r.cell = append(r.cell, rest[:i]...)
		rest = rest[i+1:]
		if len(rest) == 0 || rest[0] == ',' {
			return rest, nil
		}
		if rest[0] != '"' {
			return nil, fmt.Errorf("line %d: %q follows a closing quote", r.line, rest[0])
		}
		r.cell = append(r.cell, '"')
		rest = rest[1:]
	}
}
