package document

import (
	"math"
	"reflect"
	"strconv"
	"strings"
)

// scalar reads a single value into a Go text, number or bool. A text takes
// whatever was written, digit for digit.
func (d *decoder) scalar(n *Node, v reflect.Value) {
	want := word(v.Kind())
	if n.Kind != Scalar {
		d.fail(n, "must be %s, not %s", want, n.Kind)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(n.Text)
	case reflect.Bool:
		b, wrong := truth(n)
		if wrong {
			d.fail(n, "must be true or false, not %q", n.Text)
			return
		}
		v.SetBool(b)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(n.Text, "xX_pP") {
			d.fail(n, "must be a number, not %q", n.Text)
			return
		}
		v.SetFloat(f)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil || v.OverflowInt(i) {
			bits := v.Type().Bits()
			d.notWhole(n, strconv.FormatInt(-1<<(bits-1), 10), strconv.FormatUint(1<<(bits-1)-1, 10))
			return
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := strconv.ParseUint(strings.TrimPrefix(n.Text, "+"), 10, 64)
		if err != nil || v.OverflowUint(i) {
			d.notWhole(n, "0", strconv.FormatUint(math.MaxUint64>>(64-v.Type().Bits()), 10))
			return
		}
		v.SetUint(i)
	default:
		d.fail(n, "cannot be read")
	}
}

// truth reads YAML's true and false; yes, on and 1 are not among them.
func truth(n *Node) (value, wrong bool) {
	if !n.Quoted {
		switch n.Text {
		case "true", "True", "TRUE":
			return true, false
		case "false", "False", "FALSE":
			return false, false
		}
	}
	return false, true
}

func (d *decoder) notWhole(n *Node, from, to string) {
	f, err := strconv.ParseFloat(n.Text, 64)
	switch {
	case err != nil && !math.IsInf(f, 0) || math.IsNaN(f):
		d.fail(n, "must be a whole number, not %q", n.Text)
	case f == math.Trunc(f) && !strings.ContainsAny(n.Text, ".eExX_"):
		d.fail(n, "must be a whole number from %s to %s, not %s", from, to, n.Text)
	default:
		d.fail(n, "must be a whole number (digits only), not %s", n.Text)
	}
}
