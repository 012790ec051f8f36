package document

import (
	"reflect"
	"strings"
)

// At, embedded in a struct, receives the node that the struct was read from, so
// that later checks can say where something stands.
type At struct{ Node *Node }

var (
	atType   = reflect.TypeFor[At]()
	unserved = reflect.TypeFor[Unserved]()
)

// field is one key of a struct.
type field struct {
	key       string
	index     []int
	typ       reflect.Type
	required  bool
	omitempty bool
	doc       string
	fallback  string // the default tag: documentation only
	enum      []string
}

// shape is what the tags of a struct say.
type shape struct {
	fields []field // in order, embedded ones in place
	at     []int   // index of At, nil if there is none
}

// find returns the field of a key, nil if there is none.
func (s *shape) find(key string) int {
	for i := range s.fields {
		if s.fields[i].key == key {
			return i
		}
	}
	return -1
}

func (s *shape) keys() []string {
	var keys []string
	for i := range s.fields {
		if !s.fields[i].typ.Implements(unserved) {
			keys = append(keys, s.fields[i].key)
		}
	}
	return keys
}

// Unserved is implemented by the types of keys that a format has but that are
// refused; they are not offered to a person who misspells another.
type Unserved interface{ Unserved() }

// shapes remembers the shapes of struct types, which cost much to read.
type shapes map[reflect.Type]*shape

func (m shapes) of(t reflect.Type) *shape {
	s, ok := m[t]
	if !ok {
		s = &shape{fields: fields(t)}
		if f, ok := t.FieldByName("At"); ok && f.Type == atType {
			s.at = f.Index
		}
		m[t] = s
	}
	return s
}

func fields(t reflect.Type) []field {
	var fs []field
	for i := range t.NumField() {
		f := t.Field(i)
		key, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case f.Type == atType || key == "-":
			continue
		case f.Anonymous && key == "" && f.Type.Kind() == reflect.Struct:
			for _, sub := range fields(f.Type) {
				sub.index = append([]int{i}, sub.index...)
				fs = append(fs, sub)
			}
			continue
		case key == "":
			continue
		}
		x := field{
			key: key, index: []int{i}, typ: f.Type, omitempty: opts == "omitempty",
			required: f.Tag.Get("required") == "true", doc: f.Tag.Get("doc"), fallback: f.Tag.Get("default"),
		}
		if e := f.Tag.Get("enum"); e != "" {
			x.enum = strings.Split(e, ",")
		}
		fs = append(fs, x)
	}
	return fs
}
