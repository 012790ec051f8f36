package catalogue

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

//go:embed gpus.csv
var gpusCSV []byte

//go:embed nodes.csv
var nodesCSV []byte

//go:embed columns.csv
var columnsCSV []byte

// Value is one figure of an entry.
type Value struct {
	Name string
	Unit string // "" where there is none
	Doc  string
	Text string // as in the table; "" when unknown
	// Known is false where nobody found the figure.
	Known bool
	// Source says where the figure was read.
	Source string
}

// GPU is one type of GPU.
type GPU struct {
	ID     string
	Name   string  // that nvidia-smi prints
	Fields []Value // in the order of the table
	Notes  string
}

// Get returns a figure by name; a name that does not exist is unknown.
func (g *GPU) Get(name string) Value {
	for _, v := range g.Fields {
		if v.Name == name {
			return v
		}
	}
	return Value{Name: name}
}

// Number returns a figure as a number; false when it is unknown or a text.
func (g *GPU) Number(name string) (float64, bool) {
	f, err := strconv.ParseFloat(g.Get(name).Text, 64)
	return f, err == nil
}

// NodeType is one type of node.
type NodeType struct {
	Name     string
	GPU      string // id
	GPUs     int
	CPUMilli int64 // thousandths of a core; -1 unknown
	Memory   int64 // bytes; -1 unknown
	Source   string
}

// Catalogue is all entries. It does not change.
type Catalogue struct {
	gpus  []GPU
	nodes []NodeType
}

// Sources of the cells of gpus.csv.
const (
	readAtSource = "read at a source (device query, nvidia-smi listing, datasheet table)"
	fromMemory   = "memory of the datasheet, unverified"
	ours         = "name given by gpusim"
)

// Load reads the embedded tables. Cost: well under a millisecond.
func Load() (*Catalogue, error) {
	c := &Catalogue{}
	columns, err := rows("columns.csv", columnsCSV)
	if err != nil {
		return nil, err
	}
	about := map[string][]string{}
	for _, r := range columns[1:] {
		about[r[0]] = r
	}
	gpus, err := rows("gpus.csv", gpusCSV)
	if err != nil {
		return nil, err
	}
	for _, r := range gpus[1:] {
		g, err := gpu(gpus[0], r, about)
		if err != nil {
			return nil, err
		}
		c.gpus = append(c.gpus, g)
	}
	nodes, err := rows("nodes.csv", nodesCSV)
	if err != nil {
		return nil, err
	}
	for _, r := range nodes[1:] {
		n, err := nodeType(r)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, n)
	}
	return c, nil
}

func rows(name string, data []byte) ([][]string, error) {
	r, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the embedded %s: %w", name, err)
	}
	return r, nil
}

func gpu(header, row []string, about map[string][]string) (GPU, error) {
	var g GPU
	read := ""
	for i, h := range header {
		if h == "read_at_source" {
			read = row[i]
		}
	}
	for i, h := range header {
		switch h {
		case "read_at_source":
			continue
		case "notes":
			g.Notes = row[i]
			continue
		}
		a, ok := about[h]
		if !ok {
			return g, fmt.Errorf("gpus.csv: column %s is not described in columns.csv", h)
		}
		v := Value{Name: h, Unit: a[1], Doc: a[2], Text: row[i], Known: row[i] != ""}
		if v.Known {
			v.Source = source(h, read)
		}
		g.Fields = append(g.Fields, v)
		switch h {
		case "id":
			g.ID = row[i]
		case "smi_name":
			g.Name = row[i]
		}
	}
	return g, nil
}

// source says where a cell comes from: the row lists the columns that were read
// at a source, some with a star for a family of columns.
func source(column, read string) string {
	if column == "id" {
		return ours
	}
	for _, w := range strings.Fields(read) {
		w, _, _ = strings.Cut(w, "(")
		if w == column || strings.HasSuffix(w, "*") && strings.HasPrefix(column, strings.TrimSuffix(w, "*")) {
			return readAtSource
		}
	}
	return fromMemory
}

func nodeType(r []string) (NodeType, error) {
	n := NodeType{Name: r[0], GPU: r[1], CPUMilli: -1, Memory: -1, Source: r[5]}
	var err error
	if n.GPUs, err = strconv.Atoi(r[2]); err != nil {
		return n, fmt.Errorf("nodes.csv: %s: %w", r[0], err)
	}
	if r[3] != "" {
		cores, err := strconv.ParseInt(r[3], 10, 64)
		if err != nil {
			return n, fmt.Errorf("nodes.csv: %s: %w", r[0], err)
		}
		n.CPUMilli = 1000 * cores
	}
	if r[4] != "" {
		gib, err := strconv.ParseInt(r[4], 10, 64)
		if err != nil {
			return n, fmt.Errorf("nodes.csv: %s: %w", r[0], err)
		}
		n.Memory = gib << 30
	}
	return n, nil
}

// GPUs returns all GPUs in the order of the table.
func (c *Catalogue) GPUs() []GPU { return c.gpus }

// NodeTypes returns all node types in the order of the table.
func (c *Catalogue) NodeTypes() []NodeType { return c.nodes }

// GPU finds a GPU by its id or by the name that nvidia-smi prints; case does
// not matter.
func (c *Catalogue) GPU(name string) (GPU, bool) {
	for _, g := range c.gpus {
		if strings.EqualFold(g.ID, name) || g.Name != "" && strings.EqualFold(g.Name, name) {
			return g, true
		}
	}
	return GPU{}, false
}

// NodeType finds a node type; case does not matter.
func (c *Catalogue) NodeType(name string) (NodeType, bool) {
	for _, n := range c.nodes {
		if strings.EqualFold(n.Name, name) {
			return n, true
		}
	}
	return NodeType{}, false
}

// Nearest returns the id of the GPU whose name is nearest, "" when none is
// near.
func (c *Catalogue) Nearest(name string) string {
	best, dist := "", 1+max(2, len(name)/3)
	for _, g := range c.gpus {
		for _, known := range []string{g.ID, g.Name} {
			if n := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(known)); n < dist {
				best, dist = g.ID, n
			}
		}
	}
	if best == "" {
		for _, g := range c.gpus {
			if strings.HasPrefix(strings.ToLower(g.ID), strings.ToLower(name)) {
				return g.ID
			}
		}
	}
	return best
}
