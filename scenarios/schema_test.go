package scenarios

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gpusim/policies/order"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// schemaText is the schema as `gpusim schema` prints it.
func schemaText(t *testing.T) []byte {
	t.Helper()
	b, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// numeral is a number as YAML and JSON both write it.
var numeral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// asJSON is a document as an editor hands it to a validator.
func asJSON(n *document.Node) any {
	switch n.Kind {
	case document.List:
		l := make([]any, len(n.Items))
		for i, x := range n.Items {
			l[i] = asJSON(x)
		}
		return l
	case document.Map:
		m := map[string]any{}
		for i, k := range n.Keys {
			m[k.Text] = asJSON(n.Items[i])
		}
		return m
	case document.Null:
		return nil
	}
	switch {
	case n.Quoted:
	case n.Text == "true" || n.Text == "false":
		return n.Text == "true"
	case numeral.MatchString(n.Text):
		return json.Number(n.Text)
	}
	return n.Text
}

func parsed(t *testing.T, text string) *document.Node {
	t.Helper()
	n, err := document.Parse("scenario.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBuiltinScenariosAreValid(t *testing.T) {
	schema := compiledSchema(t)
	if len(BuiltinNames()) == 0 {
		t.Fatal("there are no built-in scenarios")
	}
	for _, name := range BuiltinNames() {
		data, _ := Builtin(name)
		if err := schema.Validate(asJSON(parsed(t, string(data)))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// So is what a run writes beside its results.
		s, err := Load(name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolved()
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(asJSON(parsed(t, string(resolved)))); err != nil {
			t.Errorf("%s, resolved: %v\n%s", name, err, resolved)
		}
	}
}

const plain = `apiVersion: gpusim/v1
kind: Scenario
name: plain
cluster: {nodes: [{name: n, gpus: 8}]}
workload: {jobs: [{id: a, duration: 1h, gpus: 1}]}
`

// with replaces one line of the plain scenario, or adds lines to it.
func with(lines string) string {
	key, _, _ := strings.Cut(lines, ":")
	var kept []string
	for _, l := range strings.SplitAfter(plain, "\n") {
		if !strings.HasPrefix(l, key+":") {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "") + lines + "\n"
}

// What the schema accepts and refuses, Load accepts and refuses too.
func TestSchemaAgreesWithLoad(t *testing.T) {
	schema := compiledSchema(t)
	for _, c := range []struct {
		name, lines string
		ok          bool
	}{
		{"plain", "name: plain", true},
		{"a name that is a number", "name: 7", true},
		{"an anchor's place", "x-nodes: &n [1, {a: b}]", true},
		{"a node type", "cluster: {nodes: [{count: 2, type: dgx-h100}]}", true},
		{"a node type in capitals", "cluster: {nodes: [{count: 2, type: DGX-H100}]}", true},
		{"a GPU nobody knows", "cluster: {nodes: [{name: n, gpu: Z9, gpus: 8, cpus: 1.5, memory: 80GiB, labels: {a: 1}}]}", true},
		{"a bare second", "horizon: 30", true},
		{"a list of types", "workload: {jobs: [{id: 1, duration: 1h, gpus: 1, gpu_type: [T4, A10]}]}", true},
		{"an outcome", "workload: {jobs: [{id: 1, duration: 1h, gpus: 1, outcome: {fail_after: 10m}}]}", true},
		{"the short outcome", "workload: {jobs: [{id: 1, duration: 1h, gpus: 1, outcome: fail_after:10m}]}", true},
		{"a policy of words", "policy: {order: fifo, backfill: easy, placement: best-fit, preemption: none, rounds: event}", true},
		{"a policy with settings", "policy: {order: {name: tiresias, queues: [3600, 36000]}, preemption: {name: checkpoint, interval: 1h}}", true},
		{"a mapping with a name only", "policy: {order: {name: sjf}}", true},
		{"settings left at defaults", "policy: {preemption: {name: kill}, order: las}", true},
		{"expectations", "expect: {jobs: {a: {start: 0s, nodes: [n], intervals: [[0s, 1h]], status: completed, reason: null}}, summary: {wait_s.mean: 0, makespan_s: {value: 3600, abs: 1}, gpu.idle_gpu_s: {min: 1, max: 1e9}, offered_load: null, x: {value: null}}}", true},
		{"reports", "reports: {tables: [jobs, attempts]}", true},

		{"an unknown version", "apiVersion: gpusim/v2", false},
		{"another kind", "kind: Scene", false},
		{"an unknown key", "workloads: {jobs: []}", false},
		{"an unknown key of a node", "cluster: {nodes: [{name: n, gpus: 8, cpu: 4}]}", false},
		{"x- below the top", "cluster: {nodes: [{name: n, gpus: 8, x-a: 4}]}", false},
		{"a word for a number", "cluster: {nodes: [{name: n, gpus: many}]}", false},
		{"half a GPU", "cluster: {nodes: [{name: n, gpus: 7.5}]}", false},
		{"memory without a unit", "cluster: {nodes: [{name: n, gpus: 8, memory: 80}]}", false},
		{"nodes that are no list", "cluster: {nodes: {name: n, gpus: 8}}", false},
		{"a job without an id", "workload: {jobs: [{duration: 1h, gpus: 1}]}", false},
		{"a job without a duration", "workload: {jobs: [{id: a, gpus: 1}]}", false},
		{"a negative duration", "workload: {jobs: [{id: a, duration: -5, gpus: 1}]}", false},
		{"an unknown kind of job", "workload: {jobs: [{id: a, duration: 1h, gpus: 1, kind: trainng}]}", false},
		{"a share of more than one GPU", "workload: {jobs: [{id: a, duration: 1h, gpu_fraction: 1.5}]}", false},
		{"an outcome with both ends", "workload: {jobs: [{id: a, duration: 1h, gpus: 1, outcome: {fail_after: 1m, cancel_after: 1m}}]}", false},
		{"a key of a later version", "faults: {events: []}", false},
		{"a trace without a path", "workload: {trace: {format: swf}}", false},
		{"an unknown format", "workload: {trace: {format: swff, path: x}}", false},
		{"nodes where jobs are wanted", "workload: {trace: {format: openb-nodes, path: x}}", false},
		{"a misspelt order", "policy: {order: fifi}", false},
		{"a misspelt backfill", "policy: {backfill: {name: eassy}}", false},
		{"settings of a word without any", "policy: {order: {name: fifo, quantum: 1h}}", false},
		{"settings of another word", "policy: {order: {name: tiresias, queues: [1], quantum: 1h}}", false},
		{"settings without a name", "policy: {order: {queues: [1]}}", false},
		{"a word that needs settings", "policy: {order: tiresias}", false},
		{"needed settings missing", "policy: {order: {name: tiresias, promote: 2}}", false},
		{"an unknown word for rounds", "policy: {rounds: often}", false},
		{"a word for a switch", "policy: {enforce_time_limits: yes}", false},
		{"bounds without any", "expect: {summary: {makespan_s: {abs: 1}}}", false},
		{"an unknown bound", "expect: {summary: {makespan_s: {value: 1, abz: 1}}}", false},
	} {
		text := with(c.lines)
		if err := schema.Validate(asJSON(parsed(t, text))); (err == nil) != c.ok {
			t.Errorf("%s: the schema says %v, want valid: %v", c.name, err, c.ok)
		}
		if _, err := Parse("scenario.yaml", ".", []byte(text), nil); (err == nil) != c.ok {
			t.Errorf("%s: Load says %v, want valid: %v", c.name, err, c.ok)
		}
	}
}

func TestSchemaDescribesEveryWord(t *testing.T) {
	text := schemaText(t)
	if !bytes.Equal(text, schemaText(t)) {
		t.Error("the schema differs from time to time")
	}
	var doc struct {
		Schema     string         `json:"$schema"`
		ID         string         `json:"$id"`
		Additional bool           `json:"additionalProperties"`
		Required   []string       `json:"required"`
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "https://json-schema.org/draft/2020-12/schema" || doc.ID == "" || doc.Additional || len(doc.Required) != 5 {
		t.Errorf("head of the schema: %q %q, additional %v, required %v", doc.Schema, doc.ID, doc.Additional, doc.Required)
	}
	for key, p := range doc.Properties {
		if m, ok := p.(map[string]any); !ok || m["description"] == "" || m["description"] == nil {
			t.Errorf("%s has no description", key)
		}
	}
	for _, e := range order.Table() {
		if !strings.Contains(string(text), `"description": "`+e.Doc+`"`) {
			t.Errorf("order %s is not described", e.Name)
		}
	}
	for _, f := range trace.Formats() {
		if !strings.Contains(string(text), `"`+f.Name+`"`) {
			t.Errorf("format %s is not there", f.Name)
		}
	}
}
