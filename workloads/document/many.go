package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// Piece is one document of a file that may hold several.
type Piece struct {
	Number int   // from 1; documents without content count
	Line   int   // where it begins
	Node   *Node // nil where the document holds nothing, or nothing can be read
	// Err is what is wrong with this document (Errors). With a repeated key Node
	// is there all the same and has the first of the values.
	Err error
}

// ParseAll reads a file of YAML documents, or of JSON values one after another.
// What is wrong with one document does not hide the others; err is only about
// the file as a whole. The limits of Parse hold for all documents together.
func ParseAll(file string, data []byte) ([]Piece, error) {
	if len(data) > MaxBytes {
		return nil, Errors{{File: file, Message: fmt.Sprintf("is larger than %d MiB", MaxBytes>>20)}}
	}
	var pieces []Piece
	m := many{file: file}
	for _, c := range chunks(data) {
		p := Piece{Number: len(pieces) + 1, Line: c.line}
		p.Node, p.Err = m.parse(c)
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// many parses the documents of one file.
type many struct {
	file           string
	aliased, nodes int    // of the documents so far
	slab           []Node // nodes not yet given out
}

// parse reads one document.
func (m *many) parse(c chunk) (*Node, error) {
	at := func(e Error) (*Node, error) {
		e.File = m.file
		if e.Line == 0 {
			e.Line = 1
		}
		e.Line = min(e.Line, 1+bytes.Count(bytes.TrimRight(c.text, "\r\n"), []byte{'\n'}))
		e.Line += c.line - 1
		return nil, Errors{e}
	}
	if e := unreadable(c.text); e != nil {
		return at(*e)
	}
	var root, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(c.text))
	switch err := safely(func() error { return dec.Decode(&root) }); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return at(yamlError(m.file, c.text, err))
	}
	switch err := safely(func() error { return dec.Decode(&second) }); {
	case err == nil:
		return at(Error{Line: second.Line, Column: max(1, second.Column), Message: "a second document begins here without --- before it"})
	case !errors.Is(err, io.EOF):
		return at(yamlError(m.file, c.text, err))
	}
	shift(root.Content[0], c.line-1, 0)
	conv := newConverter(m.file, root.Content[0])
	m.nodes += conv.count(root.Content[0], 0)
	conv.aliased, conv.limit = m.aliased, max(maxAliased, m.nodes)
	if conv.anchors && conv.aliased > conv.limit {
		return at(Error{Line: 1, Column: 1, Message: "anchors of the documents before it expand to too many values; write fewer *aliases"})
	}
	conv.aliased = min(conv.aliased, conv.limit)
	conv.slab = m.slab
	n := conv.convert(root.Content[0], 0, false)
	m.slab = conv.slab
	m.aliased = max(m.aliased, conv.aliased)
	if err := conv.errs.Sorted(); err != nil {
		return n, err
	}
	if n.Kind == Null {
		return nil, nil
	}
	return n, nil
}

// shift moves what is written in a document down by some lines.
func shift(y *yaml.Node, lines, depth int) {
	y.Line += lines
	if lines == 0 || depth > maxDepth {
		return
	}
	for _, k := range y.Content {
		shift(k, lines, depth+1)
	}
}

// chunk is the text of one document and the line on which it begins.
type chunk struct {
	text []byte
	line int
}

// chunks cuts a file where documents begin (---), end (...), or where one JSON
// value ends and the next begins. Comments and directives before the first ---
// belong to the document behind it.
func chunks(data []byte) []chunk {
	var list []chunk
	from, line, first := 0, 1, 1
	begun, ended := false, false // the document has its --- or content; it may not go on
	var before []byte            // the line above that is not blank
	cut := func(at int) {
		if begun {
			list = append(list, chunk{data[from:at], first})
			from, first = at, line
		}
		begun, ended = false, false
	}
	for at := 0; at < len(data); line++ {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		text := bytes.TrimRight(data[at:end], " \t\r\n")
		switch {
		case len(text) == 0:
		case marker(text, "---"):
			cut(at)
			begun = true
		case marker(text, "..."):
			ended = true
		case text[0] == '#', text[0] == '%' && !begun:
		case ended, text[0] == '{' && closed(before):
			cut(at)
			begun = true
		default:
			begun = true
		}
		if len(text) > 0 && text[0] != '#' {
			before = text
		}
		at = end
	}
	cut(len(data))
	return list
}

// marker says whether a line is one of YAML's marks between documents.
func marker(text []byte, mark string) bool {
	return bytes.HasPrefix(text, []byte(mark)) && (len(text) == len(mark) || text[len(mark)] == ' ' || text[len(mark)] == '\t')
}

// closed says whether a JSON object ends with this line.
func closed(line []byte) bool {
	return len(line) > 0 && line[len(line)-1] == '}' && (line[0] == '}' || line[0] == '{' || line[0] == ']')
}
