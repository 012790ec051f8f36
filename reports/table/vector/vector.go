package vector

// Type is how a column is stored.
type Type uint8

// The four stored types.
const (
	Int   Type = iota // int64
	Float             // float64
	Text              // UTF-8
	Flag              // true or false
)

// Field describes one column of a file. Unit, Kind and Doc are carried along
// for people and for readers that want to know what a number means.
type Field struct {
	Name     string
	Type     Type
	Nullable bool
	Unit     string
	Kind     string
	Doc      string
}

// Schema describes a file of columns.
type Schema struct {
	Name   string
	Doc    string
	Fields []Field
}

// Vector is one column of some consecutive rows. Of Ints, Floats, Flags and
// Bytes only the one that belongs to Type is filled.
type Vector struct {
	Type  Type
	Valid []byte // one a row: 1 where a value is present, 0 where it is absent
	Nulls int    // how many rows are absent

	Ints    []int64
	Floats  []float64
	Flags   []byte  // 0 or 1
	Bytes   []byte  // all texts, one after the other
	Offsets []int32 // text i is Bytes[Offsets[i]:Offsets[i+1]]
}

// New returns an empty vector with room for rows rows.
func New(t Type, rows int) Vector {
	v := Vector{Type: t, Valid: make([]byte, 0, rows)}
	switch t {
	case Int:
		v.Ints = make([]int64, 0, rows)
	case Float:
		v.Floats = make([]float64, 0, rows)
	case Flag:
		v.Flags = make([]byte, 0, rows)
	case Text:
		v.Offsets = make([]int32, 1, rows+1)
	}
	return v
}

// Len is the number of rows, absent ones included.
func (v *Vector) Len() int { return len(v.Valid) }

// Reset removes all rows and keeps the memory.
func (v *Vector) Reset() {
	v.Valid = v.Valid[:0]
	v.Nulls = 0
	v.Ints = v.Ints[:0]
	v.Floats = v.Floats[:0]
	v.Flags = v.Flags[:0]
	v.Bytes = v.Bytes[:0]
	if v.Type == Text {
		v.Offsets = v.Offsets[:1]
	}
}

// AppendNull adds a row without a value.
func (v *Vector) AppendNull() {
	v.Valid = append(v.Valid, 0)
	v.Nulls++
	switch v.Type {
	case Int:
		v.Ints = append(v.Ints, 0)
	case Float:
		v.Floats = append(v.Floats, 0)
	case Flag:
		v.Flags = append(v.Flags, 0)
	case Text:
		v.Offsets = append(v.Offsets, int32(len(v.Bytes)))
	}
}

// AppendInt adds a row to a vector of type Int.
func (v *Vector) AppendInt(x int64) {
	v.Valid = append(v.Valid, 1)
	v.Ints = append(v.Ints, x)
}

// AppendFloat adds a row to a vector of type Float.
func (v *Vector) AppendFloat(x float64) {
	v.Valid = append(v.Valid, 1)
	v.Floats = append(v.Floats, x)
}

// AppendFlag adds a row to a vector of type Flag.
func (v *Vector) AppendFlag(x bool) {
	var b byte
	if x {
		b = 1
	}
	v.Valid = append(v.Valid, 1)
	v.Flags = append(v.Flags, b)
}

// AppendText adds a row to a vector of type Text; the bytes are copied. The
// texts of a vector may hold 2 GiB together; who fills vectors stays below.
func (v *Vector) AppendText(s []byte) {
	v.Valid = append(v.Valid, 1)
	v.Bytes = append(v.Bytes, s...)
	v.Offsets = append(v.Offsets, int32(len(v.Bytes)))
}

// AppendString is AppendText for a string.
func (v *Vector) AppendString(s string) {
	v.Valid = append(v.Valid, 1)
	v.Bytes = append(v.Bytes, s...)
	v.Offsets = append(v.Offsets, int32(len(v.Bytes)))
}

// Text returns the text of a row, valid until the vector is reset.
func (v *Vector) Text(row int) []byte {
	return v.Bytes[v.Offsets[row]:v.Offsets[row+1]]
}
