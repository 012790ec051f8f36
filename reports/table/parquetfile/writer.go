package parquetfile

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"gpusim/reports/table/vector"
)

const (
	groupRows     = 65536   // a row group ends with the batch that reaches this
	dictionaryMax = 1 << 20 // bytes of distinct text after which a column goes on without dictionary
)

// Writer writes one Parquet file.
type Writer struct {
	out    io.Writer
	schema vector.Schema
	file   *parquet.GenericWriter[any] // nil until the first batch, which decides the encodings
	values []parquet.Value
	rows   int // in the open row group
}

// NewWriter starts a file. The caller closes out.
func NewWriter(out io.Writer, s vector.Schema) *Writer {
	return &Writer{out: out, schema: s}
}

// Write adds the rows in columns, which all have the same length. Nothing of
// columns is kept.
func (w *Writer) Write(columns []*vector.Vector) error {
	if w.file == nil {
		w.start(columns)
	}
	for i, c := range w.file.ColumnWriters() {
		v := columns[i]
		w.fill(v, w.schema.Fields[i].Nullable)
		if _, err := c.WriteRowValues(w.values); err != nil {
			return fmt.Errorf("writing Parquet column %s: %w", w.schema.Fields[i].Name, err)
		}
	}
	w.rows += columns[0].Len()
	if w.rows < groupRows {
		return nil
	}
	w.rows = 0
	if err := w.file.Flush(); err != nil {
		return fmt.Errorf("writing Parquet row group: %w", err)
	}
	return nil
}

// Close writes the last row group and the footer.
func (w *Writer) Close() error {
	if w.file == nil {
		w.start(nil)
	}
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("ending Parquet file: %w", err)
	}
	return nil
}

// start chooses the encodings from the first rows, or from none.
func (w *Writer) start(columns []*vector.Vector) {
	dictionary := make([]bool, len(w.schema.Fields))
	for i, v := range columns {
		dictionary[i] = v.Type == vector.Text && repeats(v)
	}
	options := []parquet.WriterOption{
		parquetSchema(w.schema, dictionary),
		&parquet.WriterConfig{
			CreatedBy:          "gpusim",
			Compression:        &zstd.Codec{Level: zstd.SpeedFastest},
			DictionaryMaxBytes: dictionaryMax,
		},
		parquet.KeyValueMetadata("table", w.schema.Name),
		parquet.KeyValueMetadata("doc", w.schema.Doc),
	}
	for _, f := range w.schema.Fields {
		options = append(options,
			parquet.KeyValueMetadata("unit:"+f.Name, f.Unit),
			parquet.KeyValueMetadata("kind:"+f.Name, f.Kind),
			parquet.KeyValueMetadata("doc:"+f.Name, f.Doc))
	}
	w.file = parquet.NewGenericWriter[any](w.out, options...)
}

// fill puts the rows of v into w.values, in memory that is reused. Texts point
// into v. A present value of a nullable column stands one level up.
func (w *Writer) fill(v *vector.Vector, nullable bool) {
	n := v.Len()
	w.values = slices.Grow(w.values[:0], n)[:n]
	values := w.values
	switch v.Type {
	case vector.Int:
		for row, x := range v.Ints {
			values[row] = parquet.Int64Value(x)
		}
	case vector.Float:
		for row, x := range v.Floats {
			values[row] = parquet.DoubleValue(x)
		}
	case vector.Flag:
		for row, x := range v.Flags {
			values[row] = parquet.BooleanValue(x == 1)
		}
	case vector.Text:
		for row := range n {
			values[row] = parquet.ByteArrayValue(v.Text(row))
		}
	}
	if !nullable {
		return
	}
	for row, valid := range v.Valid {
		if valid == 1 {
			values[row] = values[row].Level(0, 1, 0)
		} else {
			values[row] = parquet.NullValue()
		}
	}
}
