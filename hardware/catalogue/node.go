package catalogue

import (
	"fmt"
	"strconv"
	"strings"

	"gpusim/hardware/units"
)

// NodeType is one type of node. It must not be changed.
type NodeType struct {
	Name     string
	GPU      string // id of its GPUs
	GPUs     int
	CPUMilli int64   // thousandths of a core; -1 unknown
	Memory   int64   // bytes; -1 unknown
	Source   string  // where its figures come from, in one sentence
	Fields   []Value // every figure, in the order of NodeFields
}

// Get returns a figure by name; a name that does not exist is unknown.
func (n *NodeType) Get(name string) Value { return find(n.Fields, name) }

// Number returns a figure as a number; false when it is unknown or a text.
func (n *NodeType) Number(name string) (float64, bool) { return n.Get(name).Number() }

func (n *NodeType) names() []string {
	names := []string{n.Name}
	if alias := n.Get("alias"); alias.Known {
		names = append(names, alias.Text)
	}
	return names
}

// newNodeType makes a node type of its figures.
func newNodeType(values []Value) (NodeType, error) {
	n := NodeType{Name: find(values, "name").Text, GPU: find(values, "gpu").Text, CPUMilli: -1, Memory: -1, Fields: values, Source: sources(values)}
	var err error
	if n.GPUs, err = strconv.Atoi(find(values, "gpus").Text); err != nil {
		return n, fmt.Errorf("gpus must be a whole number, not %q", find(values, "gpus").Text)
	}
	if v := find(values, "cpu_cores"); v.Known {
		if n.CPUMilli, err = units.ParseCores(v.Text); err != nil {
			return n, fmt.Errorf("cpu_cores: %w", err)
		}
	}
	if v := find(values, "memory_gib"); v.Known {
		if n.Memory, err = units.ParseBytes(v.Text + "GiB"); err != nil {
			return n, fmt.Errorf("memory_gib: %w", err)
		}
	}
	return n, nil
}

// sources says in one sentence which figures come from where.
func sources(values []Value) string {
	var parts []string
	for _, s := range []struct {
		status Status
		words  string
	}{{Read, "read at a source"}, {Computed, "computed from these"}, {Given, "given by the user"}, {Memory, "from memory of the datasheet, unverified"}} {
		var names []string
		for _, v := range values {
			if v.Known && v.Status == s.status {
				names = append(names, v.Name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, strings.Join(names, ", ")+" "+s.words)
		}
	}
	return strings.Join(parts, "; ")
}

// readNodeTypes makes the node types of nodes.csv, which has a row for each
// figure: name, figure, value, status, source.
func readNodeTypes(fields []Field, rows [][]string) ([]NodeType, error) {
	var types []NodeType
	for len(rows) > 0 {
		name, n := rows[0][0], 1
		for n < len(rows) && rows[n][0] == name {
			n++
		}
		own := map[string][]string{"name": {name, "name", name, string(Ours), ""}}
		for _, r := range rows[:n] {
			if own[r[1]] != nil {
				return nil, fmt.Errorf("nodes.csv: %s: two rows for %s", name, r[1])
			}
			own[r[1]] = r
		}
		rows = rows[n:]
		var values []Value
		for _, f := range fields {
			r := own[f.Name]
			delete(own, f.Name)
			if r == nil {
				r = []string{name, f.Name, "", "", ""}
			}
			v, err := f.value(r[2], Status(r[3]), r[4])
			if err != nil {
				return nil, fmt.Errorf("nodes.csv: %s: %w", name, err)
			}
			values = append(values, v)
		}
		for figure := range own {
			return nil, fmt.Errorf("nodes.csv: %s: %s is not in columns.csv", name, figure)
		}
		t, err := newNodeType(values)
		if err != nil {
			return nil, fmt.Errorf("nodes.csv: %s: %w", name, err)
		}
		types = append(types, t)
	}
	return types, nil
}
