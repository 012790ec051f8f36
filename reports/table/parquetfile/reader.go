package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"gpusim/reports/table/vector"
)

// Reader reads one Parquet file, row group by row group.
type Reader struct {
	schema vector.Schema
	file   *parquet.File
	groups []parquet.RowGroup
	values []parquet.Value
}

// NewReader reads the footer of a Parquet file. A column of a type that Writer
// does not write is an error.
func NewReader(f *os.File) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading Parquet file: %w", err)
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("reading Parquet footer: %w", err)
	}
	r := &Reader{file: file, groups: file.RowGroups(), values: make([]parquet.Value, 1024)}
	r.schema.Name, _ = file.Lookup("table")
	r.schema.Doc, _ = file.Lookup("doc")
	for _, f := range file.Schema().Fields() {
		t, err := storedType(f)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", f.Name(), err)
		}
		unit, _ := file.Lookup("unit:" + f.Name())
		kind, _ := file.Lookup("kind:" + f.Name())
		doc, _ := file.Lookup("doc:" + f.Name())
		r.schema.Fields = append(r.schema.Fields, vector.Field{
			Name: f.Name(), Type: t, Nullable: f.Optional(), Unit: unit, Kind: kind, Doc: doc,
		})
	}
	return r, nil
}

// Schema describes the file.
func (r *Reader) Schema() vector.Schema { return r.schema }

// Next appends the rows of one row group to columns and reports whether there
// was one.
func (r *Reader) Next(columns []vector.Vector) (bool, error) {
	if len(r.groups) == 0 {
		return false, nil
	}
	chunks := r.groups[0].ColumnChunks()
	r.groups = r.groups[1:]
	for i := range columns {
		if err := r.appendChunk(&columns[i], chunks[i]); err != nil {
			return false, fmt.Errorf("reading Parquet column %s: %w", r.schema.Fields[i].Name, err)
		}
	}
	return true, nil
}

func (r *Reader) appendChunk(v *vector.Vector, chunk parquet.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = r.appendPage(v, page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

func (r *Reader) appendPage(v *vector.Vector, page parquet.Page) error {
	values := page.Values()
	for {
		n, err := values.ReadValues(r.values)
		for _, x := range r.values[:n] {
			appendValue(v, x)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func appendValue(v *vector.Vector, x parquet.Value) {
	if x.IsNull() {
		v.AppendNull()
		return
	}
	switch v.Type {
	case vector.Int:
		v.AppendInt(x.Int64())
	case vector.Float:
		v.AppendFloat(x.Double())
	case vector.Flag:
		v.AppendFlag(x.Boolean())
	case vector.Text:
		v.AppendText(x.ByteArray())
	}
}

func storedType(f parquet.Field) (vector.Type, error) {
	if f.Leaf() && !f.Repeated() {
		switch f.Type().Kind() {
		case parquet.Int64:
			return vector.Int, nil
		case parquet.Double:
			return vector.Float, nil
		case parquet.Boolean:
			return vector.Flag, nil
		case parquet.ByteArray:
			return vector.Text, nil
		}
	}
	return 0, fmt.Errorf("type %s is not one that gpusim writes", f)
}
