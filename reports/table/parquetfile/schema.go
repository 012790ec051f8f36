package parquetfile

import (
	"github.com/parquet-go/parquet-go"

	"gpusim/reports/table/vector"
)

// group is a group of columns in the order of the table; the library's own sorts
// them by name.
type group struct {
	parquet.Group
	order []string
}

// Fields returns the columns in order.
func (g group) Fields() []parquet.Field {
	byName := make(map[string]parquet.Field, len(g.order))
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.order))
	for i, name := range g.order {
		fields[i] = byName[name]
	}
	return fields
}

// parquetSchema describes the file; dictionary says for each column whether it
// gets one.
func parquetSchema(s vector.Schema, dictionary []bool) *parquet.Schema {
	g := group{Group: parquet.Group{}}
	for i, f := range s.Fields {
		node := leaf(f.Type, dictionary[i])
		if f.Nullable {
			node = parquet.Optional(node)
		}
		g.Group[f.Name] = node
		g.order = append(g.order, f.Name)
	}
	return parquet.NewSchema(s.Name, g)
}

func leaf(t vector.Type, dictionary bool) parquet.Node {
	switch t {
	case vector.Int:
		return parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
	case vector.Float:
		return parquet.Leaf(parquet.DoubleType)
	case vector.Flag:
		return parquet.Leaf(parquet.BooleanType)
	}
	if dictionary {
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return parquet.Encoded(parquet.String(), &parquet.DeltaLengthByteArray)
}

// repeats reports whether the texts of a column are so often the same that a
// dictionary pays: at most one in four is new.
func repeats(v *vector.Vector) bool {
	seen := make(map[string]struct{})
	for row, valid := range v.Valid {
		if valid == 0 {
			continue
		}
		text := v.Text(row)
		if _, ok := seen[string(text)]; ok {
			continue
		}
		seen[string(text)] = struct{}{}
		if len(seen) > 64 && len(seen) > (v.Len()-v.Nulls)/4 {
			return false
		}
	}
	return true
}
