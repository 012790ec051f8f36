package scenarios

import (
	"math"
	"strconv"

	"gpusim/workloads/document"
)

// Expect is what must come out.
type Expect struct {
	document.At
	Jobs    map[string]Wanted      `yaml:"jobs" doc:"by job: start, end, nodes, intervals and any column of jobs"`
	Summary map[string]Expectation `yaml:"summary" doc:"by path in summary.json"`
}

// Wanted is what is expected of one job, column by column.
type Wanted struct{ node *document.Node }

// DecodeNode keeps the node; check reads it against the table.
func (w *Wanted) DecodeNode(n *document.Node) error {
	if n.Kind != document.Map {
		return n.Errorf("must be a mapping of columns, not %s", n.Kind)
	}
	w.node = n
	return nil
}

// EncodeNode writes it back.
func (w Wanted) EncodeNode() any { return raw(w.node) }

// Expectation is one figure: a number, null, or bounds.
type Expectation struct {
	Null     bool
	Text     string // a value that is not a number
	Value    *float64
	Abs, Rel *float64
	Min, Max *float64
	node     *document.Node
}

// DecodeNode reads a bare value, null, or {value, abs, rel, min, max}.
func (e *Expectation) DecodeNode(n *document.Node) error {
	e.node = n
	switch n.Kind {
	case document.Null:
		e.Null = true
		return nil
	case document.Scalar:
		if f, err := strconv.ParseFloat(n.Text, 64); err == nil && !n.Quoted && !math.IsNaN(f) && !math.IsInf(f, 0) {
			e.Value = &f
			return nil
		}
		e.Text = n.Text
		return nil
	case document.List:
		return n.Errorf("must be a number, null, or {value, abs, rel, min, max}, not a list")
	}
	var m struct {
		Value *float64 `yaml:"value"`
		Abs   *float64 `yaml:"abs"`
		Rel   *float64 `yaml:"rel"`
		Min   *float64 `yaml:"min"`
		Max   *float64 `yaml:"max"`
	}
	if v := n.Get("value"); v != nil && v.Kind == document.Null {
		e.Null = true
		return nil
	}
	if err := document.DecodeInto(n, &m); err != nil {
		return err
	}
	switch {
	case m.Value == nil && m.Min == nil && m.Max == nil:
		return n.Errorf("needs value, min or max")
	case m.Value == nil && (m.Abs != nil || m.Rel != nil):
		return n.Errorf("abs and rel are tolerances of value, which is missing")
	case m.Abs != nil && *m.Abs < 0 || m.Rel != nil && *m.Rel < 0:
		return n.Errorf("a tolerance must not be negative")
	}
	e.Value, e.Abs, e.Rel, e.Min, e.Max = m.Value, m.Abs, m.Rel, m.Min, m.Max
	return nil
}

// EncodeNode writes it back.
func (e Expectation) EncodeNode() any { return raw(e.node) }

// tolerance of a bare number, relative.
const tolerance = 1e-9

// holds compares a figure (nil = null) with what is expected and words what was
// wanted.
func (e *Expectation) holds(got *float64, text string) (ok bool, wanted string) {
	switch {
	case e.Null:
		return got == nil && text == "", "null"
	case e.Text != "":
		return text == e.Text, e.Text
	case got == nil:
		return false, e.words()
	}
	if e.Value != nil {
		d := math.Abs(*got - *e.Value)
		limit := tolerance * math.Abs(*e.Value)
		if e.Abs != nil || e.Rel != nil {
			limit = 0
		}
		if e.Abs != nil {
			limit = *e.Abs
		}
		if e.Rel != nil {
			limit = max(limit, *e.Rel*math.Abs(*e.Value))
		}
		if d > limit {
			return false, e.words()
		}
	}
	if e.Min != nil && *got < *e.Min || e.Max != nil && *got > *e.Max {
		return false, e.words()
	}
	return true, e.words()
}

func (e *Expectation) words() string {
	num := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	s := ""
	if e.Value != nil {
		s = num(*e.Value)
		if e.Abs != nil {
			s += " (abs " + num(*e.Abs) + ")"
		}
		if e.Rel != nil {
			s += " (rel " + num(*e.Rel) + ")"
		}
	}
	if e.Min != nil {
		s += " at least " + num(*e.Min)
	}
	if e.Max != nil {
		s += " at most " + num(*e.Max)
	}
	return s
}

// raw turns a node back into values that Marshal writes the same way.
func raw(n *document.Node) any {
	switch n.Kind {
	case document.Null:
		return (*string)(nil)
	case document.List:
		list := make([]any, len(n.Items))
		for i, x := range n.Items {
			list[i] = raw(x)
		}
		return list
	case document.Map:
		p := make(document.Pairs, len(n.Keys))
		for i, k := range n.Keys {
			p[i] = document.Pair{Key: k.Text, Value: raw(n.Items[i])}
		}
		return p
	}
	return document.Plain{Text: n.Text, Quoted: n.Quoted}
}
