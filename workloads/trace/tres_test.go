package trace

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// resourceWords writes resources in short.
func resourceWords(r Resources, err error) string {
	if err != nil {
		return "error"
	}
	var b strings.Builder
	if !r.Known {
		b.WriteString("unknown ")
	}
	fmt.Fprintf(&b, "gpus %d", r.GPUs)
	for _, m := range r.Models {
		fmt.Fprintf(&b, " %s %d", m.Model, m.Count)
	}
	if r.Slices > 0 {
		fmt.Fprintf(&b, " slices %d", r.Slices)
	}
	for _, m := range r.Profiles {
		fmt.Fprintf(&b, " %s %d", m.Model, m.Count)
	}
	if r.Shards > 0 {
		fmt.Fprintf(&b, " shards %d", r.Shards)
	}
	if r.Warning != "" {
		b.WriteString(" warning")
	}
	return b.String()
}

func TestFieldResources(t *testing.T) {
	for file, cases := range map[string]map[string]string{
		"tres.txt": {
			"a": "gpus 4 a100 4", "b": "gpus 2 a100 2", "c": "gpus 3 nvidia_geforce_rtx_2080_ti 3", "d": "gpus 3 a100 1 h100 2", "e": "unknown gpus 0",
			"f": "gpus 1 shards 8", "g": "gpus 0 slices 3 a100_1g.5gb 3", "h": "gpus 0", "i": "unknown gpus 0", "j": "gpus 3 a100 2 warning",
			"k": "unknown gpus 0", "l": "gpus 2 a100 2", "m": "error", "n": "error",
		},
		"gres.txt": {
			"p": "gpus 8", "q": "gpus 8 a100 8", "r": "gpus 3 tesla 3", "s": "gpus 0 tesla 0", "t": "gpus 0", "u": "gpus 0", "v": "gpus 8 a100 2 h100 6 shards 8",
			"w": "gpus 0 slices 3 a100_3g.20gb 2 a100_1g.5gb 1", "x": "gpus 1", "y": "unknown gpus 0",
		},
	} {
		f, err := os.Open(shared(t, "field", "07-tres-strings", file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Scan() // the header
		n := 0
		for lines.Scan() {
			name, text, _ := strings.Cut(lines.Text(), "|")
			parse := ParseGRES
			if file == "tres.txt" {
				parse = ParseTRES
			}
			r, err := parse(text)
			is(t, file+" "+name, resourceWords(r, err), cases[name])
			n++
			switch {
			case name == "d":
				is(t, "memory of d", r.Memory, int64(1649267441664))
			case name == "e":
				is(t, "memory of e", r.Memory, int64(4194304000))
			case err != nil && !strings.Contains(err.Error(), "gres/gpu="):
				t.Errorf("%s: %v does not name the entry", name, err)
			}
		}
		is(t, "cases of "+file, n, len(cases))
	}
}

func TestResourceForms(t *testing.T) {
	for text, want := range map[string]string{
		"gres/gpu:h100=8": "gpus 8 h100 8", "gres:gpu:2": "gpus 2", "gres/gpu:a100:4": "gpus 4 a100 4", "gpu:a100": "gpus 1 a100 1", "gpu:no_consume:4": "gpus 4",
		"gpu:rtx3090:1,gpu:2": "gpus 3 rtx3090 1", "gpu:3g.20gb:2": "gpus 0 slices 2 3g.20gb 2", "gpu:a100:-1": "error", "gpu:a:b:3": "error",
		"gpu:4(S:0,2),tmp:1G(S:0)": "gpus 4", "craynetwork:4": "gpus 0", "gpu=3": "gpus 3", "shard:a100:4": "gpus 0 shards 4", "gpu:3090": "gpus 3090",
	} {
		r, err := ParseGRES(text)
		is(t, text, resourceWords(r, err), want)
	}
	for text, want := range map[string]string{
		"gpu=2": "gpus 2", "cpu=1,gres/gpu:1g.5gb=1,gres/gpu:a100=1,gres/gpu=2": "gpus 1 a100 1 slices 1 1g.5gb 1", "(null)": "unknown gpus 0",
		"cpu=x": "error", "mem=12Q": "error", "gres/gpu=1.5": "error", "cpu": "error", "gres/gpu=99999999999999999999": "error", "gres/gpu:a100=2,gres/gpu=1": "gpus 1 a100 2 warning",
		"GRES/GPU=2,": "gpus 2", "mem=1,gres/gpu=1": "gpus 1",
	} {
		r, err := ParseTRES(text)
		is(t, text, resourceWords(r, err), want)
	}
	for text, want := range map[string]int64{"512": 512 << 20, "1K": 1 << 10, "2GiB": 2 << 30, "0.5T": 1 << 39, "0": 0, "4000m": 4000 << 20} {
		v, why := slurmBytes([]byte(text), 1<<20)
		is(t, text+why, v, want)
	}
}

func FuzzResources(f *testing.F) {
	f.Add("billing=64,cpu=32,gres/gpu=4,gres/gpu:a100=4,mem=256G,node=1")
	f.Add("gpu:a100:8(S:0,2),shard:8")
	f.Fuzz(func(t *testing.T, s string) {
		for _, parse := range []func(string) (Resources, error){ParseTRES, ParseGRES} {
			if r, err := parse(s); err == nil && (r.GPUs < 0 || r.Slices < 0 || r.Shards < 0 || r.Memory < 0 || r.CPUMilli < 0 || r.Nodes < 0) {
				t.Errorf("%q: %+v", s, r)
			}
		}
	})
}
