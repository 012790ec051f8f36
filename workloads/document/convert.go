package document

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

var tooDeep = fmt.Sprintf("is nested deeper than %d levels", maxDepth)

// converter turns YAML nodes into ours.
type converter struct {
	file    string
	errs    Errors
	open    []*yaml.Node // anchors being expanded
	aliased int          // nodes reached through anchors
	limit   int          // of aliased
	anchors bool         // the document has anchors
	slab    []Node       // nodes not yet given out
}

func newConverter(file string, root *yaml.Node) *converter {
	c := &converter{file: file}
	own := c.count(root, 0)
	c.limit = max(maxAliased, own)
	return c
}

// count returns the number of nodes written in the document.
func (c *converter) count(y *yaml.Node, depth int) int {
	n := 1
	c.anchors = c.anchors || y.Anchor != ""
	if depth <= maxDepth {
		for _, k := range y.Content {
			n += c.count(k, depth+1)
		}
	}
	return n
}

func (c *converter) node(y *yaml.Node) *Node {
	if len(c.slab) == 0 {
		c.slab = make([]Node, 256)
	}
	n := &c.slab[0]
	c.slab = c.slab[1:]
	n.File, n.Line, n.Column = c.file, y.Line, y.Column
	return n
}

func (c *converter) fail(y *yaml.Node, format string, args ...any) *Node {
	c.errs = append(c.errs, Error{File: c.file, Line: y.Line, Column: y.Column, Message: fmt.Sprintf(format, args...)})
	n := c.node(y)
	n.Kind = Null
	return n
}

func (c *converter) convert(y *yaml.Node, depth int, aliased bool) *Node {
	if depth > maxDepth {
		return c.fail(y, "%s", tooDeep)
	}
	if aliased {
		if c.aliased++; c.aliased == c.limit+1 {
			return c.fail(y, "anchors expand to more than %d values; write fewer *aliases", c.limit)
		}
	}
	if len(c.errs) > 100 || c.aliased > c.limit {
		n := c.node(y)
		n.Kind = Null
		return n
	}
	if y.Kind == yaml.AliasNode {
		for _, o := range c.open {
			if o == y.Alias {
				return c.fail(y, "anchor %s contains itself", y.Value)
			}
		}
		c.open = append(c.open, y.Alias)
		n := c.convert(y.Alias, depth+1, true)
		c.open = c.open[:len(c.open)-1]
		return n
	}
	if !known(y) {
		return c.fail(y, "tag %s is not known here; remove it", y.Tag)
	}
	n := c.node(y)
	if y.Anchor != "" && y.Kind != yaml.ScalarNode {
		c.open = append(c.open, y)
		defer func() { c.open = c.open[:len(c.open)-1] }()
	}
	switch y.Kind {
	case yaml.ScalarNode:
		n.Text = y.Value
		n.Quoted = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if y.Tag == "!!null" && !n.Quoted {
			n.Kind = Null
		}
	case yaml.SequenceNode:
		n.Kind = List
		n.Items = make([]*Node, len(y.Content))
		for i, k := range y.Content {
			n.Items[i] = c.convert(k, depth+1, aliased)
		}
	case yaml.MappingNode:
		n.Kind = Map
		c.mapping(n, y, depth, aliased)
	}
	if !c.anchors {
		y.Content = nil // nobody comes back to it: large documents need the memory
	}
	return n
}

// known reports whether a node has one of YAML's own tags.
func known(y *yaml.Node) bool {
	switch y.Tag {
	case "", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!seq", "!!map", "!!merge":
		return true
	}
	return false
}

func (c *converter) mapping(n *Node, y *yaml.Node, depth int, aliased bool) {
	var merged []*Node
	n.Keys = make([]*Node, 0, len(y.Content)/2)
	n.Items = make([]*Node, 0, len(y.Content)/2)
	seen := newKeys(len(y.Content) / 2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			c.fail(k, "a key must be a single word")
			continue
		}
		if k.Tag == "!!merge" {
			m := c.convert(v, depth+1, aliased)
			if m.Kind == List {
				merged = append(merged, m.Items...)
			} else {
				merged = append(merged, m)
			}
			continue
		}
		if first := seen.find(n, k.Value); first != nil {
			c.fail(k, "key %q is already set in line %d, column %d", k.Value, first.Line, first.Column)
			continue
		}
		key := c.node(k)
		key.Text = k.Value
		seen.add(n, key)
		n.Items = append(n.Items, c.convert(v, depth+1, aliased))
	}
	for _, m := range merged {
		if m.Kind != Map {
			if m.Kind != Null {
				c.errs = append(c.errs, m.Errorf("<< needs a mapping or a list of mappings, not %s", m.Kind))
			}
			continue
		}
		for i, k := range m.Keys {
			if seen.find(n, k.Text) == nil {
				seen.add(n, k)
				n.Items = append(n.Items, m.Items[i])
			}
		}
	}
}

// keys finds keys of a mapping under construction: by looking at all where they
// are few, else by a map.
type keys struct{ index map[string]*Node }

func newKeys(n int) keys {
	if n > 32 {
		return keys{make(map[string]*Node, n)}
	}
	return keys{}
}

func (k keys) find(n *Node, text string) *Node {
	if k.index != nil {
		return k.index[text]
	}
	for _, x := range n.Keys {
		if x.Text == text {
			return x
		}
	}
	return nil
}

func (k keys) add(n, key *Node) {
	n.Keys = append(n.Keys, key)
	if k.index != nil {
		k.index[key.Text] = key
	}
}
