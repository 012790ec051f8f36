package document

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"sort"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Pairs is a mapping whose keys keep their order.
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

// Encoder is implemented by unions: it returns what to write in their place.
type Encoder interface {
	EncodeNode() any
}

// Marshal writes a struct as YAML that decodes to the same value: keys in the
// order of the struct, map keys sorted; nil pointers, empty texts, lists and
// mappings, and zero values with omitempty are left out.
func Marshal(v any) ([]byte, error) {
	n, err := encode(reflect.ValueOf(v))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	if err := e.Close(); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

func encode(v reflect.Value) (*yaml.Node, error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return plain("null"), nil
		}
		if e, ok := v.Interface().(Encoder); ok {
			return encode(reflect.ValueOf(e.EncodeNode()))
		}
		v = v.Elem()
	}
	switch u := v.Interface().(type) {
	case Encoder:
		return encode(reflect.ValueOf(u.EncodeNode()))
	case Plain:
		n := plain(u.Text)
		if u.Quoted {
			n.Style = yaml.DoubleQuotedStyle
		}
		return n, nil
	case Pairs:
		n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		for _, p := range u {
			e, err := encode(reflect.ValueOf(p.Value))
			if err != nil {
				return nil, err
			}
			if p.Key == "" { // the keys of a struct, in place
				n.Content = append(n.Content, e.Content...)
				continue
			}
			n.Content = append(n.Content, text(p.Key), e)
		}
		return n, nil
	case encoding.TextMarshaler:
		b, err := u.MarshalText()
		if err != nil {
			return nil, err
		}
		return plain(string(b)), nil
	}
	switch v.Kind() {
	case reflect.String:
		return text(v.String()), nil
	case reflect.Bool:
		return plain(strconv.FormatBool(v.Bool())), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return plain(strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain(strconv.FormatUint(v.Uint(), 10)), nil
	case reflect.Float32, reflect.Float64:
		return plain(strconv.FormatFloat(v.Float(), 'g', -1, 64)), nil
	case reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		flow := true
		for i := 0; i < v.Len(); i++ {
			k, err := encode(v.Index(i))
			if err != nil {
				return nil, err
			}
			flow = flow && k.Kind == yaml.ScalarNode
			n.Content = append(n.Content, k)
		}
		if flow {
			n.Style = yaml.FlowStyle
		}
		return n, nil
	case reflect.Map:
		n := &yaml.Node{Kind: yaml.MappingNode}
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, k := range keys {
			e, err := encode(v.MapIndex(k))
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, text(k.String()), e)
		}
		return n, nil
	case reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range fields(v.Type()) {
			x := v.FieldByIndex(f.index)
			if (x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface) && x.IsNil() {
				continue
			}
			// An empty text, list, mapping or struct says the same as no key.
			empty := false
			switch x.Kind() {
			case reflect.String, reflect.Slice, reflect.Map:
				empty = x.Len() == 0
			case reflect.Struct:
				empty = x.IsZero()
			}
			if empty || f.omitempty && x.IsZero() {
				continue
			}
			e, err := encode(x)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, text(f.key), e)
		}
		return n, nil
	}
	return nil, fmt.Errorf("a %s cannot be written as YAML", v.Kind())
}
