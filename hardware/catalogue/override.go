package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Override changes an entry or adds one.
type Override struct {
	ID   string // of the entry; one that is not known is added
	Like string // a new entry starts as a copy of this one; "" = of nothing
	// Figures are the figures that change, by name of the field; an empty text
	// makes one unknown.
	Figures map[string]string
	Source  string // where the user has them from, "" where he does not say
}

// With returns a catalogue in which these GPUs and node types are changed or
// added, in order. The old one stays as it is.
func (c *Catalogue) With(gpus, nodes []Override) (*Catalogue, error) {
	n := *c
	n.gpus, n.nodes = slices.Clone(c.gpus), slices.Clone(c.nodes)
	for _, o := range gpus {
		if err := n.setGPU(&o); err != nil {
			return nil, fmt.Errorf("GPU %s: %w", o.ID, err)
		}
	}
	for _, o := range nodes {
		if err := n.setNodeType(&o); err != nil {
			return nil, fmt.Errorf("node type %s: %w", o.ID, err)
		}
	}
	return &n, nil
}

func (c *Catalogue) setGPU(o *Override) error {
	var start GPU
	at, known := c.gpuIndex[strings.ToLower(o.ID)]
	switch {
	case known:
		start = c.gpus[at]
	case o.Like != "":
		var err error
		if start, err = c.FindGPU(o.Like); err != nil {
			return err
		}
	}
	values, err := o.apply(c.gpuFields, start.Fields, "id", known)
	if err != nil {
		return err
	}
	g := newGPU(values, start.Notes)
	if known {
		c.gpus[at] = g
	} else {
		c.gpus = append(c.gpus, g)
	}
	return c.index()
}

func (c *Catalogue) setNodeType(o *Override) error {
	var start NodeType
	at, known := c.nodeIndex[strings.ToLower(o.ID)]
	switch {
	case known:
		start = c.nodes[at]
	case o.Like != "":
		var err error
		if start, err = c.FindNodeType(o.Like); err != nil {
			return err
		}
	}
	values, err := o.apply(c.nodeFields, start.Fields, "name", known)
	if err != nil {
		return err
	}
	t, err := newNodeType(values)
	if err != nil {
		return err
	}
	if known {
		c.nodes[at] = t
	} else {
		c.nodes = append(c.nodes, t)
	}
	return c.index()
}

// apply returns the figures of an entry after the change. own is the field that
// holds its name; names that would be shared with the entry it is like are
// dropped.
func (o *Override) apply(fields []Field, start []Value, own string, known bool) ([]Value, error) {
	if o.ID == "" {
		return nil, fmt.Errorf("it has no id")
	}
	if known && o.Like != "" {
		return nil, fmt.Errorf("only a new entry can be like another, and this one is known")
	}
	left := len(o.Figures)
	values := make([]Value, 0, len(fields))
	for _, f := range fields {
		v := find(start, f.Name)
		v.Field = f
		text, changed := o.Figures[f.Name]
		if changed {
			left--
		}
		var err error
		switch {
		case f.Name == own && changed:
			return nil, fmt.Errorf("%s cannot be changed", own)
		case f.Name == own && !known:
			v, err = f.value(o.ID, Given, o.Source)
		case changed:
			v, err = f.value(text, Given, o.Source)
		case !known && (f.Name == "smi_name" || f.Name == "alias"):
			v = Value{Field: f}
		}
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	if left > 0 {
		return nil, o.unknownFigure(fields)
	}
	return values, nil
}

// unknownFigure is the error for the first figure, by name, that does not exist.
func (o *Override) unknownFigure(fields []Field) error {
	var names, wrong []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	for name := range o.Figures {
		if !slices.Contains(names, name) {
			wrong = append(wrong, name)
		}
	}
	first := slices.Min(wrong)
	near, _ := nearest(first, names)
	return unknown("figure", first, near, names)
}
