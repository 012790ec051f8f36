package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// GPU is one type of GPU. It must not be changed.
type GPU struct {
	ID     string
	Name   string  // that nvidia-smi prints
	Fields []Value // every figure, in the order of GPUFields
	Notes  string
}

// Get returns a figure by name; a name that does not exist is unknown.
func (g *GPU) Get(name string) Value { return find(g.Fields, name) }

// Number returns a figure as a number; false when it is unknown or a text.
func (g *GPU) Number(name string) (float64, bool) { return g.Get(name).Number() }

// names are the names that find the GPU: its id and the name that nvidia-smi
// prints, with and without the maker in front.
func (g *GPU) names() []string {
	names := []string{g.ID}
	if g.Name != "" {
		names = append(names, g.Name)
	}
	for _, maker := range []string{"NVIDIA ", "Tesla ", "AMD Instinct "} {
		if short, ok := strings.CutPrefix(g.Name, maker); ok {
			names = append(names, short)
		}
	}
	return names
}

// newGPU makes a GPU of its figures.
func newGPU(values []Value, notes string) GPU {
	return GPU{ID: find(values, "id").Text, Name: find(values, "smi_name").Text, Fields: values, Notes: notes}
}

// described checks that gpus.csv has exactly the columns that columns.csv
// describes, so that none is left out in silence.
func described(fields []Field, header []string) error {
	want := []string{"read", "notes"}
	for _, f := range fields {
		want = append(want, f.Name)
	}
	for _, h := range header {
		if !slices.Contains(want, h) {
			return fmt.Errorf("gpus.csv: column %s is not in columns.csv", h)
		}
	}
	for _, w := range want {
		if !slices.Contains(header, w) {
			return fmt.Errorf("gpus.csv: it has no column %s", w)
		}
	}
	return nil
}

// readGPU makes a GPU of a row of gpus.csv. The column "read" lists the figures
// that were read at a source, as "name; name: detail"; all others are from
// memory.
func readGPU(fields []Field, header, row []string) (GPU, error) {
	cell := func(name string) string {
		if i := slices.Index(header, name); i >= 0 {
			return row[i]
		}
		return ""
	}
	read := map[string]string{}
	for _, r := range strings.Split(cell("read"), "; ") {
		if r == "" {
			continue
		}
		name, detail, _ := strings.Cut(r, ": ")
		if cell(name) == "" {
			return GPU{}, fmt.Errorf("gpus.csv: %s: %s is said to be read, but is empty or no column", cell("id"), name)
		}
		read[name] = detail
	}
	var values []Value
	for _, f := range fields {
		status, detail := Memory, ""
		switch d, ok := read[f.Name]; {
		case ok:
			status, detail = Read, f.readFrom
			if d != "" {
				detail += " (" + d + ")"
			}
		case f.Name == "id":
			status = Ours
		case f.Name == "pcie_uni_gbps":
			status, detail = Computed, "from the PCIe generation"
		}
		v, err := f.value(cell(f.Name), status, detail)
		if err != nil {
			return GPU{}, fmt.Errorf("gpus.csv: %s: %w", cell("id"), err)
		}
		values = append(values, v)
	}
	return newGPU(values, cell("notes")), nil
}
