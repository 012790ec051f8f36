package vector

import (
	"fmt"
	"testing"
)

func TestEveryRowHasASlot(t *testing.T) {
	for _, typ := range []Type{Int, Float, Text, Flag} {
		v := New(typ, 1)
		for range 2 { // the second time in memory that was used
			v.AppendNull()
			switch typ {
			case Int:
				v.AppendInt(7)
			case Float:
				v.AppendFloat(7)
			case Flag:
				v.AppendFlag(true)
			case Text:
				v.AppendText([]byte("seven"))
			}
			v.AppendNull()
			if v.Len() != 3 || v.Nulls != 2 || fmt.Sprint(v.Valid) != "[0 1 0]" {
				t.Errorf("type %d: %d rows, %d absent, %v", typ, v.Len(), v.Nulls, v.Valid)
			}
			slots := map[Type]string{Int: fmt.Sprint(v.Ints), Float: fmt.Sprint(v.Floats), Flag: fmt.Sprint(v.Flags), Text: fmt.Sprint(v.Offsets)}
			want := map[Type]string{Int: "[0 7 0]", Float: "[0 7 0]", Flag: "[0 1 0]", Text: "[0 0 5 5]"}
			if slots[typ] != want[typ] {
				t.Errorf("type %d: slots %s", typ, slots[typ])
			}
			v.Reset()
			if v.Len() != 0 || v.Nulls != 0 {
				t.Errorf("type %d: not empty after Reset", typ)
			}
		}
	}
}

func Example() {
	names := New(Text, 3)
	names.AppendString("n-0")
	names.AppendNull()
	names.AppendString("n-1")
	for row := range names.Len() {
		fmt.Printf("%d %q\n", names.Valid[row], names.Text(row))
	}
	// Output:
	// 1 "n-0"
	// 0 ""
	// 1 "n-1"
}
