package catalogue

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
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

// columnOf is what the collected table calls the columns that were read.
var columnOf = map[string]string{
	"fp64": "fp64_tflops", "fp32": "fp32_tflops", "tf32": "tf32_dense", "fp16": "fp16_dense", "bf16": "bf16_dense", "fp8": "fp8_dense", "fp4": "fp4_dense",
}

// readAt tells whether the collected table says that a column was read.
func readAt(column, list string) bool {
	for _, w := range strings.Fields(list) {
		w, _, _ = strings.Cut(w, "(")
		if c, ok := columnOf[w]; ok {
			w = c
		}
		if w == column || strings.HasSuffix(w, "*") && strings.HasPrefix(column, strings.TrimSuffix(w, "*")) {
			return true
		}
	}
	return false
}

func TestEveryCellAsCollected(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "hardware", "gpus.csv"))
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
	if len(c.GPUs()) != len(want)-1 || len(want) != 31 {
		t.Fatalf("%d GPUs, the table has %d", len(c.GPUs()), len(want)-1)
	}
	list := slices.Index(want[0], "read_at_source")
	if len(c.GPUFields()) != len(want[0])-2 {
		t.Errorf("%d figures a GPU, the table has %d", len(c.GPUFields()), len(want[0])-2)
	}
	for i, r := range want[1:] {
		g := c.GPUs()[i]
		for k, h := range want[0] {
			if h == "read_at_source" || h == "notes" {
				continue
			}
			v := g.Get(h)
			if v.Text != r[k] || v.Known != (r[k] != "") {
				t.Errorf("%s %s: %q, the table has %q", g.ID, h, v.Text, r[k])
			}
			if v.Known && (v.Status == Read) != readAt(h, r[list]) {
				t.Errorf("%s %s: status %q, but the table lists %s", g.ID, h, v.Status, r[list])
			}
		}
	}
}

func TestEveryFigureHasAMeaningAndASource(t *testing.T) {
	c := load(t)
	for _, f := range append(slices.Clone(c.GPUFields()), c.NodeFields()...) {
		if f.Doc == "" || !slices.Contains([]string{"text", "number", "count"}, f.kind) {
			t.Errorf("column %s is not described", f.Name)
		}
		for suffix, unit := range map[string]string{"_w": "W", "_mhz": "MHz", "_c": "C", "_tflops": "TFLOPS", "_dense": "TFLOPS", "_mib": "MiB", "_gib": "GiB", "_gb": "GB"} {
			if strings.HasSuffix(f.Name, suffix) && f.Unit != unit {
				t.Errorf("%s is in %q, not %s", f.Name, f.Unit, unit)
			}
		}
	}
	check := func(id string, values []Value) {
		for _, v := range values {
			if v.Known != (v.Source != "") || v.Known != (v.Status != Unknown) || v.Known != (v.Text != "") {
				t.Errorf("%s %s: known %v, status %q, source %q", id, v.Name, v.Known, v.Status, v.Source)
			}
			if strings.HasPrefix(v.Source, ":") {
				t.Errorf("%s %s has a status that does not exist: %s", id, v.Name, v.Status)
			}
			if n, ok := v.Number(); ok && n == 0 && v.Name != "mig_max" && v.Name != "nvswitches" {
				t.Errorf("%s %s is zero; unknown must be empty", id, v.Name)
			}
			if v.Status == Read && v.Source == "read at a source" {
				t.Errorf("%s %s was read, but nobody knows where", id, v.Name)
			}
		}
	}
	for _, g := range c.GPUs() {
		check(g.ID, g.Fields)
	}
	for _, n := range c.NodeTypes() {
		check(n.Name, n.Fields)
	}
}

func TestNumbersAndStatuses(t *testing.T) {
	c := load(t)
	v100, _ := c.GPU("V100-SXM2-16GB")
	for name, want := range map[string]Status{"id": Ours, "sm_or_cu": Read, "nvlink_links": Read, "mem_bw_gbps": Memory, "pcie_uni_gbps": Computed, "tf32_dense": Unknown} {
		if v := v100.Get(name); v.Status != want {
			t.Errorf("V100 %s: status %q, want %q", name, v.Status, want)
		}
	}
	if _, ok := v100.Number("tf32_dense"); ok {
		t.Error("a V100 has no known TF32 figure")
	}
	if n, ok := v100.Number("mig_max"); !ok || n != 0 {
		t.Errorf("a V100 is known to have no MIG: %v %v", n, ok)
	}
	if _, ok := v100.Number("cc"); ok {
		t.Error("a compute capability is a text: 9.0 is not 9")
	}
	if v := v100.Get("no such figure"); v.Known || v.Name != "no such figure" {
		t.Errorf("a figure that does not exist: %+v", v)
	}
	h100, _ := c.GPU("NVIDIA H100 80GB HBM3")
	if v := h100.Get("idle_w"); v.Text != "72" || v.Source != "read at a source: device queries and nvidia-smi listings (69 to 75 W)" {
		t.Errorf("%+v", v)
	}
	if v := h100.Get("slowdown_c"); v.Status != Memory {
		t.Errorf("only margins to the limits of an H100 were read: %+v", v)
	}
}

func TestNodeTypes(t *testing.T) {
	c := load(t)
	for _, want := range []struct {
		name, gpu   string
		gpus, cores int
		memory      int64 // GiB
	}{
		{"dgx-1v", "V100-SXM2-32GB", 8, 40, 512}, {"dgx-2", "V100-SXM2-32GB", 16, 48, 1536},
		{"dgx-a100-40gb", "A100-SXM4-40GB", 8, 128, 1024}, {"DGX-A100-80GB", "A100-SXM4-80GB", 8, 128, 2048},
		{"dgx-h100", "H100-SXM5-80GB", 8, 112, 2048}, {"dgx-h200", "H200-SXM5-141GB", 8, 112, 2048}, {"dgx-b200", "B200-SXM-180GB", 8, 112, -1},
	} {
		n, err := c.FindNodeType(want.name)
		if err != nil {
			t.Error(err)
			continue
		}
		memory := n.Memory
		if memory > 0 {
			memory >>= 30
		}
		if n.GPU != want.gpu || n.GPUs != want.gpus || n.CPUMilli != int64(1000*want.cores) || memory != want.memory {
			t.Errorf("%s: %+v", want.name, n)
		}
		if _, ok := c.GPU(n.GPU); !ok {
			t.Errorf("%s names GPU %s, which is not in the catalogue", n.Name, n.GPU)
		}
	}
	if len(c.NodeTypes()) != 7 {
		t.Errorf("%d node types", len(c.NodeTypes()))
	}
	n, _ := c.NodeType("dgx-h100")
	for name, want := range map[string]Status{"gpus": Read, "cpu_cores": Computed, "memory_gib": Memory, "alias": Unknown} {
		if v := n.Get(name); v.Status != want {
			t.Errorf("dgx-h100 %s: status %q, want %q", name, v.Status, want)
		}
	}
	if !strings.Contains(n.Source, "memory_gib from memory of the datasheet, unverified") {
		t.Error(n.Source)
	}
	if w, ok := n.Number("power_max_w"); !ok || w != 10200 {
		t.Errorf("%v %v", w, ok)
	}
}

func TestNamesAndErrors(t *testing.T) {
	c := load(t)
	for name, want := range map[string]string{"tesla t4": "T4", "NVIDIA H200": "H200-SXM5-141GB", "h200": "H200-SXM5-141GB", "A100 80GB PCIe": "A100-PCIE-80GB", "MI300X": "MI300X", "AMD Instinct MI300X": "MI300X"} {
		if g, ok := c.GPU(name); !ok || g.ID != want {
			t.Errorf("%s finds %q, want %s", name, g.ID, want)
		}
	}
	for name, want := range map[string]string{"A100-SXM4-80G": "A100-SXM4-80GB", "h100-sxm5-80gb": "H100-SXM5-80GB", "Teslla T4": "T4", "V100": "V100-SXM2-16GB", "something else entirely": "", "": ""} {
		if got := c.Nearest(name); got != want {
			t.Errorf("nearest to %q: %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"A100", "H100", "V100", ""} { // several cards have these names
		if g, ok := c.GPU(name); ok {
			t.Errorf("%s finds %s", name, g.ID)
		}
	}
	if _, err := c.FindGPU("A100-SXM4-80G"); err == nil || !strings.HasPrefix(err.Error(), `unknown GPU "A100-SXM4-80G"; did you mean A100-SXM4-80GB? (known: K80, `) {
		t.Error(err)
	}
	if _, err := c.FindNodeType("dgx-h10"); err == nil || !strings.HasPrefix(err.Error(), `unknown node type "dgx-h10"; did you mean dgx-h100? (known: dgx-1v, `) {
		t.Error(err)
	}
	for name, want := range map[string]string{"DGX H100": "dgx-h100", "dgx-a100-80g": "dgx-a100", "dgx-a100-40": "dgx-a100-40gb", "dgx1v": "dgx-1v", "mainframe": "", "": ""} {
		if got := c.NearestNode(name); got != want {
			t.Errorf("node type nearest to %q: %q, want %q", name, got, want)
		}
	}
	if _, err := c.FindNodeType("mainframe"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}

// A name must mean one thing, also where GPUs and node types are both looked
// for, as in gpusim hardware show.
func TestNoNameTwice(t *testing.T) {
	c := load(t)
	seen := map[string]string{}
	check := func(id string, names []string) {
		for _, n := range names {
			n = strings.ToLower(n)
			if other, ok := seen[n]; ok && other != id {
				t.Errorf("%s means %s and %s", n, other, id)
			}
			seen[n] = id
		}
	}
	for i := range c.GPUs() {
		check("GPU "+c.GPUs()[i].ID, c.GPUs()[i].names())
	}
	for i := range c.NodeTypes() {
		check("node type "+c.NodeTypes()[i].Name, c.NodeTypes()[i].names())
	}
	twice := &Catalogue{gpus: []GPU{{ID: "T4"}, {ID: "t4"}}}
	if err := twice.index(); err == nil || err.Error() != "two entries of the catalogue are named t4" {
		t.Error(err)
	}
}

func TestColumnsAreDescribed(t *testing.T) {
	fields := []Field{{Name: "id"}, {Name: "tdp_w"}}
	for header, want := range map[string]string{
		"id tdp_w read notes":      "",
		"id tdp_w fans read notes": "gpus.csv: column fans is not in columns.csv",
		"id read notes":            "gpus.csv: it has no column tdp_w",
		"id tdp_w notes":           "gpus.csv: it has no column read",
	} {
		got := ""
		if err := described(fields, strings.Fields(header)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b)
	}
}
