package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Kind is what a node is.
type Kind uint8

// The kinds of node.
const (
	Scalar Kind = iota
	List
	Map
	Null
)

func (k Kind) String() string {
	return [...]string{"a single value", "a list", "a mapping", "nothing"}[k]
}

// Node is a piece of a document.
type Node struct {
	Kind         Kind
	Text         string  // of a Scalar
	Quoted       bool    // a Scalar in quotes: always text
	Keys         []*Node // of a Map: scalars
	Items        []*Node // of a List; of a Map beside Keys
	File         string
	Line, Column int
}

// Limits of a document.
const (
	maxDepth   = 100
	maxAliased = 100_000   // nodes reached through anchors
	maxBytes   = 512 << 20 // of a file
)

// Errorf is an error at the node.
func (n *Node) Errorf(format string, args ...any) Error {
	return Error{n.File, n.Line, n.Column, fmt.Sprintf(format, args...)}
}

// Get returns the value of a key of a map, nil if it has none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i, k := range n.Keys {
		if k.Text == key {
			return n.Items[i]
		}
	}
	return nil
}

// Parse reads one YAML document. file is its name in errors.
func Parse(file string, data []byte) (*Node, error) {
	fail := func(line int, format string, args ...any) (*Node, error) {
		return nil, Errors{{file, line, 1, fmt.Sprintf(format, args...)}}
	}
	switch {
	case len(data) > maxBytes:
		return fail(0, "is larger than %d MiB", maxBytes>>20)
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return fail(1, "is UTF-16; save it as UTF-8")
	case !utf8.Valid(data):
		line := 1
		for rest := data; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			if r == utf8.RuneError && size == 1 {
				break
			}
			if r == '\n' {
				line++
			}
			rest = rest[size:]
		}
		return fail(line, "has bytes that are not UTF-8; save it as UTF-8")
	case len(bytes.TrimSpace(data)) == 0:
		return fail(1, "is empty")
	case bytes.HasPrefix(data, []byte("version https://git-lfs")):
		return fail(1, "is a large-file pointer, not the file; fetch the file itself")
	}
	if line := tooDeep(data); line > 0 {
		return fail(line, "is nested deeper than %d levels", maxDepth)
	}
	var root, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := safely(func() error { return dec.Decode(&root) }); err != nil {
		if errors.Is(err, io.EOF) {
			return fail(1, "is empty")
		}
		return nil, Errors{yamlError(file, err)}
	}
	if err := safely(func() error { return dec.Decode(&second) }); err == nil {
		return fail(second.Line, "a second document begins here; one file holds one document")
	} else if !errors.Is(err, io.EOF) {
		return nil, Errors{yamlError(file, err)}
	}
	c := converter{file: file}
	n := c.convert(root.Content[0], 0, false)
	if err := c.errs.Sorted(); err != nil {
		return nil, err
	}
	return n, nil
}

// safely turns a panic of the YAML library into an error.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be read as YAML: %v", r)
		}
	}()
	return f()
}

// yamlError takes the line out of the library's message.
func yamlError(file string, err error) Error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(num); err == nil {
				line, msg = n, after
			}
		}
	}
	if strings.Contains(msg, "exceeded max depth") {
		msg = fmt.Sprintf("is nested deeper than %d levels", maxDepth)
	}
	return Error{file, line, 1, "not valid YAML: " + msg}
}

// tooDeep looks for absurd nesting of brackets before the YAML library, whose
// memory grows with it, sees it; it returns the line, 0 if all is well.
func tooDeep(data []byte) int {
	depth, line := 0, 1
	for _, b := range data {
		switch b {
		case '\n':
			line++
		case '[', '{':
			if depth++; depth > 10*maxDepth {
				return line
			}
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return 0
}

// converter turns YAML nodes into ours.
type converter struct {
	file    string
	errs    Errors
	open    []*yaml.Node // anchors being expanded
	aliased int
}

func (c *converter) fail(y *yaml.Node, format string, args ...any) *Node {
	c.errs = append(c.errs, Error{c.file, y.Line, y.Column, fmt.Sprintf(format, args...)})
	return &Node{Kind: Null, File: c.file, Line: y.Line, Column: y.Column}
}

func (c *converter) convert(y *yaml.Node, depth int, aliased bool) *Node {
	if depth > maxDepth {
		return c.fail(y, "is nested deeper than %d levels", maxDepth)
	}
	if len(c.errs) > 100 || c.aliased > maxAliased {
		return &Node{Kind: Null, File: c.file, Line: y.Line, Column: y.Column}
	}
	if aliased {
		if c.aliased++; c.aliased > maxAliased {
			return c.fail(y, "anchors expand to more than %d values", maxAliased)
		}
	}
	n := &Node{File: c.file, Line: y.Line, Column: y.Column}
	switch y.Kind {
	case yaml.AliasNode:
		for _, o := range c.open {
			if o == y.Alias {
				return c.fail(y, "anchor %s contains itself", y.Value)
			}
		}
		c.open = append(c.open, y.Alias)
		n = c.convert(y.Alias, depth+1, true)
		c.open = c.open[:len(c.open)-1]
		return n
	case yaml.ScalarNode:
		n.Text = y.Value
		n.Quoted = y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
		if y.Tag == "!!null" && !n.Quoted {
			n.Kind = Null
		}
	case yaml.SequenceNode:
		n.Kind = List
		if y.Anchor != "" {
			c.open = append(c.open, y)
			defer func() { c.open = c.open[:len(c.open)-1] }()
		}
		for _, k := range y.Content {
			n.Items = append(n.Items, c.convert(k, depth+1, aliased))
		}
	case yaml.MappingNode:
		n.Kind = Map
		if y.Anchor != "" {
			c.open = append(c.open, y)
			defer func() { c.open = c.open[:len(c.open)-1] }()
		}
		c.mapping(n, y, depth, aliased)
	default:
		return c.fail(y, "is not something a document can hold")
	}
	return n
}

func (c *converter) mapping(n *Node, y *yaml.Node, depth int, aliased bool) {
	seen := map[string]*yaml.Node{}
	var merged []*Node
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
		if first, ok := seen[k.Value]; ok {
			c.fail(k, "key %q is already set in line %d", k.Value, first.Line)
			continue
		}
		seen[k.Value] = k
		n.Keys = append(n.Keys, &Node{Text: k.Value, File: c.file, Line: k.Line, Column: k.Column})
		n.Items = append(n.Items, c.convert(v, depth+1, aliased))
	}
	for _, m := range merged {
		if m.Kind != Map {
			if m.Kind != Null {
				c.errs = append(c.errs, m.Errorf("<< needs a mapping"))
			}
			continue
		}
		for i, k := range m.Keys {
			if _, ok := seen[k.Text]; !ok {
				seen[k.Text] = y
				n.Keys = append(n.Keys, k)
				n.Items = append(n.Items, m.Items[i])
			}
		}
	}
}
