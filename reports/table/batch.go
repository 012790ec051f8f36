package table

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"gpusim/reports/table/vector"
	"gpusim/sim/event"
)

// A batch is handed to the encoder when it has this many rows or texts of this
// many bytes. Both depend on the data alone, so files do not depend on timing.
const (
	batchRows  = 8192
	batchBytes = 4 << 20
	maxText    = 64 << 20
)

// Batch collects rows, column by column. Every column of a row is set exactly
// once, in any order, by the method of its kind or by Null; EndRow closes the
// row. Wrong use (a column set twice, forgotten, of another kind) does not
// panic: the first mistake is kept, and the sink reports it.
//
// Nothing is allocated once a batch has grown to its size; texts are copied.
type Batch struct {
	schema *Schema
	cols   []column
	rows   int
	set    int // columns set in the row being filled
	bytes  int // text held
	err    error
}

// column is one column: what is stored in files, and the exact integers of
// which a decimal kind is a rounding.
type column struct {
	kind     Kind
	nullable bool
	exact    []int64  // Seconds, Milli; the high half of GPUSeconds
	low      []uint64 // the low half of GPUSeconds
	vec      vector.Vector
}

func newBatch(s *Schema) *Batch {
	b := &Batch{schema: s, cols: make([]column, len(s.Columns))}
	for i, c := range s.Columns {
		b.cols[i] = column{kind: c.Kind, nullable: c.Nullable, vec: vector.New(c.Kind.stored(), batchRows)}
		switch c.Kind {
		case Seconds, Milli:
			b.cols[i].exact = make([]int64, 0, batchRows)
		case GPUSeconds:
			b.cols[i].exact = make([]int64, 0, batchRows)
			b.cols[i].low = make([]uint64, 0, batchRows)
		}
	}
	return b
}

// Int sets a column of kind Int.
func (b *Batch) Int(col int, v int64) {
	if c := b.slot(col, Int); c != nil {
		c.vec.AppendInt(v)
	}
}

// Seconds sets a column of kind Seconds to an instant or a length of time.
// event.Never is no instant: it is written as absent.
func (b *Batch) Seconds(col int, t event.Time) {
	if t == event.Never {
		b.Null(col)
		return
	}
	if c := b.slot(col, Seconds); c != nil {
		c.vec.Valid = append(c.vec.Valid, 1)
		c.exact = append(c.exact, int64(t))
	}
}

// GPUSeconds sets a column of kind GPUSeconds. hi and lo are the halves of a
// 128-bit two's complement number of thousandths of GPU-nanoseconds.
func (b *Batch) GPUSeconds(col int, hi int64, lo uint64) {
	if c := b.slot(col, GPUSeconds); c != nil {
		c.vec.Valid = append(c.vec.Valid, 1)
		c.exact = append(c.exact, hi)
		c.low = append(c.low, lo)
	}
}

// Milli sets a column of kind Milli to v thousandths.
func (b *Batch) Milli(col int, v int64) {
	if c := b.slot(col, Milli); c != nil {
		c.vec.Valid = append(c.vec.Valid, 1)
		c.exact = append(c.exact, v)
	}
}

// Float sets a column of kind Float. A number that is not finite is a mistake:
// what is not known is absent.
func (b *Batch) Float(col int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		b.fail("column %s is set to %v", b.name(col), v)
		v = 0
	}
	if c := b.slot(col, Float); c != nil {
		c.vec.AppendFloat(v)
	}
}

// Text sets a column of kind Text; s is copied. Bytes that are not UTF-8 become
// the replacement character, because Arrow and Parquet texts are UTF-8. An
// empty text is a value in Arrow and Parquet, but CSV cannot tell it from an
// absent one: prefer Null.
func (b *Batch) Text(col int, s string) {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) > maxText {
		b.fail("column %s: a text of %d bytes; the limit is %d", b.name(col), len(s), maxText)
		s = ""
	}
	if c := b.slot(col, Text); c != nil {
		c.vec.AppendString(s)
		b.bytes += len(s)
	}
}

// Flag sets a column of kind Flag.
func (b *Batch) Flag(col int, v bool) {
	if c := b.slot(col, Flag); c != nil {
		c.vec.AppendFlag(v)
	}
}

// Null leaves a column of any kind absent in this row.
func (b *Batch) Null(col int) {
	if uint(col) >= uint(len(b.cols)) {
		b.fail("there is no column %d", col)
		return
	}
	c := b.slot(col, b.cols[col].kind)
	if c == nil {
		return
	}
	if !c.nullable {
		b.fail("column %s is left absent, but it is not nullable", b.name(col))
	}
	c.null()
}

// EndRow closes the row.
func (b *Batch) EndRow() {
	if b.set != len(b.cols) {
		b.complete()
	}
	b.set = 0
	b.rows++
}

// slot returns the column if it may be set now.
func (b *Batch) slot(col int, k Kind) *column {
	if uint(col) >= uint(len(b.cols)) || b.cols[col].kind != k || len(b.cols[col].vec.Valid) != b.rows {
		b.misuse(col, k)
		return nil
	}
	b.set++
	return &b.cols[col]
}

func (b *Batch) misuse(col int, k Kind) {
	switch {
	case uint(col) >= uint(len(b.cols)):
		b.fail("there is no column %d", col)
	case b.cols[col].kind != k:
		b.fail("column %s is of kind %s and is set as %s", b.name(col), b.cols[col].kind, k)
	default:
		b.fail("column %s is set twice in one row", b.name(col))
	}
}

// complete fills the columns that a row forgot, so that the batch stays whole.
func (b *Batch) complete() {
	for i := range b.cols {
		if c := &b.cols[i]; len(c.vec.Valid) == b.rows {
			b.fail("column %s is not set", b.name(i))
			c.null()
		}
	}
}

func (b *Batch) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("row %d of a batch: "+format, append([]any{b.rows}, args...)...)
	}
}

func (b *Batch) name(col int) string {
	if uint(col) < uint(len(b.schema.Columns)) {
		return b.schema.Columns[col].Name
	}
	return fmt.Sprint(col)
}

func (b *Batch) full() bool { return b.rows >= batchRows || b.bytes >= batchBytes }

func (b *Batch) reset() {
	for i := range b.cols {
		c := &b.cols[i]
		c.vec.Reset()
		c.exact = c.exact[:0]
		c.low = c.low[:0]
	}
	b.rows, b.set, b.bytes, b.err = 0, 0, 0, nil
}

func (c *column) null() {
	switch c.kind {
	case GPUSeconds:
		c.low = append(c.low, 0)
		fallthrough
	case Seconds, Milli:
		c.exact = append(c.exact, 0)
		c.vec.Valid = append(c.vec.Valid, 0)
		c.vec.Nulls++
	default:
		c.vec.AppendNull()
	}
}

// round fills the float64 values of the decimal kinds from the exact ones.
func (b *Batch) round() {
	for i := range b.cols {
		c := &b.cols[i]
		switch c.kind {
		case Seconds:
			for _, v := range c.exact[len(c.vec.Floats):] {
				c.vec.Floats = append(c.vec.Floats, nearest(v, perSecond))
			}
		case Milli:
			for _, v := range c.exact[len(c.vec.Floats):] {
				c.vec.Floats = append(c.vec.Floats, nearest(v, perUnit))
			}
		case GPUSeconds:
			for j := len(c.vec.Floats); j < len(c.exact); j++ {
				c.vec.Floats = append(c.vec.Floats, nearestWide(c.exact[j], c.low[j], perGPUSecond))
			}
		}
	}
}
