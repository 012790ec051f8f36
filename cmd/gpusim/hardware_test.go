package main

import (
	"encoding/csv"
	"strings"
	"testing"

	"gpusim/hardware/catalogue"
)

func TestHardwareListShowsUnknownAsUnknown(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := gpusim(t, "hardware", "list").must(t)
	r.says(t, r.out, "A100-SXM4-80GB", "2039", "dgx-h100", "8 x H100-SXM5-80GB", "- is not known")
	for _, line := range strings.Split(r.out, "\n") {
		if strings.HasPrefix(line, "K80 ") && strings.Join(strings.Fields(line), " ") != "K80 12 240 - - 149 - 0" {
			t.Errorf("K80: %q", line)
		}
	}

	doc := gpusim(t, "hardware", "list", "--output", "json").object(t)
	same(t, "GPUs", len(at(t, doc, "gpus").([]any)), len(c.GPUs()))
	same(t, "node types", len(at(t, doc, "node_types").([]any)), len(c.NodeTypes()))
	same(t, "K80", at(t, doc, "gpus", 0), map[string]any{"id": "K80", "smi_name": "Tesla K80", "vendor": "NVIDIA", "mem_gb": 12, "mem_type": "GDDR5",
		"mem_bw_gbps": 240, "fp16_dense": nil, "bf16_dense": nil, "tdp_w": 149, "nvlink_total_gbps": nil, "mig_max": 0})
	for _, n := range at(t, doc, "node_types").([]any) {
		if at(t, n, "id") == "dgx-b200" {
			same(t, "memory of a dgx-b200", at(t, n, "memory_gib"), nil)
			same(t, "cores of a dgx-b200", at(t, n, "cpu_cores"), 112)
		}
	}

	rows, err := csv.NewReader(strings.NewReader(gpusim(t, "hardware", "list", "--output", "csv").must(t).out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "rows", len(rows), 1+len(c.GPUs())+len(c.NodeTypes()))
	same(t, "K80", strings.Join(rows[1], ","), "gpu,K80,12,240,,,149,,0,,,,")
}

func TestHardwareShowHasEveryFigureAndItsSource(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range c.GPUs() {
		doc := gpusim(t, "hardware", "show", g.ID, "--output", "json").object(t)
		same(t, "kind", at(t, doc, "kind"), "gpu")
		fields := at(t, doc, "fields").([]any)
		same(t, g.ID+": figures", len(fields), len(g.Fields))
		for i, f := range fields {
			v := g.Fields[i]
			same(t, "name", at(t, f, "name"), v.Name)
			if (at(t, f, "value") == nil) == v.Known || (at(t, f, "source") == nil) == v.Known {
				t.Errorf("%s %s: %v, known %v", g.ID, v.Name, f, v.Known)
			}
		}
	}
	for _, n := range c.NodeTypes() {
		doc := gpusim(t, "hardware", "show", n.Name, "--output", "json").object(t)
		same(t, "kind", at(t, doc, "kind"), "node")
		same(t, n.Name+": figures", len(at(t, doc, "fields").([]any)), len(n.Fields))
	}
	r := gpusim(t, "hardware", "show", "nvidia h100 80gb hbm3").must(t)
	r.says(t, r.out, "H100-SXM5-80GB\n", "3350 GB/s", "] read at a source", "] memory of the datasheet, unverified\n", "unknown")
	r = gpusim(t, "hardware", "show", "dgx-b200").must(t)
	r.says(t, r.out, "B200-SXM-180GB", "unknown", "SuperPOD", "gpusim hardware show B200-SXM-180GB")
	doc := gpusim(t, "hardware", "show", "H100-SXM5-80GB", "--output", "json").object(t)
	for _, f := range at(t, doc, "fields").([]any) {
		switch at(t, f, "name") {
		case "cc": // a name, not a number
			same(t, "cc", at(t, f, "value"), "9.0")
		case "mem_bw_gbps":
			same(t, "bandwidth", at(t, f, "value"), 3350)
			same(t, "unit", at(t, f, "unit"), "GB/s")
		}
	}
	rows, err := csv.NewReader(strings.NewReader(gpusim(t, "hardware", "show", "K80", "--output", "csv").must(t).out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "header", strings.Join(rows[0], ","), "name,value,unit,status,source,doc")
	same(t, "rows", len(rows), 1+len(c.GPUs()[0].Fields))
}

func TestHardwareRefuses(t *testing.T) {
	gpusim(t, "hardware", "show", "A100-SXM-80GB").refused(t, `"A100-SXM-80GB"`, "did you mean A100-SXM4-80GB", "gpusim hardware list")
	gpusim(t, "hardware", "show", "h100").refused(t, "H100-PCIE-80GB or H100-SXM5-80GB", "dgx-h100")
	gpusim(t, "hardware", "show", "dgx_h200").refused(t, "did you mean dgx-h200?")
	gpusim(t, "hardware", "show", "").refused(t, "there is no GPU or node type")
	gpusim(t, "hardware", "show").refused(t, "GPU or node type")
	gpusim(t, "hardware", "list", "--output", "xml").refused(t, "--output", "csv")
	gpusim(t, "hardware", "lists").refused(t, "lists")
}
