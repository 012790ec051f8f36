package arrowfile

import (
	"fmt"
	"os"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"gpusim/reports/table/vector"
)

// Reader reads one Arrow file, batch by batch.
type Reader struct {
	schema vector.Schema
	file   *ipc.FileReader
	next   int
}

// NewReader reads the footer of an Arrow file. A column of a type that Writer
// does not write is an error.
func NewReader(f *os.File) (*Reader, error) {
	file, err := ipc.NewFileReader(f)
	if err != nil {
		return nil, fmt.Errorf("reading Arrow footer: %w", err)
	}
	r := &Reader{file: file}
	s := file.Schema()
	r.schema.Name = lookup(s.Metadata(), "table")
	r.schema.Doc = lookup(s.Metadata(), "doc")
	for _, f := range s.Fields() {
		t, err := storedType(f.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", f.Name, err)
		}
		r.schema.Fields = append(r.schema.Fields, vector.Field{
			Name: f.Name, Type: t, Nullable: f.Nullable,
			Unit: lookup(f.Metadata, "unit"), Kind: lookup(f.Metadata, "kind"), Doc: lookup(f.Metadata, "doc"),
		})
	}
	return r, nil
}

// Schema describes the file.
func (r *Reader) Schema() vector.Schema { return r.schema }

// Next appends the rows of one record batch to columns and reports whether there
// was one.
func (r *Reader) Next(columns []vector.Vector) (bool, error) {
	if r.next >= r.file.NumRecords() {
		return false, nil
	}
	record, err := r.file.RecordAt(r.next)
	if err != nil {
		return false, fmt.Errorf("reading Arrow batch %d: %w", r.next, err)
	}
	defer record.Release()
	r.next++
	for i := range columns {
		appendArray(&columns[i], record.Column(i))
	}
	return true, nil
}

func appendArray(v *vector.Vector, a arrow.Array) {
	for i := range a.Len() {
		if a.IsNull(i) {
			v.AppendNull()
			continue
		}
		switch a := a.(type) {
		case *array.Int64:
			v.AppendInt(a.Value(i))
		case *array.Float64:
			v.AppendFloat(a.Value(i))
		case *array.Boolean:
			v.AppendFlag(a.Value(i))
		case *array.String:
			v.AppendString(a.Value(i))
		}
	}
}

func storedType(t arrow.DataType) (vector.Type, error) {
	switch t.ID() {
	case arrow.INT64:
		return vector.Int, nil
	case arrow.FLOAT64:
		return vector.Float, nil
	case arrow.BOOL:
		return vector.Flag, nil
	case arrow.STRING:
		return vector.Text, nil
	}
	return 0, fmt.Errorf("type %s is not one that gpusim writes", t)
}

func lookup(m arrow.Metadata, key string) string {
	v, _ := m.GetValue(key)
	return v
}
