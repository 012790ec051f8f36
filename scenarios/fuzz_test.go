package scenarios

import (
	"strings"
	"testing"
	"time"

	"gpusim/hardware/units"
	"gpusim/sim/event"
)

// FuzzScenario gives the loader anything: it must answer within a second, with
// an error or a scenario, and a small scenario must run to its end.
func FuzzScenario(f *testing.F) {
	for _, name := range BuiltinNames() {
		if data, _ := Builtin(name); len(data) < 2000 {
			f.Add(string(data))
		}
	}
	head := oneNode + "workload: {jobs: [{id: a, duration: 10s, gpus: 1"
	for _, s := range []string{
		"", "\ufeff", "a: &a [*a, *a]\nb: *a\n", "- 1\n- 2\n", "x: !!binary aGk=\n", "---\n---\n",
		oneNode, oneNode + "workload: {jobs: []}\n", oneNode + "workload: {jobs: [null]}\n", oneNode + "workload: {trace: {format: native, path: x}}\n",
		head + ", array: 0-9%2, depends_on: [a]}]}\n",
		head + "}, {id: b, duration: 1h, gpu_fraction: 0.5}]}\npolicy: {order: {name: las, quantum: 1ns}, preemption: {name: checkpoint, interval: 1ns, cost: 1s, grace: 1s, min_run: 1s}}\n",
		head + ", nodes: 1, outcome: {fail_after: 0s}, deadline: 0s, time_limit: 0s}]}\npolicy: {order: {name: tiresias, queues: [1e-10], promote: 0.001}, enforce_time_limits: true, rounds: event}\n",
		strings.ReplaceAll(head, "gpus: 4", "gpus: 4, count: 3") + ", gpus_per_node: 2, nodes: 9}]}\nhorizon: 0s\nexpect: {jobs: {a: {start: null}}, summary: {wait_s.mean: {min: 1}}}\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "path") {
			t.Skip("files of this machine are not a part of the input")
		}
		begin := time.Now()
		s, err := Parse("fuzz.yaml", t.TempDir(), []byte(text), nil)
		if d := time.Since(begin); d > time.Second && len(text) < 10_000 && (err != nil || len(s.Jobs)+len(s.Spec.Nodes) < 1000) {
			t.Errorf("reading took %v", d)
		}
		if err != nil {
			if msg := err.Error(); !strings.Contains(msg, "fuzz.yaml:") {
				t.Errorf("the error has no position: %s", msg)
			}
			return
		}
		gpus := 0
		for _, n := range s.Spec.Nodes {
			gpus += n.GPUs
		}
		if len(s.Jobs) > 100 || gpus > 10_000 || len(s.Spec.Nodes) > 100 {
			return
		}
		s.horizon(event.Hour)
		rounds := 0
		out, err := s.Run(RunOptions{Debug: true, Poll: func(event.Time, uint64, uint64) bool { rounds++; return rounds < 5 }})
		if err != nil {
			t.Fatal(err)
		}
		r := out.Result
		if r.Submitted != r.Completed+r.Failed+r.Rejected+r.Cancelled+r.Unfinished {
			t.Errorf("%+v", r)
		}
		if _, err := s.Resolved(); err != nil {
			t.Error(err)
		}
	})
}

// horizon ends the run at t or earlier.
func (s *Scenario) horizon(t event.Time) {
	if s.Horizon() > t {
		d := units.Duration(t)
		s.Doc.Horizon = &d
	}
}
