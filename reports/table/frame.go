package table

import (
	"math"
	"strconv"

	"gpusim/reports/table/vector"
	"gpusim/sim/event"
)

// Frame is a table read back, column by column. A CSV file says nothing of
// kinds: its cells are texts, and the getters parse them.
//
// A getter of numbers reports false for an absent value and for a text that is
// no such number. Columns are addressed by their position, see Column.
type Frame struct {
	fields []vector.Field
	cols   []vector.Vector
}

func newFrame(s vector.Schema) *Frame {
	f := &Frame{fields: s.Fields, cols: make([]vector.Vector, len(s.Fields))}
	for i, field := range s.Fields {
		f.cols[i] = vector.New(field.Type, 0)
	}
	return f
}

// Rows is the number of rows.
func (f *Frame) Rows() int {
	if len(f.cols) == 0 {
		return 0
	}
	return f.cols[0].Len()
}

// Names returns the column names in order.
func (f *Frame) Names() []string {
	names := make([]string, len(f.fields))
	for i := range f.fields {
		names[i] = f.fields[i].Name
	}
	return names
}

// Column returns the position of the named column, or -1.
func (f *Frame) Column(name string) int {
	for i := range f.fields {
		if f.fields[i].Name == name {
			return i
		}
	}
	return -1
}

// IsNull reports whether a value is absent. In CSV an empty text is absent too.
func (f *Frame) IsNull(col, row int) bool { return f.cols[col].Valid[row] == 0 }

// Text returns a value as CSV shows it: a decimal kind read from Arrow or
// Parquet has the digits of its float64. An absent value is "".
func (f *Frame) Text(col, row int) string {
	v := &f.cols[col]
	if v.Valid[row] == 0 {
		return ""
	}
	switch v.Type {
	case vector.Int:
		return strconv.FormatInt(v.Ints[row], 10)
	case vector.Float:
		return string(appendFloat(nil, v.Floats[row]))
	case vector.Flag:
		return strconv.FormatBool(v.Flags[row] == 1)
	}
	return string(v.Text(row))
}

// Float returns a number of any kind.
func (f *Frame) Float(col, row int) (float64, bool) {
	v := &f.cols[col]
	if v.Valid[row] == 0 {
		return 0, false
	}
	switch v.Type {
	case vector.Int:
		return float64(v.Ints[row]), true
	case vector.Float:
		return v.Floats[row], true
	case vector.Text:
		x, err := strconv.ParseFloat(string(v.Text(row)), 64)
		return x, err == nil
	}
	return 0, false
}

// Int returns a whole number.
func (f *Frame) Int(col, row int) (int64, bool) {
	v := &f.cols[col]
	if v.Valid[row] == 0 {
		return 0, false
	}
	switch v.Type {
	case vector.Int:
		return v.Ints[row], true
	case vector.Text:
		x, err := strconv.ParseInt(string(v.Text(row)), 10, 64)
		return x, err == nil
	}
	return 0, false
}

// Flag returns a truth value.
func (f *Frame) Flag(col, row int) (value, ok bool) {
	v := &f.cols[col]
	if v.Valid[row] == 0 {
		return false, false
	}
	switch v.Type {
	case vector.Flag:
		return v.Flags[row] == 1, true
	case vector.Text:
		switch string(v.Text(row)) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	return false, false
}

// Seconds returns a number of seconds as a time. From CSV it is exact. From a
// float64 it is the nearest nanosecond: the one that was written, up to 2^23 s (97
// days) from the epoch; beyond, a float64 has no digits for it.
func (f *Frame) Seconds(col, row int) (event.Time, bool) {
	v := &f.cols[col]
	if v.Valid[row] == 0 {
		return 0, false
	}
	switch v.Type {
	case vector.Text:
		return parseSeconds(v.Text(row))
	case vector.Int:
		if x := v.Ints[row]; x <= math.MaxInt64/perSecond && x >= math.MinInt64/perSecond {
			return event.Time(x) * event.Second, true
		}
	case vector.Float:
		return toTime(v.Floats[row])
	}
	return 0, false
}

// toTime rounds seconds to nanoseconds once: whole seconds are split off first,
// so that the product with 10^9 stays small.
func toTime(s float64) (event.Time, bool) {
	if !(math.Abs(s) < math.MaxInt64/perSecond) {
		return 0, false
	}
	whole, fraction := math.Modf(s)
	return event.Time(whole)*event.Second + event.Time(math.Round(fraction*perSecond)), true
}

// parseSeconds reads decimal seconds with at most nine digits after the point.
func parseSeconds(text []byte) (event.Time, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	var u uint64
	digits, point := 0, -1
	for i, c := range text {
		switch {
		case c == '.' && point < 0:
			point = i
		case c < '0' || c > '9' || u > math.MaxUint64/10-1:
			return 0, false
		default:
			u = u*10 + uint64(c-'0')
			digits++
		}
	}
	fraction := 0
	if point >= 0 {
		fraction = len(text) - 1 - point
	}
	if digits == 0 || fraction > 9 {
		return 0, false
	}
	for range 9 - fraction {
		if u > math.MaxUint64/10 {
			return 0, false
		}
		u *= 10
	}
	if u > math.MaxInt64 {
		return event.Time(math.MinInt64), negative && u == 1<<63
	}
	if negative {
		return -event.Time(u), true
	}
	return event.Time(u), true
}

// Row is one row of a frame, or of a file that is being scanned.
type Row struct {
	frame *Frame
	row   int
}

// Row returns row i.
func (f *Frame) Row(i int) Row { return Row{f, i} }

// Column returns the position of the named column, or -1. It is the same for
// all rows of a file.
func (r Row) Column(name string) int { return r.frame.Column(name) }

// IsNull is Frame.IsNull.
func (r Row) IsNull(col int) bool { return r.frame.IsNull(col, r.row) }

// Text is Frame.Text.
func (r Row) Text(col int) string { return r.frame.Text(col, r.row) }

// Float is Frame.Float.
func (r Row) Float(col int) (float64, bool) { return r.frame.Float(col, r.row) }

// Int is Frame.Int.
func (r Row) Int(col int) (int64, bool) { return r.frame.Int(col, r.row) }

// Flag is Frame.Flag.
func (r Row) Flag(col int) (value, ok bool) { return r.frame.Flag(col, r.row) }

// Seconds is Frame.Seconds.
func (r Row) Seconds(col int) (event.Time, bool) { return r.frame.Seconds(col, r.row) }
