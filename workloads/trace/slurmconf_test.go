package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSlurmConf(t *testing.T) {
	tr := mustOpen(t, "slurm-conf", "testdata/slurm", Options{Map: map[string]map[string]string{"gpu_type": {"x1": "X-ONE"}}})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(13))
	is(t, "accepted", rep.Accepted, int64(6))
	counted(t, rep, "out-of-service", Skipped, 4, 5)
	counted(t, rep, "not-a-number", Rejected, 1, 9)
	counted(t, rep, "duplicate-id", Rejected, 1, 12)
	counted(t, rep, "bad-quantity", Rejected, 1, 13)
	counted(t, rep, "gres-unknown", Noted, 1, 6)
	counted(t, rep, "gres-mismatch", Noted, 1, 6)
	counted(t, rep, "mig-slices", Noted, 1, 11)
	counted(t, rep, "unknown-line", Noted, 5, 8)
	counted(t, rep, "unknown-node", Noted, 3, 0)
	is(t, "cluster", rep.Cluster.Nodes*100+rep.Cluster.GPUs, int64(1019))
	is(t, "usable", rep.Cluster.Usable, int64(12))
	nodes, err := tr.Nodes()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s:%d:%s:%d:%d ", n.Name, n.GPUs, n.Model, n.CPUMilli/1000, n.Memory>>20)
	}
	is(t, "nodes", b.String(), "a01:4:X-ONE:8:1000 a02:4:X-ONE:8:1000 b1:2:k9:16:2000 b2:2::16:2000 c1:0::16:1000 f1:0::2:1000 ")
}

func TestFieldSlurmConf(t *testing.T) {
	dir := shared(t, "field", "08-slurm-gres-mismatch")
	for _, paths := range [][]string{{dir}, {filepath.Join(dir, "slurm.conf")}, {filepath.Join(dir, "slurm.conf"), filepath.Join(dir, "gres.conf")}} {
		tr, err := Open("slurm-conf", paths, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rep := tr.Report()
		want := `{"nodes":9,"gpus":44,"usable_gpus":32,"out_of_service":[` +
			`{"node":"gpu004","reason":"gres/gpu: 7 found where 8 are configured","configured":8,"found":7},` +
			`{"node":"gpu013","reason":"gres/gpu: 0 found where 4 are configured","configured":4,"found":0}]}`
		is(t, "cluster", mustJSON(t, rep.Cluster), want)
		facts := mustJSON(t, rep.Facts)
		for _, part := range []string{`"max_time_s":172800`, `"max_time_s":null`, `"billing_rule":"sum"`, `"GRES/gpu":"16.0"`} {
			if !strings.Contains(facts, part) {
				t.Errorf("the facts %s lack %s", facts, part)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "slurm.conf"))
	if err != nil {
		t.Fatal(err)
	}
	rep := open(t, "slurm-conf", string(text)+"NoSuchKey=5\n", Options{}).Report()
	counted(t, rep, "unknown-line", Noted, 1, int64(strings.Count(string(text), "\n")+1))
}

func TestOutOfServiceIsNamed(t *testing.T) {
	const text = "job_id,submit_s,run_s,gpus\na,0,1,36\n"
	seven := int64(7)
	c := Cluster{Nodes: []Node{{Name: "a", GPUs: 32}, {Name: "b", GPUs: 8}}, OutOfService: []OutOfService{{Node: "b", Reason: "7 of 8", Found: &seven}}}
	rows, err := open(t, "native", text, Options{}).JobRows(&c)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(rows[0].Notes, "; "); len(rows[0].Eligible) > 0 || !strings.Contains(notes, "32 in all") || !strings.Contains(notes, "b (7 of 8)") {
		t.Errorf("%v %s", rows[0].Eligible, notes)
	}
}

func TestExpandHosts(t *testing.T) {
	for text, want := range map[string]string{
		"gpu[001-003,010]": "gpu001 gpu002 gpu003 gpu010", "a,b1": "a b1", "r[0-1]n[1-2]": "r0n1 r0n2 r1n1 r1n2", "cpu[9-11]x": "cpu9x cpu10x cpu11x", "": "",
		"n[3-1]": "error", "n[1": "error", "n[a-b]": "error", "n[1-99999999]": "error", "n]1": "n]1",
	} {
		list, err := expandHosts(text)
		got := strings.Join(list, " ")
		if err != nil {
			got = "error"
		}
		is(t, text, got, want)
	}
}

func BenchmarkSlurmConf(b *testing.B) {
	var s strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&s, "NodeName=r%dn[001-010] CPUs=64 RealMemory=512000 Gres=gpu:a100:8 State=UNKNOWN\n", i)
	}
	path := filepath.Join(b.TempDir(), "slurm.conf")
	if err := os.WriteFile(path, []byte(s.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open("slurm-conf", []string{path}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
