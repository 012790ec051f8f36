package document

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gpusim/hardware/units"
)

// DescribeNode makes the union of marshal_test.go known to the schema.
func (either) DescribeNode() []any {
	return []any{"", Pairs{{Key: "n", Value: 0}}}
}

type policy struct {
	Order Part         `yaml:"order" doc:"who goes first"`
	Rates []units.Rate `yaml:"rates" doc:"link rates"`
	Modes []string     `yaml:"modes" enum:"fast,slow"`
	Size  uint         `yaml:"size" default:"1"`
	Ready bool         `yaml:"ready"`
	Later later        `yaml:"later"`
}

// Part is decoded elsewhere; only its forms matter here.
type Part struct{}

func (*Part) DecodeNode(*Node) error { return nil }

type later struct{}

func (*later) DecodeNode(*Node) error { return nil }

func compile(t *testing.T, v any, opt SchemaOptions) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(v, opt)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

// instance is a document as JSON would hold it.
func instance(n *Node) any {
	switch n.Kind {
	case List:
		l := make([]any, len(n.Items))
		for i, x := range n.Items {
			l[i] = instance(x)
		}
		return l
	case Map:
		m := map[string]any{}
		for i, k := range n.Keys {
			m[k.Text] = instance(n.Items[i])
		}
		return m
	case Null:
		return nil
	}
	if _, err := strconv.ParseFloat(n.Text, 64); err == nil && !n.Quoted && !strings.ContainsAny(n.Text, "xXpP_iInN") {
		return json.Number(n.Text)
	}
	if value, wrong := truth(n); !wrong {
		return value
	}
	return n.Text
}

func TestSchemaAgreesWithDecode(t *testing.T) {
	plain := compile(t, outer{}, SchemaOptions{ID: "https://example.org/scenario", Title: "Scenario"})
	parts := compile(t, &policy{}, SchemaOptions{Forms: map[string][]any{"order": {
		Doc{"by submission, or by service", Words{"fifo", "tiresias"}},
		Pattern("^plugin:"),
		Pairs{{Key: "name", Value: Words{"fifo"}}},
		Pairs{{Key: "name", Value: Words{"tiresias"}}, {Value: &struct {
			Queues []int `yaml:"queues" doc:"limits"`
		}{}}},
	}}})
	for _, c := range []struct {
		schema *jsonschema.Schema
		text   string
		ok     bool
	}{
		{plain, "name: a", true},
		{plain, "name: 1\nnodes: [{gpus: 8, limit: 90s}, {gpus: 0, limit: 20.5}]\nlabels: {a: b, c: 2}\nshare: 0.25\non: false\nx-note: [1]\nmode: fast", true},
		{plain, "nodes: []", false},
		{plain, "name: a\nnodes: [{gpu: 8}]", false},
		{plain, "name: a\nnodes: [{gpus: many}]", false},
		{plain, "name: a\nnodes: [{gpus: 8, limit: -5}]", false},
		{plain, "name: a\nnodes: {gpus: 8}", false},
		{plain, "name: a\nmode: quick", false},
		{plain, "name: a\nshare: 2", false},
		{plain, "name: a\non: yes", false},
		{plain, "name: [a]", false},
		{parts, "order: fifo\nrates: [900GB/s, 0]\nmodes: [fast]\nsize: 3\nready: true\nlater: {a: [1]}", true},
		{parts, "order: {name: fifo}", true},
		{parts, "order: {name: tiresias, queues: [1, 2]}", true},
		{parts, "order: filo", false},
		{parts, "order: plugin:mine", true},
		{parts, "order: 5", false},
		{parts, "order: {name: fifo, queues: [1]}", false},
		{parts, "order: {queues: [1]}", false},
		{parts, "rates: [900]", false},
		{parts, "rates: [900GB]", false},
		{parts, "modes: [quick]", false},
		{parts, "size: -1", false},
	} {
		n, err := Parse("f.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.schema.Validate(instance(n)); (err == nil) != c.ok {
			t.Errorf("%q: %v, want valid: %v", c.text, err, c.ok)
		}
		if c.schema != plain {
			continue
		}
		var o outer
		if err := Decode(n, &o); (err == nil) != c.ok {
			t.Errorf("%q: the schema says %v, decoding %v", c.text, c.ok, err)
		}
	}
}

// What Marshal writes is valid, whatever the values.
func TestMarshalledValuesAreValid(t *testing.T) {
	type flat struct { // everything, without the type that contains itself
		Text   string                 `yaml:"text"`
		Must   string                 `yaml:"must" required:"true"`
		Small  *int8                  `yaml:"small"`
		Bool   *bool                  `yaml:"bool"`
		Words  []string               `yaml:"words"`
		Time   units.Duration         `yaml:"time"`
		Memory *units.Bytes           `yaml:"memory"`
		Cores  map[string]units.Cores `yaml:"cores"`
		Either *either                `yaml:"either"`
	}
	s := compile(t, flat{}, SchemaOptions{})
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		e := random(r, 0)
		out, err := Marshal(flat{e.Text, e.Must, e.Small, e.Bool, e.Words, e.Time, e.Memory, e.Cores, e.Either})
		if err != nil {
			t.Fatal(err)
		}
		n, err := Parse("f.yaml", out)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(instance(n)); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

func TestSchemaText(t *testing.T) {
	text, err := Schema(policy{}, SchemaOptions{ID: "https://example.org/p", Title: "Policy"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"$schema": "https://json-schema.org/draft/2020-12/schema"`, `"$id": "https://example.org/p"`, `"description": "who goes first"`, `"default": "1"`, `"^x-": true`, `"900GB/s"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	again, _ := Schema(policy{}, SchemaOptions{ID: "https://example.org/p", Title: "Policy"})
	if !bytes.Equal(text, again) {
		t.Error("the schema differs from time to time")
	}
	type loop struct {
		Next []*everything `yaml:"next"`
	}
	if _, err := Schema(loop{}, SchemaOptions{}); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("a type that contains itself: %v", err)
	}
}
