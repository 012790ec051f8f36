package document

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// Describer is implemented by unions: it returns one value for each form that
// the type takes, and the schema accepts what any of them stands for. A text is
// "", a list of texts []string{}, a mapping a struct or Pairs, nothing nil; see
// Words, Pattern, Any and Doc.
type Describer interface {
	DescribeNode() []any
}

// Words stands, in a description, for one of these words.
type Words []string

// Pattern stands, in a description, for the texts that match this regular
// expression somewhere.
type Pattern string

// Any stands, in a description, for every value.
type Any struct{}

// Doc adds, in a description, what a form means.
type Doc struct {
	Text string
	Form any
}

// SchemaOptions say what a schema says of itself.
type SchemaOptions struct {
	ID, Title string
	// Forms are the forms of the value at a path (policy.order; lists and the
	// keys of maps add nothing to it), instead of those its type describes: as
	// Describer returns them.
	Forms map[string][]any
}

// Schema returns the JSON Schema (draft 2020-12) of the documents that Decode
// takes into a struct such as v, indented. A type that decodes itself and is no
// Describer accepts everything.
func Schema(v any, opt SchemaOptions) ([]byte, error) {
	d := describer{opt: opt, shapes: shapes{}}
	s, err := d.typ(reflect.TypeOf(v), "", 0)
	if err != nil {
		return nil, fmt.Errorf("describing the document: %w", err)
	}
	s.Version, s.ID, s.Title = jsonschema.Version, jsonschema.ID(opt.ID), opt.Title
	s.PatternProperties = map[string]*jsonschema.Schema{"^x-": jsonschema.TrueSchema}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return append(b, '\n'), nil
}

type describer struct {
	opt    SchemaOptions
	shapes shapes
}

var (
	describerType   = reflect.TypeFor[Describer]()
	decoderType     = reflect.TypeFor[Decoder]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// typ describes what a type takes.
func (d *describer) typ(t reflect.Type, path string, depth int) (*jsonschema.Schema, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: the type contains itself", path)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if forms, ok := d.opt.Forms[path]; ok && path != "" {
		return d.forms(forms, path, depth)
	}
	switch to := reflect.PointerTo(t); {
	case to.Implements(describerType):
		return d.forms(reflect.New(t).Interface().(Describer).DescribeNode(), path, depth)
	case to.Implements(decoderType):
		return &jsonschema.Schema{}, nil
	case to.Implements(unmarshalerType):
		return quantitySchema(t), nil
	}
	switch t.Kind() {
	case reflect.String:
		return types("string", "number", "boolean"), nil // 1 and true are texts where a text is wanted
	case reflect.Bool:
		return types("boolean"), nil
	case reflect.Float32, reflect.Float64:
		return types("number"), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return types("integer"), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s := types("integer")
		s.Minimum = "0"
		return s, nil
	case reflect.Slice:
		item, err := d.typ(t.Elem(), path, depth+1)
		s := types("array")
		s.Items = item
		return s, err
	case reflect.Map:
		item, err := d.typ(t.Elem(), path, depth+1)
		s := types("object")
		s.AdditionalProperties = item
		return s, err
	case reflect.Struct:
		s := object()
		return s, d.structure(s, t, path, depth)
	}
	return nil, fmt.Errorf("%s: a %s cannot be described", path, t.Kind())
}

// structure adds the keys of a struct to an object.
func (d *describer) structure(s *jsonschema.Schema, t reflect.Type, path string, depth int) error {
	for _, f := range d.shapes.of(t).fields {
		at := strings.TrimPrefix(path+"."+f.key, ".")
		p, err := d.typ(f.typ, at, depth+1)
		if err != nil {
			return err
		}
		if len(f.enum) > 0 {
			words := wordsSchema(f.enum)
			if p.Items != nil {
				p.Items = words
			} else {
				p = words
			}
		}
		if f.doc != "" {
			p.Description = f.doc
		}
		if f.fallback != "" {
			p.Default = f.fallback
		}
		s.Properties.Set(f.key, p)
		if f.required {
			s.Required = append(s.Required, f.key)
		}
	}
	return nil
}

// forms describes a value that has several forms.
func (d *describer) forms(forms []any, path string, depth int) (*jsonschema.Schema, error) {
	var all []*jsonschema.Schema
	for _, f := range forms {
		s, err := d.form(f, path, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return &jsonschema.Schema{AnyOf: all}, nil
}

func (d *describer) form(f any, path string, depth int) (*jsonschema.Schema, error) {
	switch f := f.(type) {
	case nil:
		return types("null"), nil
	case Any:
		return &jsonschema.Schema{}, nil
	case Words:
		return wordsSchema(f), nil
	case Pattern:
		s := types("string")
		s.Pattern = string(f)
		return s, nil
	case Doc:
		s, err := d.form(f.Form, path, depth+1)
		if err == nil {
			s.Description = f.Text
		}
		return s, err
	case Pairs:
		s := object()
		for _, p := range f {
			if p.Key == "" {
				t := reflect.TypeOf(p.Value)
				for t.Kind() == reflect.Pointer {
					t = t.Elem()
				}
				if err := d.structure(s, t, path, depth); err != nil {
					return nil, err
				}
				continue
			}
			v, err := d.form(p.Value, path+"."+p.Key, depth+1)
			if err != nil {
				return nil, err
			}
			s.Properties.Set(p.Key, v)
			s.Required = append(s.Required, p.Key)
		}
		return s, nil
	}
	inner := describer{opt: SchemaOptions{}, shapes: d.shapes} // the path's forms are being described
	return inner.typ(reflect.TypeOf(f), path, depth)
}

// types is a schema of values of these types.
func types(names ...string) *jsonschema.Schema {
	if len(names) == 1 {
		return &jsonschema.Schema{Type: names[0]}
	}
	return &jsonschema.Schema{Extras: map[string]any{"type": names}}
}

// object is a schema of mappings without keys yet, and without others.
func object() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
}

func wordsSchema(words []string) *jsonschema.Schema {
	s := types("string")
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}
