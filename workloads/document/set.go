package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Set changes the value at a path such as policy.backfill,
// cluster.nodes[0].gpus or expect.summary."wait_s.mean"; missing mappings are
// made, and a word on the way becomes {name: word}. The value is read as YAML.
// Errors carry "--set PATH" as their file and no line.
func (n *Node) Set(path, value string) error {
	file := "--set " + path
	bad := func(format string, args ...any) error {
		return Errors{{File: file, Path: path, Message: fmt.Sprintf(format, args...)}}
	}
	steps, err := split(path)
	if err != nil {
		return bad("%v", err)
	}
	v := &Node{Kind: Scalar, Quoted: true, File: file}
	if strings.TrimSpace(value) != "" {
		if v, err = parse(file, []byte(value)); err != nil {
			return bad("the value %q: %s", value, messages(err))
		}
		forget(v)
	}
	at, where := n, ""
	for i, s := range steps {
		slot, why := at.slot(s, i > 0, file)
		if slot == nil {
			if where == "" {
				where = "the document"
			}
			return bad("%s %s", where, why)
		}
		if i == len(steps)-1 {
			*slot = v
			return nil
		}
		at, where = *slot, strings.TrimPrefix(where+s.String(), ".")
	}
	return nil
}

// slot returns the place of a step's value below the node, making it where it
// can; nil and the reason where it cannot.
func (n *Node) slot(s step, mayName bool, file string) (slot **Node, why string) {
	if s.key == "" {
		switch {
		case n.Kind != List:
			return nil, fmt.Sprintf("is %s, not a list", n.Kind)
		case s.index >= len(n.Items):
			return nil, fmt.Sprintf("has no item %d; it has %d, counted from 0", s.index, len(n.Items))
		}
		return &n.Items[s.index], ""
	}
	switch {
	case n.Kind == Null:
		n.Kind = Map
	case n.Kind == Scalar && mayName:
		word := *n
		*n = Node{Kind: Map, File: n.File, Line: n.Line, Column: n.Column, Keys: []*Node{{Text: "name", File: file}}, Items: []*Node{&word}}
	case n.Kind != Map:
		return nil, fmt.Sprintf("is %s, not a mapping", n.Kind)
	}
	for i, k := range n.Keys {
		if k.Text == s.key {
			return &n.Items[i], ""
		}
	}
	n.Keys = append(n.Keys, &Node{Text: s.key, File: file})
	n.Items = append(n.Items, &Node{Kind: Null, File: file})
	return &n.Items[len(n.Items)-1], ""
}

// forget removes the lines of a value that stands in no file.
func forget(n *Node) {
	n.Line, n.Column = 0, 0
	for _, k := range n.Keys {
		forget(k)
	}
	for _, k := range n.Items {
		forget(k)
	}
}

func messages(err error) string {
	es, ok := err.(Errors)
	if !ok {
		return err.Error()
	}
	var m []string
	for _, e := range es {
		m = append(m, e.Message)
	}
	return strings.Join(m, "; ")
}

// step is one part of a path: a key, or an index where the key is empty.
type step struct {
	key   string
	index int
}

func (s step) String() string {
	if s.key == "" {
		return fmt.Sprintf("[%d]", s.index)
	}
	return "." + s.key
}

// split reads a.b[2]."c.d".
func split(path string) ([]step, error) {
	bad := fmt.Errorf("is not a path; write it like policy.backfill or cluster.nodes[0].gpus")
	var steps []step
	for rest := path; rest != "" || len(steps) == 0; {
		var key string
		if after, quoted := strings.CutPrefix(rest, `"`); quoted {
			var ok bool
			if key, rest, ok = strings.Cut(after, `"`); !ok {
				return nil, bad
			}
		} else {
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			key, rest = rest[:end], rest[end:]
		}
		if key == "" || strings.Contains(key, "]") {
			return nil, bad
		}
		steps = append(steps, step{key: key})
		for strings.HasPrefix(rest, "[") {
			num, after, ok := strings.Cut(rest[1:], "]")
			i, err := strconv.Atoi(num)
			if !ok || err != nil || i < 0 {
				return nil, bad
			}
			steps = append(steps, step{index: i})
			rest = after
		}
		if rest == "" {
			break
		}
		after, dot := strings.CutPrefix(rest, ".")
		if !dot || after == "" {
			return nil, bad
		}
		rest = after
	}
	return steps, nil
}
