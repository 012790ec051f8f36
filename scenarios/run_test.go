package scenarios

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/sim/event"
)

// run parses and runs a text into a folder.
func run(t *testing.T, text, dir string, formats ...table.Format) *Outcome {
	t.Helper()
	s, err := Parse("test.yaml", ".", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(RunOptions{Dir: dir, Formats: formats, Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// all reads every file of a run folder but timing.json.
func all(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() != "timing.json" {
			b, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			m[f.Name()] = string(b)
		}
	}
	return m
}

func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d files and %d", len(a), len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func TestSameBytesOnAnyNumberOfCores(t *testing.T) {
	for _, name := range []string{"quickstart", "golden/023-tiresias-discretised-2dlas", "jobs/shapes", "placement/random"} {
		data, _ := Builtin(name)
		dir := t.TempDir()
		old := runtime.GOMAXPROCS(1)
		run(t, string(data), filepath.Join(dir, "a"), table.Formats()...)
		runtime.GOMAXPROCS(4)
		run(t, string(data), filepath.Join(dir, "b"), table.Formats()...)
		runtime.GOMAXPROCS(old)
		same(t, all(t, filepath.Join(dir, "a")), all(t, filepath.Join(dir, "b")))
	}
}

func TestResolvedScenarioGivesTheSameFolder(t *testing.T) {
	names := BuiltinNames()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			data, _ := Builtin(name)
			dir := t.TempDir()
			run(t, string(data), filepath.Join(dir, "a"), table.CSV)
			resolved, err := os.ReadFile(filepath.Join(dir, "a", "scenario.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			run(t, string(resolved), filepath.Join(dir, "b"), table.CSV)
			same(t, all(t, filepath.Join(dir, "a")), all(t, filepath.Join(dir, "b")))
		})
	}
}

func TestJobsOfARunAreATrace(t *testing.T) {
	data, _ := Builtin("quickstart")
	dir := t.TempDir()
	run(t, string(data), filepath.Join(dir, "a"), table.CSV)
	out := run(t, "{apiVersion: gpusim/v1, kind: Scenario, name: again, cluster: {nodes: [{count: 2, name: dgx, gpu: A100-SXM4-80GB, gpus: 8}]}, workload: {trace: {format: native, path: "+
		filepath.Join(dir, "a", "jobs.csv")+"}}, policy: {order: fifo, backfill: easy, placement: best-fit}}", filepath.Join(dir, "b"), table.CSV)
	if n := out.Summary.Jobs.Completed; n != 12 {
		t.Errorf("%d of 12 jobs completed", n)
	}
}

func TestChangedTraceIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("job_id,submit_s,run_s,gpus\n1,0,10,1\n")
	run(t, "{apiVersion: gpusim/v1, kind: Scenario, name: t, cluster: {nodes: [{name: n, gpus: 1}]}, workload: {trace: {format: native, path: "+path+"}}}", filepath.Join(dir, "a"), table.CSV)
	resolved, err := os.ReadFile(filepath.Join(dir, "a", "scenario.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("r", ".", resolved, nil); err != nil {
		t.Fatal(err)
	}
	write("job_id,submit_s,run_s,gpus\n1,0,11,1\n")
	if _, err := Parse("r", ".", resolved, nil); err == nil || !strings.Contains(err.Error(), "have changed") {
		t.Errorf("%v", err)
	}
}

func TestClusterFromATrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes.csv")
	if err := os.WriteFile(path, []byte("sn,cpu_milli,memory_mib,gpu,model\nx,32000,131072,2,T4\ny,96000,786432,8,V100M32\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := run(t, "{apiVersion: gpusim/v1, kind: Scenario, name: t, cluster: {trace: {format: openb-nodes, path: "+path+"}}, workload: {jobs: [{id: a, duration: 5s, gpus: 8, nodes: 1, gpu_type: V100M32}, {id: b, duration: 5s, gpus: 1, gpu_type: T4, cpus: 33}]}}", filepath.Join(dir, "run"), table.CSV)
	if out.Summary.GPU.Total != 10 || out.Summary.Jobs.Completed != 1 || out.Summary.Jobs.Rejected != 1 {
		t.Errorf("%+v", out.Summary.Jobs)
	}
}

func TestNothingRan(t *testing.T) {
	for name, jobs := range map[string]string{
		"empty":    "[]",
		"rejected": "[{id: a, duration: 5s, gpus: 9}, {id: b, submit: 3s, duration: 5s, gpus: 4, gpu_type: H100-SXM5-80GB}]",
	} {
		dir := filepath.Join(t.TempDir(), "run")
		out := run(t, "{apiVersion: gpusim/v1, kind: Scenario, name: t, cluster: {nodes: [{name: n, gpu: T4, gpus: 8}]}, workload: {jobs: "+jobs+"}}", dir, table.CSV)
		s := out.Summary
		if s.Makespan != nil || s.Wait.Mean != nil || s.JCT.Mean != nil || s.GPU.Ratio != nil || s.Jobs.Completed != 0 || s.Jobs.Submitted != s.Jobs.Rejected {
			t.Errorf("%s: %+v", name, s)
		}
		if len(out.Warnings) == 0 {
			t.Errorf("%s: no warning", name)
		}
		if f, err := folder.Open(dir); err != nil {
			t.Error(err)
		} else if tab, err := f.Table("jobs"); err != nil || tab.Rows() != int(s.Jobs.Submitted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHorizon(t *testing.T) {
	const text = `{apiVersion: gpusim/v1, kind: Scenario, name: t, horizon: 10s, cluster: {nodes: [{name: n, gpus: 4}]}, workload: {jobs: [
	{id: done, duration: 10s, gpus: 1}, {id: runs, duration: 20s, gpus: 2}, {id: waits, submit: 1s, duration: 5s, gpus: 4}, {id: late, submit: 10s, duration: 1s, gpus: 1}]}}`
	out := run(t, text, filepath.Join(t.TempDir(), "run"), table.CSV)
	s := out.Summary
	if s.Jobs.Submitted != 3 || s.Jobs.Completed != 1 || s.Jobs.Unfinished != 2 || *s.Makespan != "10" || *s.GPU.Allocated != "30" || *s.GPU.Capacity != "40" {
		t.Errorf("%+v %+v %s", s.Jobs, s.GPU, *s.Makespan)
	}
}

func TestInterruptedRunSaysSo(t *testing.T) {
	var b strings.Builder
	b.WriteString("job_id,submit_s,run_s,gpus\n")
	for i := 0; i < 5000; i++ {
		b.WriteString(strings.Join([]string{strconv.Itoa(i), strconv.Itoa(i), "10", "1"}, ",") + "\n")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Parse("t", ".", []byte("{apiVersion: gpusim/v1, kind: Scenario, name: t, cluster: {nodes: [{name: n, gpus: 4}]}, workload: {trace: {format: native, path: "+path+"}}}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run(RunOptions{Dir: filepath.Join(dir, "run"), Formats: []table.Format{table.CSV}, Poll: func(_ event.Time, _, ended uint64) bool { return ended < 1500 }})
	if err != nil {
		t.Fatal(err)
	}
	if j := out.Summary.Jobs; out.Summary.Complete || j.Unfinished == 0 || j.Submitted != j.Completed+j.Unfinished {
		t.Errorf("complete %v, %+v", out.Summary.Complete, j)
	}
}
