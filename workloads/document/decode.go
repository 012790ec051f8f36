package document

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decoder is implemented by types that read themselves from a node: unions
// such as "a word or a mapping". The error may be an Error, Errors or plain;
// one without a path is shown behind the key it is about.
type Decoder interface {
	DecodeNode(n *Node) error
}

// Decode fills dst, a pointer to a struct, from a whole document and returns
// everything that is wrong with it as Errors. Struct tags: yaml:"key[,omitempty]",
// doc:"what it is", required:"true", enum:"a,b", default:"for the
// documentation only"; fields without a yaml tag are left alone, embedded
// structs are flattened, a pointer stays nil where its key is absent. Keys that
// begin with x- are ignored.
func Decode(n *Node, dst any) error { return decode(n, dst, true) }

// DecodeInto is Decode for a part of a document, where a key that begins with x-
// is a key like any other.
func DecodeInto(n *Node, dst any) error { return decode(n, dst, false) }

func decode(n *Node, dst any, top bool) error {
	d := decoder{whole: top, shapes: shapes{}}
	d.value(n, reflect.ValueOf(dst).Elem(), top)
	return d.errs.Sorted()
}

type decoder struct {
	errs   Errors
	whole  bool   // a whole document is read
	path   []step // of the value being read
	shapes shapes
}

// name is the path of the value being read, as messages call it.
func (d *decoder) name() string {
	switch {
	case len(d.path) > 0:
	case d.whole:
		return "the document"
	default:
		return "this"
	}
	return d.at()
}

func (d *decoder) at() string {
	var b strings.Builder
	for _, s := range d.path {
		b.WriteString(s.String())
	}
	return strings.TrimPrefix(b.String(), ".")
}

// fail notes an error; what is wrong follows the name of the value.
func (d *decoder) fail(n *Node, format string, args ...any) {
	d.failWhole(n, d.name()+" "+format, args...)
}

func (d *decoder) failWhole(n *Node, format string, args ...any) {
	e := n.Errorf(format, args...)
	e.Path = d.at()
	d.errs = append(d.errs, e)
}

// take adds the error of a value that reads itself.
func (d *decoder) take(n *Node, err error) {
	if err == nil {
		return
	}
	var one Error
	var many Errors
	switch {
	case errors.As(err, &many):
	case errors.As(err, &one):
		many = Errors{one}
	default:
		many = Errors{n.Errorf("%v", err)}
	}
	for _, e := range many {
		switch path := d.at(); {
		case e.Path != "" && path != "":
			e.Path = path + "." + e.Path
		case path != "":
			if !strings.HasPrefix(e.Message, path) {
				e.Message = path + ": " + e.Message
			}
			e.Path = path
		}
		d.errs = append(d.errs, e)
	}
}

// below reads a value one step further down.
func (d *decoder) below(s step, n *Node, v reflect.Value) {
	d.path = append(d.path, s)
	d.value(n, v, false)
	d.path = d.path[:len(d.path)-1]
}

func (d *decoder) value(n *Node, v reflect.Value, top bool) {
	if v.Kind() == reflect.Pointer {
		if n.Kind == Null {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(n, v.Elem(), top)
		return
	}
	if v.CanAddr() {
		switch u := v.Addr().Interface().(type) {
		case Decoder:
			d.take(n, u.DecodeNode(n))
			return
		case encoding.TextUnmarshaler:
			if n.Kind != Scalar {
				d.fail(n, "must be a single value, not %s", n.Kind)
			} else if err := u.UnmarshalText([]byte(n.Text)); err != nil {
				d.failWhole(n, "%s: %v", d.name(), err)
			}
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, v, top)
	case reflect.Slice:
		d.list(n, v)
	case reflect.Map:
		d.mapping(n, v)
	default:
		d.scalar(n, v)
	}
}

func (d *decoder) list(n *Node, v reflect.Value) {
	if n.Kind == Null {
		return
	}
	if n.Kind != List {
		d.fail(n, "must be a list, not %s", n.Kind)
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i, item := range n.Items {
		d.below(step{index: i}, item, s.Index(i))
	}
	v.Set(s)
}

func (d *decoder) mapping(n *Node, v reflect.Value) {
	if n.Kind == Null {
		return
	}
	if n.Kind != Map {
		d.fail(n, "must be a mapping, not %s", n.Kind)
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), len(n.Keys))
	for i, k := range n.Keys {
		e := reflect.New(v.Type().Elem()).Elem()
		d.below(step{key: k.Text}, n.Items[i], e)
		m.SetMapIndex(reflect.ValueOf(k.Text).Convert(v.Type().Key()), e)
	}
	v.Set(m)
}

func (d *decoder) structure(n *Node, v reflect.Value, top bool) {
	if n.Kind != Map {
		d.fail(n, "must be a mapping, not %s", n.Kind)
		return
	}
	s := d.shapes.of(v.Type())
	if s.at != nil {
		v.FieldByIndex(s.at).Set(reflect.ValueOf(At{n}))
	}
	var few [64]bool
	seen := few[:]
	if len(s.fields) > len(few) {
		seen = make([]bool, len(s.fields))
	}
	for i, k := range n.Keys {
		if top && strings.HasPrefix(k.Text, "x-") {
			continue
		}
		d.path = append(d.path, step{key: k.Text})
		if at := s.find(k.Text); at >= 0 {
			f := &s.fields[at]
			// A pointer that holds nothing is as good as missing; field complains of
			// others.
			seen[at] = n.Items[i].Kind != Null || f.typ.Kind() != reflect.Pointer
			d.field(n.Items[i], v, f)
		} else {
			d.failWhole(k, "%s", Unknown("key", d.at(), k.Text, s.keys()))
		}
		d.path = d.path[:len(d.path)-1]
	}
	for i := range s.fields {
		if f := &s.fields[i]; f.required && !seen[i] {
			d.path = append(d.path, step{key: f.key})
			d.fail(n, "is missing")
			d.path = d.path[:len(d.path)-1]
		}
	}
}

func (d *decoder) field(item *Node, v reflect.Value, f *field) {
	if item.Kind == Null && f.typ.Kind() != reflect.Pointer {
		if f.required {
			d.fail(item, "has no value; give one")
		} else {
			d.fail(item, "has no value; give one or leave the key out")
		}
		return
	}
	before := len(d.errs)
	d.value(item, v.FieldByIndex(f.index), false)
	if len(f.enum) == 0 || len(d.errs) > before {
		return
	}
	words := []*Node{item}
	if item.Kind == List {
		words = item.Items
	}
	for _, w := range words {
		if w.Kind == Scalar && !slices.Contains(f.enum, w.Text) {
			d.failWhole(w, "%s", Unknown("value", d.at()+": "+w.Text, w.Text, f.enum))
		}
	}
}

// words for what a kind of Go value takes, in people's words.
func word(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Interface, reflect.Chan, reflect.Func:
		panic(fmt.Sprintf("document: a field of kind %s cannot be read from YAML", k))
	}
	return "a whole number"
}
