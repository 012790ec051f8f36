package catalogue

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

//go:embed gpus.csv
var gpusCSV string

//go:embed nodes.csv
var nodesCSV string

//go:embed columns.csv
var columnsCSV string

// Catalogue is all entries. It does not change and may be used by several
// goroutines.
type Catalogue struct {
	gpuFields, nodeFields []Field
	gpus                  []GPU
	nodes                 []NodeType
	gpuIndex, nodeIndex   map[string]int // by name in lower case
}

// Load reads the embedded tables. Cost: about half a millisecond.
func Load() (*Catalogue, error) {
	c := &Catalogue{}
	columns, err := rows("columns.csv", columnsCSV)
	if err != nil {
		return nil, err
	}
	for _, r := range columns[1:] {
		f := Field{Name: r[1], kind: r[2], Unit: r[3], Doc: r[4], readFrom: r[5]}
		if r[0] == "gpu" {
			c.gpuFields = append(c.gpuFields, f)
		} else {
			c.nodeFields = append(c.nodeFields, f)
		}
	}
	gpus, err := rows("gpus.csv", gpusCSV)
	if err != nil {
		return nil, err
	}
	if err := described(c.gpuFields, gpus[0]); err != nil {
		return nil, err
	}
	for _, r := range gpus[1:] {
		g, err := readGPU(c.gpuFields, gpus[0], r)
		if err != nil {
			return nil, err
		}
		c.gpus = append(c.gpus, g)
	}
	nodes, err := rows("nodes.csv", nodesCSV)
	if err != nil {
		return nil, err
	}
	if c.nodes, err = readNodeTypes(c.nodeFields, nodes[1:]); err != nil {
		return nil, err
	}
	return c, c.index()
}

func rows(name, data string) ([][]string, error) {
	r, err := csv.NewReader(bytes.NewReader([]byte(data))).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the embedded %s: %w", name, err)
	}
	return r, nil
}

// index makes the names of all entries known; no two may share one.
func (c *Catalogue) index() error {
	c.gpuIndex, c.nodeIndex = map[string]int{}, map[string]int{}
	add := func(index map[string]int, i int, names []string) error {
		for _, n := range names {
			n = strings.ToLower(n)
			if at, ok := index[n]; ok && at != i {
				return fmt.Errorf("two entries of the catalogue are named %s", n)
			}
			index[n] = i
		}
		return nil
	}
	for i := range c.gpus {
		if err := add(c.gpuIndex, i, c.gpus[i].names()); err != nil {
			return err
		}
	}
	for i := range c.nodes {
		if err := add(c.nodeIndex, i, c.nodes[i].names()); err != nil {
			return err
		}
	}
	return nil
}

// GPUFields describes the figures of a GPU, in order.
func (c *Catalogue) GPUFields() []Field { return c.gpuFields }

// NodeFields describes the figures of a node type, in order.
func (c *Catalogue) NodeFields() []Field { return c.nodeFields }

// GPUs returns all GPUs in the order of the table.
func (c *Catalogue) GPUs() []GPU { return c.gpus }

// NodeTypes returns all node types in the order of the table.
func (c *Catalogue) NodeTypes() []NodeType { return c.nodes }

// GPU finds a GPU by its id or by the name that nvidia-smi prints, with or
// without the maker in front; case does not matter.
func (c *Catalogue) GPU(name string) (GPU, bool) {
	i, ok := c.gpuIndex[strings.ToLower(name)]
	if !ok {
		return GPU{}, false
	}
	return c.gpus[i], true
}

// NodeType finds a node type; case does not matter.
func (c *Catalogue) NodeType(name string) (NodeType, bool) {
	i, ok := c.nodeIndex[strings.ToLower(name)]
	if !ok {
		return NodeType{}, false
	}
	return c.nodes[i], true
}

// FindGPU is GPU with an error that names the nearest id and all known ones.
func (c *Catalogue) FindGPU(name string) (GPU, error) {
	if g, ok := c.GPU(name); ok {
		return g, nil
	}
	ids := make([]string, len(c.gpus))
	for i := range c.gpus {
		ids[i] = c.gpus[i].ID
	}
	return GPU{}, unknown("GPU", name, c.Nearest(name), ids)
}

// FindNodeType is NodeType with an error that names the nearest one and all
// known ones.
func (c *Catalogue) FindNodeType(name string) (NodeType, error) {
	if n, ok := c.NodeType(name); ok {
		return n, nil
	}
	names := make([]string, len(c.nodes))
	for i := range c.nodes {
		names[i] = c.nodes[i].Name
	}
	return NodeType{}, unknown("node type", name, c.NearestNode(name), names)
}

func unknown(kind, name, near string, known []string) error {
	if near != "" {
		near = "; did you mean " + near + "?"
	}
	return fmt.Errorf("unknown %s %q%s (known: %s)", kind, name, near, strings.Join(known, ", "))
}

// Nearest returns the id of the GPU that was probably meant: the first whose id
// begins with the name (V100), else the one whose name differs least; "" when
// none is near.
func (c *Catalogue) Nearest(name string) string {
	if len(name) >= 2 {
		for i := range c.gpus {
			if strings.HasPrefix(strings.ToLower(c.gpus[i].ID), strings.ToLower(name)) {
				return c.gpus[i].ID
			}
		}
	}
	id, dist := "", 0
	for i := range c.gpus {
		if _, n := nearest(name, c.gpus[i].names()); n >= 0 && (id == "" || n < dist) {
			id, dist = c.gpus[i].ID, n
		}
	}
	return id
}

// NearestNode returns the name of the node type that was probably meant: the one
// of whose names one differs least; "" when none is near.
func (c *Catalogue) NearestNode(name string) string {
	found, dist := "", 0
	for i := range c.nodes {
		if _, n := nearest(name, c.nodes[i].names()); n >= 0 && (found == "" || n < dist) {
			found, dist = c.nodes[i].Name, n
		}
	}
	return found
}

// nearest returns the name nearest to a word and by how many letters they
// differ, -1 where none is near: about a third of the letters may.
func nearest(word string, names []string) (string, int) {
	best, dist := "", -1
	for _, k := range names {
		n := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(k))
		if n <= (len(word)+1)/3 && (dist < 0 || n < dist) {
			best, dist = k, n
		}
	}
	return best, dist
}
