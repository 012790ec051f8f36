package scenarios

import (
	"fmt"
	"strings"

	"gpusim/hardware/units"
	"gpusim/workloads/document"
)

// Strings is one text or a list of them.
type Strings []string

// DecodeNode reads either form.
func (s *Strings) DecodeNode(n *document.Node) error {
	switch n.Kind {
	case document.Scalar:
		*s = Strings{n.Text}
		return nil
	case document.List:
		list := make(Strings, 0, len(n.Items))
		for _, i := range n.Items {
			if i.Kind != document.Scalar {
				return i.Errorf("must be a text, not %s", i.Kind)
			}
			list = append(list, i.Text)
		}
		*s = list
		return nil
	}
	return n.Errorf("must be a text or a list of texts, not %s", n.Kind)
}

// EncodeNode writes one text as itself.
func (s Strings) EncodeNode() any {
	if len(s) == 1 {
		return s[0]
	}
	return []string(s)
}

// Part is one part of the policy: a word, or a mapping with the word as name
// and settings beside it.
type Part struct {
	Name   string
	Config any // settings, decoded by the table that knows the name
	node   *document.Node
}

// DecodeNode reads the name and keeps the node for the settings.
func (p *Part) DecodeNode(n *document.Node) error {
	p.node = n
	switch n.Kind {
	case document.Scalar:
		if n.Text == "" {
			return n.Errorf("is empty; write a word, or leave the key out")
		}
		p.Name = n.Text
		return nil
	case document.Map:
		name := n.Get("name")
		if name == nil || name.Kind != document.Scalar || name.Text == "" {
			return n.Errorf("needs a name: write it as a word, or as {name: word, ...}")
		}
		p.Name = name.Text
		return nil
	}
	return n.Errorf("must be a word or a mapping with a name, not %s", n.Kind)
}

// EncodeNode writes a word, or the name with all settings.
func (p Part) EncodeNode() any {
	if p.Config == nil {
		return p.Name
	}
	return document.Pairs{{Key: "name", Value: p.Name}, {Value: p.Config}}
}

// Ending is how a job ends by itself.
type Ending struct {
	Fail, Cancel *units.Duration
}

// DecodeNode reads ok, {fail_after: D} or {cancel_after: D}.
func (o *Ending) DecodeNode(n *document.Node) error {
	if n.Kind == document.Scalar {
		if n.Text == "ok" {
			return nil
		}
		if d, found := strings.CutPrefix(n.Text, "fail_after:"); found {
			return o.after(n, &o.Fail, d)
		}
		return n.Errorf("outcome %q is not known; write ok, {fail_after: 10m} or {cancel_after: 10m}", n.Text)
	}
	var m struct {
		Fail   *units.Duration `yaml:"fail_after"`
		Cancel *units.Duration `yaml:"cancel_after"`
	}
	if err := document.DecodeInto(n, &m); err != nil {
		return err
	}
	if (m.Fail == nil) == (m.Cancel == nil) {
		return n.Errorf("outcome needs one of fail_after and cancel_after")
	}
	o.Fail, o.Cancel = m.Fail, m.Cancel
	return nil
}

func (o *Ending) after(n *document.Node, to **units.Duration, text string) error {
	t, err := units.ParseDuration(text)
	if err != nil {
		return n.Errorf("outcome: %v", err)
	}
	d := units.Duration(t)
	*to = &d
	return nil
}

// EncodeNode writes what DecodeNode reads.
func (o Ending) EncodeNode() any {
	switch {
	case o.Fail != nil:
		return document.Pairs{{Key: "fail_after", Value: o.Fail}}
	case o.Cancel != nil:
		return document.Pairs{{Key: "cancel_after", Value: o.Cancel}}
	}
	return "ok"
}

const (
	maxElements = 1_000_000     // of one array
	maxElement  = 1_000_000_000 // largest number of an element
)

// arrayElements reads 0-3%2, 1,3,5 or 0-10:2%4: the elements in order and the
// throttle (0 = none).
func arrayElements(s string) (elements []int, throttle int, err error) {
	bad := func(why string) ([]int, int, error) {
		return nil, 0, fmt.Errorf("array %q %s; write it like 0-3, 0-3%%2, 1,3,5 or 0-10:2", s, why)
	}
	list, limit, limited := strings.Cut(s, "%")
	if limited {
		if n, err := fmt.Sscanf(limit+" ", "%d ", &throttle); n != 1 || err != nil || throttle < 1 || fmt.Sprint(throttle) != limit {
			return bad("has no throttle of 1 or more behind the %")
		}
	}
	seen := map[int]bool{}
	for _, part := range strings.Split(list, ",") {
		from, to, step := 0, 0, 1
		rng, st, stepped := strings.Cut(part, ":")
		lo, hi, ranged := strings.Cut(rng, "-")
		read := func(t string, to *int) bool {
			n, err := fmt.Sscanf(t+" ", "%d ", to)
			return n == 1 && err == nil && fmt.Sprint(*to) == t && *to >= 0 && *to <= maxElement
		}
		if !read(lo, &from) {
			return bad("is not a list of element numbers")
		}
		to = from
		if ranged && !read(hi, &to) || stepped && (!read(st, &step) || step < 1) || to < from {
			return bad("is not a list of element numbers")
		}
		if len(elements)+(to-from)/step >= maxElements {
			return bad("has more than a million elements")
		}
		for i := from; i <= to; i += step {
			if seen[i] {
				return bad(fmt.Sprintf("names element %d twice", i))
			}
			seen[i] = true
			elements = append(elements, i)
		}
	}
	return elements, throttle, nil
}
