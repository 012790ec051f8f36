package topology

import (
	"embed"
	"encoding/csv"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed nodes/*.txt
var nodeFiles embed.FS

//go:embed nodes.csv
var nodesCSV string

// Known is a node that gpusim knows.
type Known struct {
	Name       string
	Aliases    []string
	GPU        string // what GPUs it has
	NVSwitches string // how many
	Sources    []Source
	Node
}

// Source says where some figures of a node come from.
type Source struct {
	Figures string // links, nics, affinity, nvswitches
	Status  string // read, computed, memory, assumed, unknown
	Text    string
}

// Load reads the embedded nodes. Cost: some milliseconds.
func Load() ([]Known, error) {
	rows, err := csv.NewReader(strings.NewReader(nodesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the embedded nodes.csv: %w", err)
	}
	var nodes []Known
	for _, r := range rows[1:] {
		if len(nodes) == 0 || nodes[len(nodes)-1].Name != r[0] {
			name := path.Join("nodes", r[0]+".txt")
			data, err := nodeFiles.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("nodes.csv: %w", err)
			}
			n, err := Read(name, string(data))
			if err != nil {
				return nil, err
			}
			k := Known{Name: r[0], Aliases: strings.Fields(r[1]), GPU: r[2], NVSwitches: r[3]}
			if n.infer() {
				k.Sources = []Source{{"links between NICs", "computed", "from the links of the GPUs; N/A where they do not decide"}}
			}
			k.Node = *n
			nodes = append(nodes, k)
		}
		k := &nodes[len(nodes)-1]
		k.Sources = append(k.Sources, Source{r[4], r[5], r[6]})
	}
	return nodes, nil
}

// Find finds a node by name; case does not matter.
func Find(nodes []Known, name string) (*Known, bool) {
	for i := range nodes {
		k := &nodes[i]
		if slices.ContainsFunc(append(k.Aliases, k.Name), func(s string) bool { return strings.EqualFold(s, name) }) {
			return k, true
		}
	}
	return nil, false
}
