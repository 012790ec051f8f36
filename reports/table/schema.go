package table

import (
	"fmt"
	"strings"

	"gpusim/reports/table/vector"
)

// Kind is what a column holds, and with it how a value is written.
type Kind uint8

// The kinds of column.
const (
	Int        Kind = iota // whole number
	Seconds                // event.Time: exact decimal seconds in CSV, the nearest float64 elsewhere
	GPUSeconds             // 128-bit thousandths of GPU-nanoseconds: exact decimal GPU-seconds in CSV, the nearest float64 elsewhere
	Milli                  // int64 thousandths: exact decimal in CSV, the nearest float64 elsewhere
	Float                  // float64: the shortest decimal that reads back as the same number
	Text                   // UTF-8
	Flag                   // true or false
)

// String returns the word that Arrow and Parquet files carry for the kind.
func (k Kind) String() string {
	switch k {
	case Int:
		return "int"
	case Seconds:
		return "seconds"
	case GPUSeconds:
		return "gpu-seconds"
	case Milli:
		return "milli"
	case Float:
		return "float"
	case Text:
		return "text"
	case Flag:
		return "flag"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// stored is the type a kind has in the binary formats.
func (k Kind) stored() vector.Type {
	switch k {
	case Int:
		return vector.Int
	case Text:
		return vector.Text
	case Flag:
		return vector.Flag
	}
	return vector.Float
}

// Column describes one column of a table.
type Column struct {
	Name     string
	Unit     string // "s", "W", "bytes"; empty where there is none
	Doc      string // one line for the reference pages and for readers of the file
	Kind     Kind
	Nullable bool // whether a row may leave the column absent
}

// Schema describes a table. Name is also the file name without its ending.
type Schema struct {
	Name    string
	Doc     string
	Columns []Column
}

// Index returns the position of the named column, or -1.
func (s *Schema) Index(name string) int {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// check refuses a schema that cannot become a file.
func (s *Schema) check() error {
	if s.Name == "" || strings.ContainsAny(s.Name, "/\\") || s.Name[0] == '.' {
		return fmt.Errorf("%q cannot be the name of a table", s.Name)
	}
	if len(s.Columns) == 0 {
		return fmt.Errorf("table %s has no columns", s.Name)
	}
	seen := make(map[string]bool, len(s.Columns))
	for _, c := range s.Columns {
		switch {
		case c.Name == "":
			return fmt.Errorf("table %s has a column without a name", s.Name)
		case seen[c.Name]:
			return fmt.Errorf("table %s has two columns named %s", s.Name, c.Name)
		case c.Kind > Flag:
			return fmt.Errorf("table %s: column %s has no valid kind", s.Name, c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// stored is the schema as the binary formats see it.
func (s *Schema) stored() vector.Schema {
	v := vector.Schema{Name: s.Name, Doc: s.Doc, Fields: make([]vector.Field, len(s.Columns))}
	for i, c := range s.Columns {
		v.Fields[i] = vector.Field{
			Name:     c.Name,
			Type:     c.Kind.stored(),
			Nullable: c.Nullable,
			Unit:     c.Unit,
			Kind:     c.Kind.String(),
			Doc:      c.Doc,
		}
	}
	return v
}
