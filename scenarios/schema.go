package scenarios

import (
	"gpusim/hardware/catalogue"
	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/policies/backfill"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/preemption"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// Schema is the JSON Schema of the scenario file, made of the tags of [Document]
// and the tables of policies, trace formats and hardware. What it accepts may
// still be wrong in ways that need more than one key to see; Load finds those.
func Schema() ([]byte, error) {
	cat, err := catalogue.Load()
	if err != nil {
		return nil, err
	}
	var gpus, types document.Words
	for _, g := range cat.GPUs() {
		gpus = append(gpus, g.ID)
	}
	for _, t := range cat.NodeTypes() {
		types = append(types, t.Name)
	}
	return document.Schema(&Document{}, document.SchemaOptions{
		ID:    "urn:gpusim:scenario:v1",
		Title: "gpusim scenario",
		Forms: map[string][]any{
			"policy.order":      partForms(order.Table()),
			"policy.backfill":   partForms(backfill.Table()),
			"policy.placement":  partForms(placement.Table()),
			"policy.preemption": partForms(preemption.Table()),

			"cluster.trace.format":  formatForms(true),
			"workload.trace.format": formatForms(false),

			// Other names are taken too: a GPU that nobody knows, another case.
			"cluster.nodes.gpu":  {gpus, ""},
			"cluster.nodes.type": {types, ""},
		},
	})
}

// partForms describes a part of the policy by its table: each word, where it
// needs no settings, and each word as the name of a mapping with its settings.
func partForms[T any](table []policies.Entry[T]) []any {
	var forms []any
	for _, e := range table {
		mapping := document.Pairs{{Key: "name", Value: document.Words{e.Name}}}
		alone := true
		if e.Config != nil {
			mapping = append(mapping, document.Pair{Value: e.Config()})
			alone = document.DecodeInto(&document.Node{Kind: document.Map}, e.Config()) == nil
		}
		if alone {
			forms = append(forms, document.Doc{Text: e.Doc, Form: document.Words{e.Name}})
		}
		forms = append(forms, document.Doc{Text: e.Doc, Form: mapping})
	}
	return forms
}

// formatForms lists the formats of traces of nodes, or of jobs.
func formatForms(nodes bool) []any {
	var forms []any
	for _, f := range trace.Formats() {
		if f.Nodes == nodes {
			forms = append(forms, document.Doc{Text: f.Doc, Form: document.Words{f.Name}})
		}
	}
	return forms
}

// DescribeNode is one text or a list of them.
func (s *Strings) DescribeNode() []any { return []any{"", []string{}} }

// DescribeNode is nothing: the key must not have a value.
func (*later) DescribeNode() []any { return []any{nil} }

// DescribeNode is ok, fail_after:D, {fail_after: D} or {cancel_after: D}.
func (o *Ending) DescribeNode() []any {
	return []any{
		document.Words{"ok"},
		document.Pattern("^fail_after:"),
		document.Doc{Text: "it fails after so much run time", Form: document.Pairs{{Key: "fail_after", Value: units.Duration(0)}}},
		document.Doc{Text: "its user cancels it after so much run time", Form: document.Pairs{{Key: "cancel_after", Value: units.Duration(0)}}},
	}
}

// DescribeNode is a mapping of columns.
func (w *Wanted) DescribeNode() []any { return []any{map[string]column{}} }

// column is what may be expected of a column of jobs: a value or null, a list
// (nodes), a list of stretches (intervals).
type column struct{}

// DescribeNode lists these forms.
func (*column) DescribeNode() []any {
	return []any{"", nil, []string{}, [][]units.Duration{}}
}

// DescribeNode is a value, null, or bounds.
func (e *Expectation) DescribeNode() []any {
	type tolerance struct {
		Abs float64 `yaml:"abs" doc:"how far it may be off"`
		Rel float64 `yaml:"rel" doc:"how far it may be off, as a part of the value"`
		Min float64 `yaml:"min" doc:"the least it may be"`
		Max float64 `yaml:"max" doc:"the most it may be"`
	}
	type upper struct {
		Max float64 `yaml:"max" doc:"the most it may be"`
	}
	return []any{
		"", nil,
		document.Pairs{{Key: "value", Value: nil}},
		document.Pairs{{Key: "value", Value: 0.0}, {Value: tolerance{}}},
		document.Pairs{{Key: "min", Value: 0.0}, {Value: upper{}}},
		document.Pairs{{Key: "max", Value: 0.0}},
	}
}
