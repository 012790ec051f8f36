package main

import (
	"os"
	"strings"
	"testing"
)

func TestFieldTopology(t *testing.T) {
	path := field(t, "17-topo-matrix", "topo.txt")
	topo := func(more ...string) map[string]any {
		return gpusim(t, append([]string{"hardware", "topo", "--read", path, "--output", "json"}, more...)...).object(t)
	}
	doc := topo()
	same(t, "keys", keys(doc), []string{"gpus", "links", "pick", "ring", "worst"})
	same(t, "GPU 2", at(t, doc, "gpus", 2), map[string]any{"index": 2, "cpus": "28-55,84-111", "numa": 1, "nearest_nic": "NIC1"})
	same(t, "links", at(t, doc, "links"), [][]string{{"X", "NV12", "SYS", "SYS"}, {"NV12", "X", "SYS", "SYS"}, {"SYS", "SYS", "X", "NODE"}, {"SYS", "SYS", "NODE", "X"}})
	same(t, "nothing asked for", []any{at(t, doc, "pick"), at(t, doc, "worst")}, []any{nil, nil})
	same(t, "ring", at(t, doc, "ring"), []int{0, 1, 2, 3})
	for busy, want := range map[string][]any{"": {[]int{0, 1}, "NV12"}, "0": {[]int{2, 3}, "NODE"}, "0,2": {[]int{1, 3}, "SYS"}} {
		doc := topo("--pick", "2", "--busy", busy)
		same(t, "busy "+busy, []any{at(t, doc, "pick"), at(t, doc, "worst")}, want)
	}
	same(t, "all four", at(t, topo("--pick", "4"), "worst"), "SYS")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	gpusimWith(t, strings.Replace(string(data), "GPU1\tNV12", "GPU1\tSYS", 1), "hardware", "topo", "--read", "-").
		refused(t, "row GPU0, column GPU1 says NV12", "row GPU1, column GPU0 says SYS")
	r := gpusim(t, "hardware", "topo", "--read", path, "--pick", "2").must(t)
	r.says(t, r.out, "GPU0\t X \tNV12\tSYS\tSYS\tPIX\tSYS\t0-27,56-83\t0\t\tN/A\n", "  NIC1: mlx5_1\n", "picked GPU0, GPU1 (worst link NV12)")
}

func TestHardwareTopo(t *testing.T) {
	r := gpusim(t, "hardware", "topo", "dgx-h100").must(t)
	r.says(t, r.out, "\tGPU0\tGPU1\t", "GPU7\tNV18\t", "56-111,168-223\t1\t\tN/A\n", "NIC7\tSYS\t", "Legend:\n\n  X    = Self")
	r.says(t, r.err, "dgx-h100: links affinity: read: nvidia-smi topo -m of hosts")
	again := gpusimWith(t, r.out, "hardware", "topo", "--read", "-").must(t)
	same(t, "read back", again.out, r.out)
	doc := gpusim(t, "hardware", "topo", "pcie-4gpu-1s", "--output", "json").object(t)
	same(t, "unknown", at(t, doc, "gpus", 0), map[string]any{"index": 0, "cpus": nil, "numa": nil, "nearest_nic": nil})
	r = gpusim(t, "hardware", "topo", "dgx-a100-40gb", "--output", "csv").must(t)
	r.says(t, r.out, "from,to,link\nGPU0,GPU1,NV12\n", "NIC0,NIC1,N/A\n", "NIC0,NIC2,SYS\n")

	gpusim(t, "hardware", "topo").refused(t, "needs a NODE", "--read FILE")
	gpusim(t, "hardware", "topo", "dgx_h100").refused(t, `unknown node "dgx_h100"; did you mean dgx-h100?`)
	gpusim(t, "hardware", "topo", "dgx-2", "--read", "x").refused(t, "not both")
	gpusim(t, "hardware", "topo", "--read", "none.txt").refused(t, "none.txt")
	gpusim(t, "hardware", "topo", "dgx-2", "--busy", "1").refused(t, "--pick")
	gpusim(t, "hardware", "topo", "dgx-2", "--pick", "2", "--busy", "16").refused(t, "no GPU16")
	gpusim(t, "hardware", "topo", "dgx-2", "--pick", "2", "--busy", "a").refused(t, `"a" is no index`)
	gpusim(t, "hardware", "topo", "dgx-2", "--pick", "16", "--busy", "3").refused(t, "15 of 16 are free")
	gpusim(t, "hardware", "topo", "dgx-2", "--pick", "0").refused(t, "ask for 1 or more")
}
