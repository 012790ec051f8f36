package topology

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func nodes(t testing.TB) []Known {
	t.Helper()
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestNodesAreTheSharedOnes compares links and affinity with topology.yaml,
// whose matrices stand a row a line.
func TestNodesAreTheSharedOnes(t *testing.T) {
	row := regexp.MustCompile(`(?m)^  - \[(.*)\]$`)
	list := nodes(t)
	seen := 0
	for _, system := range strings.Split(shared(t, "hardware", "topology.yaml"), "\n- id: ")[1:] {
		id, text, _ := strings.Cut(system, "\n")
		k, ok := Find(list, id)
		if !ok {
			t.Errorf("there is no node %s", id)
			continue
		}
		seen++
		gpus := len(k.GPUs)
		var got []string
		for _, r := range k.Links[:gpus] {
			got = append(got, strings.ReplaceAll(strings.Join(linkTexts(r[:gpus]), ", "), "N/A", ""))
		}
		for _, r := range k.Links[:gpus] {
			if len(k.NICs) > 0 {
				got = append(got, strings.Join(linkTexts(r[gpus:]), ", "))
			}
		}
		var want []string
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			want = append(want, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", id, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		var cpus []string
		for _, m := range regexp.MustCompile(`cpu_affinity: (.*)\n    numa_affinity: (.*)\n`).FindAllStringSubmatch(text, -1) {
			cpus = append(cpus, m[1]+" "+m[2])
		}
		for i, g := range k.GPUs {
			if len(cpus) > 0 && g.CPUs+" "+g.NUMA != cpus[i] || len(cpus) == 0 && g.CPUs+g.NUMA != "" {
				t.Errorf("%s: GPU%d has %q %q, want %q", id, i, g.CPUs, g.NUMA, cpus)
			}
		}
	}
	if seen != 12 {
		t.Errorf("%d systems", seen)
	}
}

func linkTexts(links []Link) []string {
	var list []string
	for _, l := range links {
		list = append(list, string(l))
	}
	return list
}

func TestNodesAreSound(t *testing.T) {
	for _, k := range nodes(t) {
		for i, row := range k.Links {
			nv := 0
			for j, l := range row {
				if l != k.Links[j][i] || (l == Self) != (i == j) {
					t.Errorf("%s: %d,%d", k.Name, i, j)
				}
				nv += l.NVLinks()
			}
			if k.Name == "dgx-1v" && i < len(k.GPUs) && nv != 6 {
				t.Errorf("dgx-1v: GPU%d has %d links", i, nv)
			}
		}
		if len(k.Sources) == 0 {
			t.Errorf("%s: no source", k.Name)
		}
	}
	k, _ := Find(nodes(t), "DGX-A100-40GB")
	if k == nil || k.Links[8][9] != Unknown || k.Links[8][10] != SYS {
		t.Error("links between NICs: known only where they follow")
	}
	v, _ := Find(nodes(t), "dgx-1v")
	if got, worst, err := v.Pick(4, nil); err != nil || worst != "NV1" || !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("four of a DGX-1: %v %s %v", got, worst, err)
	}
	ring := v.Ring()
	for i, a := range ring {
		if l := v.Links[a][ring[(i+1)%8]]; l.NVLinks() == 0 {
			t.Errorf("ring of a DGX-1 %v has %s", ring, l)
		}
	}
}
