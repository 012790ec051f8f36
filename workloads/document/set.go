package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Set changes the value at a path such as policy.backfill or
// cluster.nodes[0].gpus; missing mappings are made. The value is read as YAML.
// Errors name the setting.
func (n *Node) Set(path, value string) error {
	file := "--set " + path
	var v *Node
	if strings.TrimSpace(value) == "" {
		v = &Node{Kind: Scalar, Quoted: true, File: file}
	} else {
		var err error
		if v, err = Parse(file, []byte(value)); err != nil {
			return err
		}
	}
	bad := func(format string, args ...any) error {
		return Error{File: file, Message: fmt.Sprintf(format, args...)}
	}
	steps, err := split(path)
	if err != nil {
		return bad("%v", err)
	}
	at := n
	for i, s := range steps {
		last := i == len(steps)-1
		if s.key == "" {
			if at.Kind != List || s.index >= len(at.Items) {
				return bad("there is no item %d here", s.index)
			}
			if last {
				at.Items[s.index] = v
				return nil
			}
			at = at.Items[s.index]
			continue
		}
		if at.Kind == Null {
			at.Kind = Map
		}
		if at.Kind == Scalar && i > 0 {
			// A word stands for {name: word}, so its settings can be reached.
			*at = Node{Kind: Map, File: at.File, Line: at.Line, Column: at.Column,
				Keys:  []*Node{{Text: "name", File: file}},
				Items: []*Node{{Kind: Scalar, Text: at.Text, Quoted: at.Quoted, File: at.File, Line: at.Line, Column: at.Column}}}
		}
		if at.Kind != Map {
			return bad("%s is %s, not a mapping", strings.Join(words(steps[:i]), "."), at.Kind)
		}
		next := at.Get(s.key)
		if next == nil {
			next = &Node{Kind: Null, File: file}
			at.Keys = append(at.Keys, &Node{Text: s.key, File: file})
			at.Items = append(at.Items, next)
		}
		if last {
			for k := range at.Keys {
				if at.Keys[k].Text == s.key {
					at.Items[k] = v
				}
			}
			return nil
		}
		at = next
	}
	return nil
}

type step struct {
	key   string
	index int
}

func words(steps []step) []string {
	var w []string
	for _, s := range steps {
		if s.key != "" {
			w = append(w, s.key)
		} else {
			w = append(w, strconv.Itoa(s.index))
		}
	}
	return w
}

// split reads a.b[2].c.
func split(path string) ([]step, error) {
	var steps []step
	for _, p := range strings.Split(path, ".") {
		key, rest, _ := strings.Cut(p, "[")
		if key == "" {
			return nil, fmt.Errorf("%q is not a path; write it like policy.backfill or cluster.nodes[0].gpus", path)
		}
		steps = append(steps, step{key: key})
		if rest == "" {
			continue
		}
		for _, ix := range strings.Split(strings.TrimSuffix(rest, "]"), "][") {
			i, err := strconv.Atoi(ix)
			if err != nil || i < 0 {
				return nil, fmt.Errorf("%q is not a path; write it like policy.backfill or cluster.nodes[0].gpus", path)
			}
			steps = append(steps, step{index: i})
		}
	}
	return steps, nil
}
