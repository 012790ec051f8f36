package document

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Encoder is implemented by unions: it returns what to write in their place.
type Encoder interface {
	EncodeNode() any
}

// Pairs is a mapping whose keys keep their order, for Encoders.
type Pairs []Pair

// Pair is one key and value of Pairs. With the empty Key, the keys of the struct
// in Value stand in its place.
type Pair struct {
	Key   string
	Value any
}

// Plain is a scalar to be written as it was read.
type Plain struct {
	Text   string
	Quoted bool
}

// Marshal writes a struct as YAML that Decode reads back to the same value:
// keys in the order of the struct, keys of maps sorted. Left out are nil
// pointers, lists and maps, and, unless the key is required, empty texts and
// zero structs; with omitempty also zero numbers and empty lists.
func Marshal(v any) ([]byte, error) {
	e := encoder{shapes: shapes{}}
	n, err := e.encode(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	var b bytes.Buffer
	w := yaml.NewEncoder(&b)
	w.SetIndent(2)
	if err := w.Encode(n); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

type encoder struct{ shapes shapes }

// text is a scalar that reads back as the text s, in quotes where YAML would
// take it for something else.
func text(s string) (*yaml.Node, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("the text %q is not UTF-8", s)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	odd := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "<<" || strings.TrimSpace(s) != s || strings.ContainsFunc(s, odd) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n, nil
}

// oldTruth reports words that are texts here, but true or false to programs
// that read YAML 1.1.
func oldTruth(s string) bool {
	switch strings.ToLower(s) {
	case "y", "yes", "on", "n", "no", "off":
		return true
	}
	return false
}

// plain is a scalar without quotes.
func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// quantity is the text of a type that writes itself: bare where it is a number,
// as people would write it.
func quantity(u encoding.TextMarshaler) (*yaml.Node, error) {
	b, err := u.MarshalText()
	if err != nil {
		return nil, err
	}
	if _, err := strconv.ParseFloat(string(b), 64); err == nil {
		return plain(string(b)), nil
	}
	return text(string(b))
}

func (e *encoder) encode(v reflect.Value) (*yaml.Node, error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return plain("null"), nil
		}
		if u, ok := v.Interface().(Encoder); ok {
			return e.encode(reflect.ValueOf(u.EncodeNode()))
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return plain("null"), nil
	}
	switch u := v.Interface().(type) {
	case Encoder:
		return e.encode(reflect.ValueOf(u.EncodeNode()))
	case Plain:
		n := plain(u.Text)
		if u.Quoted {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n, nil
	case Pairs:
		return e.pairs(u)
	case encoding.TextMarshaler:
		return quantity(u)
	}
	switch v.Kind() {
	case reflect.String:
		n, err := text(v.String())
		if err == nil && oldTruth(n.Value) {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n, err
	case reflect.Bool:
		return plain(strconv.FormatBool(v.Bool())), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return plain(strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain(strconv.FormatUint(v.Uint(), 10)), nil
	case reflect.Float32, reflect.Float64:
		return plain(strconv.FormatFloat(v.Float(), 'g', -1, 64)), nil
	case reflect.Slice:
		return e.list(v)
	case reflect.Map:
		return e.mapping(v)
	case reflect.Struct:
		return e.structure(v)
	}
	return nil, fmt.Errorf("a %s cannot be written", v.Kind())
}

func (e *encoder) list(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range v.Len() {
		k, err := e.encode(v.Index(i))
		if err != nil {
			return nil, err
		}
		if k.Kind != yaml.ScalarNode {
			n.Style = 0 // only lists of words and numbers stand on one line
		}
		n.Content = append(n.Content, k)
	}
	return n, nil
}

func (e *encoder) pair(n *yaml.Node, key string, value reflect.Value) error {
	k, err := text(key)
	if err != nil {
		return err
	}
	v, err := e.encode(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	n.Content = append(n.Content, k, v)
	return nil
}

func (e *encoder) pairs(pairs Pairs) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for _, p := range pairs {
		if p.Key != "" {
			if err := e.pair(n, p.Key, reflect.ValueOf(p.Value)); err != nil {
				return nil, err
			}
			continue
		}
		inner, err := e.encode(reflect.ValueOf(p.Value))
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, inner.Content...)
	}
	return n, nil
}

func (e *encoder) mapping(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	if v.Len() == 0 {
		n.Style = yaml.FlowStyle
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys {
		if err := e.pair(n, k.String(), v.MapIndex(k)); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (e *encoder) structure(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	s := e.shapes.of(v.Type())
	for i := range s.fields {
		f := &s.fields[i]
		x := v.FieldByIndex(f.index)
		if leftOut(f, x) {
			continue
		}
		if err := e.pair(n, f.key, x); err != nil {
			return nil, err
		}
	}
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n, nil
}

// leftOut reports whether no key says the same as the value. A list or map that
// is empty but there is not the same as none.
func leftOut(f *field, x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if x.IsNil() {
			return true
		}
		if k := x.Kind(); k == reflect.Slice || k == reflect.Map {
			return f.omitempty && x.Len() == 0
		}
	case reflect.String, reflect.Struct:
		return !f.required && x.IsZero()
	}
	return f.omitempty && !f.required && x.IsZero()
}
