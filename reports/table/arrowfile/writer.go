package arrowfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"gpusim/reports/table/vector"
)

// Writer writes one Arrow file.
type Writer struct {
	schema *arrow.Schema
	file   *ipc.FileWriter
	bits   [][]byte // presence and flags of the batch being written
	used   int
}

// NewWriter starts a file. The caller closes out.
func NewWriter(out io.Writer, s vector.Schema) (*Writer, error) {
	schema := arrowSchema(s)
	file, err := ipc.NewFileWriter(&counter{out: out}, ipc.WithSchema(schema))
	if err != nil {
		return nil, fmt.Errorf("starting Arrow file %s: %w", s.Name, err)
	}
	return &Writer{schema: schema, file: file}, nil
}

// counter is a writer that knows its position, which is all that the library
// asks a seeker for.
type counter struct {
	out io.Writer
	n   int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("an Arrow file is written from start to end")
	}
	return c.n, nil
}

// Write adds one record batch of the rows in columns, which all have the same
// length. Nothing of columns is kept. It allocates some 1 KiB a column.
func (w *Writer) Write(columns []*vector.Vector) error {
	w.used = 0
	rows := columns[0].Len()
	arrays := make([]arrow.Array, len(columns))
	for i, v := range columns {
		arrays[i] = w.array(v)
	}
	record := array.NewRecord(w.schema, arrays, int64(rows))
	if err := w.file.Write(record); err != nil {
		return fmt.Errorf("writing Arrow batch: %w", err)
	}
	return nil
}

// Close writes the footer. The writer below is left open.
func (w *Writer) Close() error {
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("ending Arrow file: %w", err)
	}
	return nil
}

// array puts the memory of v in an Arrow array without copying it, bits apart.
func (w *Writer) array(v *vector.Vector) arrow.Array {
	var valid *memory.Buffer
	if v.Nulls > 0 {
		valid = w.pack(v.Valid)
	}
	n := v.Len()
	switch v.Type {
	case vector.Int:
		values := memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(v.Ints))
		return array.NewInt64Data(array.NewData(arrow.PrimitiveTypes.Int64, n, []*memory.Buffer{valid, values}, nil, v.Nulls, 0))
	case vector.Float:
		values := memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(v.Floats))
		return array.NewFloat64Data(array.NewData(arrow.PrimitiveTypes.Float64, n, []*memory.Buffer{valid, values}, nil, v.Nulls, 0))
	case vector.Flag:
		return array.NewBooleanData(array.NewData(arrow.FixedWidthTypes.Boolean, n, []*memory.Buffer{valid, w.pack(v.Flags)}, nil, v.Nulls, 0))
	default:
		offsets := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(v.Offsets))
		values := memory.NewBufferBytes(v.Bytes)
		return array.NewStringData(array.NewData(arrow.BinaryTypes.String, n, []*memory.Buffer{valid, offsets, values}, nil, v.Nulls, 0))
	}
}

// pack turns bytes of 0 and 1 into bits, lowest first, in memory that is reused
// for every batch.
func (w *Writer) pack(ones []byte) *memory.Buffer {
	if w.used == len(w.bits) {
		w.bits = append(w.bits, nil)
	}
	bits := w.bits[w.used][:0]
	for len(ones) >= 8 {
		b := ones[0] | ones[1]<<1 | ones[2]<<2 | ones[3]<<3 | ones[4]<<4 | ones[5]<<5 | ones[6]<<6 | ones[7]<<7
		bits = append(bits, b)
		ones = ones[8:]
	}
	if len(ones) > 0 {
		var b byte
		for i, one := range ones {
			b |= one << i
		}
		bits = append(bits, b)
	}
	w.bits[w.used] = bits
	w.used++
	return memory.NewBufferBytes(bits)
}

func arrowSchema(s vector.Schema) *arrow.Schema {
	fields := make([]arrow.Field, len(s.Fields))
	for i, f := range s.Fields {
		fields[i] = arrow.Field{
			Name:     f.Name,
			Type:     arrowType(f.Type),
			Nullable: f.Nullable,
			Metadata: arrow.NewMetadata([]string{"doc", "kind", "unit"}, []string{f.Doc, f.Kind, f.Unit}),
		}
	}
	meta := arrow.NewMetadata([]string{"doc", "table"}, []string{s.Doc, s.Name})
	return arrow.NewSchema(fields, &meta)
}

func arrowType(t vector.Type) arrow.DataType {
	switch t {
	case vector.Int:
		return arrow.PrimitiveTypes.Int64
	case vector.Float:
		return arrow.PrimitiveTypes.Float64
	case vector.Flag:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}
