package table

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"gpusim/reports/table/arrowfile"
	"gpusim/reports/table/parquetfile"
	"gpusim/reports/table/vector"
)

// Writer turns batches into one file. It is called by one goroutine, with the
// batches in order, and may not keep anything of a batch after Write. Close
// writes what the format wants at its end and closes the file. The bytes depend
// on the rows and on where the batches end, on nothing else.
type Writer interface {
	Write(b *Batch) error
	Close() error
}

// open creates dir/<table>.<format> and its writer.
func open(dir string, s *Schema, f Format) (Writer, error) {
	path := filepath.Join(dir, s.Name+"."+string(f))
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("creating table %s: %w", s.Name, err)
	}
	switch f {
	case CSV:
		return newCSVWriter(file, s), nil
	case Arrow, Parquet:
		return newBinaryWriter(file, s.stored(), f)
	}
	file.Close()
	os.Remove(path)
	return nil, fmt.Errorf("creating table %s: unknown format %q", s.Name, f)
}

// binaryWriter is a writer of stored vectors behind a buffered file.
type binaryWriter struct {
	file    *os.File
	buf     *bufio.Writer
	enc     vectorWriter
	vectors []*vector.Vector
}

// vectorWriter is what arrowfile and parquetfile have in common.
type vectorWriter interface {
	Write(columns []*vector.Vector) error
	Close() error
}

func newBinaryWriter(file *os.File, s vector.Schema, f Format) (*binaryWriter, error) {
	w := &binaryWriter{file: file, buf: bufio.NewWriterSize(file, 256<<10)}
	if f == Arrow {
		enc, err := arrowfile.NewWriter(w.buf, s)
		if err != nil {
			file.Close()
			return nil, err
		}
		w.enc = enc
		return w, nil
	}
	w.enc = parquetfile.NewWriter(w.buf, s)
	return w, nil
}

func (w *binaryWriter) Write(b *Batch) error {
	b.round()
	w.vectors = w.vectors[:0]
	for i := range b.cols {
		w.vectors = append(w.vectors, &b.cols[i].vec)
	}
	return w.enc.Write(w.vectors)
}

func (w *binaryWriter) Close() error {
	return closeAll(w.enc.Close, w.buf.Flush, w.file.Close)
}

// closeAll calls every step and returns the first error.
func closeAll(steps ...func() error) error {
	var first error
	for _, step := range steps {
		if err := step(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
