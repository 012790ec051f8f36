package catalogue

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func load(t testing.TB) *Catalogue {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryCellAsInTheSharedTable(t *testing.T) {
	path := filepath.Join("..", "..", "..", "shared", "data", "hardware", "gpus.csv")
	f, err := os.Open(path)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("skipped: the shared data are not there")
	}
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	c := load(t)
	if len(c.GPUs()) != len(want)-1 {
		t.Fatalf("%d GPUs, the table has %d", len(c.GPUs()), len(want)-1)
	}
	for i, r := range want[1:] {
		g := c.GPUs()[i]
		for k, h := range want[0] {
			if h == "read_at_source" || h == "notes" {
				continue
			}
			if v := g.Get(h); v.Text != r[k] || v.Known != (r[k] != "") {
				t.Errorf("%s %s: %q, the table has %q", g.ID, h, v.Text, r[k])
			}
		}
	}
}

func TestSourcesAndNames(t *testing.T) {
	c := load(t)
	seen := map[string]bool{}
	for _, g := range c.GPUs() {
		for _, n := range []string{g.ID, g.Name} {
			n = strings.ToLower(n)
			if n != "" && seen[n] && n != strings.ToLower(g.ID) {
				t.Errorf("two GPUs are named %s", n)
			}
			seen[n] = true
		}
		for _, v := range g.Fields {
			if v.Known != (v.Source != "") {
				t.Errorf("%s %s: known %v, source %q", g.ID, v.Name, v.Known, v.Source)
			}
			if v.Doc == "" {
				t.Errorf("column %s is not described", v.Name)
			}
		}
	}
	g, _ := c.GPU("V100-SXM2-16GB")
	if s := g.Get("sm_or_cu").Source; s != readAtSource {
		t.Errorf("SM count of the V100 was read at a source, not: %s", s)
	}
	if s := g.Get("nvlink_links").Source; s != readAtSource {
		t.Errorf("nvlink_* covers nvlink_links: %s", s)
	}
	if s := g.Get("mem_bw_gbps").Source; s != fromMemory {
		t.Errorf("bandwidth of the V100 is from memory, not: %s", s)
	}
	if _, ok := g.Number("tf32_dense"); ok {
		t.Error("a V100 has no known TF32 figure")
	}
}

func TestNodeTypes(t *testing.T) {
	c := load(t)
	for _, n := range c.NodeTypes() {
		if _, ok := c.GPU(n.GPU); !ok {
			t.Errorf("%s names GPU %s, which is not in the catalogue", n.Name, n.GPU)
		}
		if n.GPUs < 1 || n.CPUMilli == 0 || n.Memory == 0 || n.Source == "" {
			t.Errorf("%+v", n)
		}
	}
	if n, ok := c.NodeType("DGX-B200"); !ok || n.Memory != -1 {
		t.Errorf("unknown memory is %d", n.Memory)
	}
}

func TestNearest(t *testing.T) {
	c := load(t)
	for name, want := range map[string]string{"A100-SXM4-80G": "A100-SXM4-80GB", "h100-sxm5-80gb": "H100-SXM5-80GB", "Teslla T4": "T4", "something else entirely": ""} {
		if got := c.Nearest(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if g, ok := c.GPU("tesla t4"); !ok || g.ID != "T4" {
		t.Error("the name that nvidia-smi prints finds the GPU")
	}
}

func ExampleCatalogue_GPU() {
	c, err := Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	g, _ := c.GPU("NVIDIA A100-SXM4-80GB")
	v := g.Get("mem_bw_gbps")
	fmt.Println(g.ID, v.Text, v.Unit)
	// Output: A100-SXM4-80GB 2039 GB/s
}
