package document

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Decoder is implemented by types that read themselves from a node: unions
// such as "a word or a mapping". The error may be an Error, Errors or plain.
type Decoder interface {
	DecodeNode(n *Node) error
}

// At, embedded in a struct, receives the node that the struct was read from, so
// that later checks can say where something stands.
type At struct{ Node *Node }

var atType = reflect.TypeOf(At{})

// Decode fills dst, a pointer to a struct, from a node and returns every error
// it finds. Struct tags: yaml:"key[,omitempty]", doc:"what it is",
// required:"true", enum:"a,b"; embedded structs are flattened, pointers are nil
// where the key is absent. At the top level keys that begin with x- are
// ignored.
func Decode(n *Node, dst any) error {
	d := decoder{}
	d.value(n, reflect.ValueOf(dst).Elem(), "", true)
	return d.errs.Sorted()
}

// DecodeInto is Decode for a part of a document.
func DecodeInto(n *Node, dst any) error {
	d := decoder{}
	d.value(n, reflect.ValueOf(dst).Elem(), "", false)
	return d.errs.Sorted()
}

type decoder struct{ errs Errors }

func (d *decoder) fail(n *Node, format string, args ...any) {
	d.errs = append(d.errs, n.Errorf(format, args...))
}

// take adds an error of another decoder.
func (d *decoder) take(n *Node, err error) {
	switch e := err.(type) {
	case nil:
	case Errors:
		d.errs = append(d.errs, e...)
	case Error:
		d.errs = append(d.errs, e)
	default:
		d.fail(n, "%v", err)
	}
}

func (d *decoder) value(n *Node, v reflect.Value, path string, top bool) {
	if v.Kind() == reflect.Pointer {
		if n.Kind == Null {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(n, v.Elem(), path, top)
		return
	}
	if v.CanAddr() {
		switch u := v.Addr().Interface().(type) {
		case Decoder:
			d.take(n, u.DecodeNode(n))
			return
		case encoding.TextUnmarshaler:
			if n.Kind != Scalar {
				d.fail(n, "%s must be a single value, not %s", name(path), n.Kind)
				return
			}
			if err := u.UnmarshalText([]byte(n.Text)); err != nil {
				d.fail(n, "%s: %v", name(path), err)
			}
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, v, path, top)
	case reflect.Slice:
		if n.Kind == Null {
			return
		}
		if n.Kind != List {
			d.fail(n, "%s must be a list, not %s", name(path), n.Kind)
			return
		}
		s := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
		for i, item := range n.Items {
			d.value(item, s.Index(i), fmt.Sprintf("%s[%d]", path, i), false)
		}
		v.Set(s)
	case reflect.Map:
		if n.Kind == Null {
			return
		}
		if n.Kind != Map {
			d.fail(n, "%s must be a mapping, not %s", name(path), n.Kind)
			return
		}
		m := reflect.MakeMapWithSize(v.Type(), len(n.Keys))
		for i, k := range n.Keys {
			e := reflect.New(v.Type().Elem()).Elem()
			d.value(n.Items[i], e, join(path, k.Text), false)
			m.SetMapIndex(reflect.ValueOf(k.Text), e)
		}
		v.Set(m)
	default:
		d.scalar(n, v, path)
	}
}

func (d *decoder) scalar(n *Node, v reflect.Value, path string) {
	if n.Kind != Scalar {
		d.fail(n, "%s must be %s, not %s", name(path), word(v.Kind()), n.Kind)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(n.Text)
	case reflect.Bool:
		switch {
		case n.Text == "true" && !n.Quoted:
			v.SetBool(true)
		case n.Text == "false" && !n.Quoted:
			v.SetBool(false)
		default:
			d.fail(n, "%s must be true or false, not %q", name(path), n.Text)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(strings.TrimPrefix(n.Text, "+"), 10, 64)
		if err != nil || v.OverflowInt(i) {
			d.whole(n, path)
			return
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := strconv.ParseUint(n.Text, 10, 64)
		if err != nil || v.OverflowUint(i) {
			d.whole(n, path)
			return
		}
		v.SetUint(i)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(n.Text, "xX_pP") {
			d.fail(n, "%s must be a number, not %q", name(path), n.Text)
			return
		}
		v.SetFloat(f)
	default:
		d.fail(n, "%s cannot be read", name(path))
	}
}

func (d *decoder) whole(n *Node, path string) {
	if _, err := strconv.ParseFloat(n.Text, 64); err == nil {
		d.fail(n, "%s must be a whole number in range, not %s", name(path), n.Text)
		return
	}
	d.fail(n, "%s must be a whole number, not %q", name(path), n.Text)
}

// field is one key of a struct.
type field struct {
	key       string
	index     []int
	required  bool
	omitempty bool
	doc       string
	enum      []string
	typ       reflect.Type
}

// fields lists the keys of a struct type in order, embedded ones in place.
func fields(t reflect.Type) []field {
	var fs []field
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if f.Type == atType {
			continue
		}
		if f.Anonymous && tag == "" {
			for _, sub := range fields(f.Type) {
				sub.index = append([]int{i}, sub.index...)
				fs = append(fs, sub)
			}
			continue
		}
		if tag == "" || tag == "-" {
			continue
		}
		x := field{key: tag, index: []int{i}, typ: f.Type, doc: f.Tag.Get("doc"),
			required: f.Tag.Get("required") == "true", omitempty: strings.Contains(opts, "omitempty")}
		if e := f.Tag.Get("enum"); e != "" {
			x.enum = strings.Split(e, ",")
		}
		fs = append(fs, x)
	}
	return fs
}

func (d *decoder) structure(n *Node, v reflect.Value, path string, top bool) {
	if n.Kind != Map {
		d.fail(n, "%s must be a mapping, not %s", name(path), n.Kind)
		return
	}
	fs := fields(v.Type())
	if f := v.FieldByName("At"); f.IsValid() && f.Type() == atType {
		f.Set(reflect.ValueOf(At{n}))
	}
	seen := map[string]bool{}
	for i, k := range n.Keys {
		if top && strings.HasPrefix(k.Text, "x-") {
			continue
		}
		at := -1
		for x := range fs {
			if fs[x].key == k.Text {
				at = x
			}
		}
		if at < 0 {
			keys := make([]string, len(fs))
			for x := range fs {
				keys[x] = fs[x].key
			}
			d.fail(k, "%s", Unknown("key", join(path, k.Text), k.Text, keys))
			continue
		}
		f := fs[at]
		seen[f.key] = true
		item := n.Items[i]
		if item.Kind == Null && f.typ.Kind() != reflect.Pointer {
			d.fail(item, "%s has no value; give one or leave the key out", join(path, f.key))
			continue
		}
		d.value(item, v.FieldByIndex(f.index), join(path, f.key), false)
		if len(f.enum) > 0 && item.Kind == Scalar {
			ok := false
			for _, e := range f.enum {
				ok = ok || e == item.Text
			}
			if !ok {
				d.fail(item, "%s", Unknown("value", join(path, f.key)+": "+item.Text, item.Text, f.enum))
			}
		}
	}
	for _, f := range fs {
		if f.required && !seen[f.key] {
			d.fail(n, "%s is missing", join(path, f.key))
		}
	}
}

// At returns the node of a key, or the node itself: where an error about the
// key belongs.
func (n *Node) At(key string) *Node {
	if k := n.Get(key); k != nil {
		return k
	}
	return n
}

// Unknown words the error for a word that is not known: the nearest known one
// where it is near, and all that are known.
func Unknown(kind, shown, word string, known []string) string {
	msg := fmt.Sprintf("unknown %s %q", kind, shown)
	if near := Nearest(word, known); near != "" {
		msg += fmt.Sprintf("; did you mean %s?", near)
	}
	sorted := append([]string(nil), known...)
	sort.Strings(sorted)
	return msg + " (known: " + strings.Join(sorted, ", ") + ")"
}

// Nearest returns the known word nearest to word, "" where none is near.
func Nearest(word string, known []string) string {
	best, dist := "", 2+len(word)/4
	for _, k := range known {
		if n := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k)); n < dist {
			best, dist = k, n
		}
	}
	return best
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func name(path string) string {
	if path == "" {
		return "this"
	}
	return path
}

func word(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
