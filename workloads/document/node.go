package document

import "fmt"

// Kind is what a node is.
type Kind uint8

// The kinds of node.
const (
	Scalar Kind = iota
	List
	Map
	Null
)

// String words the kind as it stands in messages: a list.
func (k Kind) String() string {
	return [...]string{"a single value", "a list", "a mapping", "nothing"}[k]
}

// Node is a piece of a document, with anchors expanded and merge keys merged.
type Node struct {
	Kind         Kind
	Quoted       bool    // a Scalar in quotes, or a block of text: always text
	Text         string  // of a Scalar, as it was written
	Keys         []*Node // of a Map, in order: scalars
	Items        []*Node // of a List; of a Map beside Keys
	File         string
	Line, Column int // from 1; 0 for what came from a setting
}

// Errorf is an error at the node. Its Path is filled in by the decoder that
// takes it.
func (n *Node) Errorf(format string, args ...any) Error {
	return Error{File: n.File, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

// Get returns the value of a key of a map, nil if it has none. Cost: the number
// of keys.
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

// At returns the node of a key, or the node itself: where an error about the
// key belongs.
func (n *Node) At(key string) *Node {
	if k := n.Get(key); k != nil {
		return k
	}
	return n
}
