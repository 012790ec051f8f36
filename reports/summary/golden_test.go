package summary

import (
	"encoding/json"
	"math"
	"testing"

	"gpusim/reports/record"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// Golden 073: four jobs on eight GPUs, with times set by hand, go through the
// recorder; every figure is known from the definitions.
func TestBasicMetrics(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Nodes: []cluster.NodeSpec{{Name: "n", GPUs: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	res := &sim.Result{Complete: true, Ran: true}
	for i, r := range []struct {
		id                    string
		submit, start, finish event.Time
		gpus                  int
	}{{"a", 0, 0, 100, 4}, {"b", 10, 70, 72, 1}, {"c", 20, 100, 400, 2}, {"d", 30, 30, 40, 1}} {
		spec := &workloads.Job{ID: r.id, GPUs: r.gpus, Share: 1000}
		req, err := c.Request(spec)
		if err != nil {
			t.Fatal(err)
		}
		submit, start, finish := r.submit*event.Second, r.start*event.Second, r.finish*event.Second
		j := &cluster.Job{Spec: spec, Req: req, Index: int32(i)}
		rec.Submitted(j, submit)
		rec.Started(j, start)
		j.State, j.Eligible, j.Attempts = cluster.Completed, submit, 1
		j.Waited, j.Productive = start-submit, finish-start
		rec.Ended(j, finish, cluster.ReasonCompleted)
		res.Submitted++
		res.Completed++
		res.Allocated.Add(req.Milli(), finish-start)
		res.End = max(res.End, finish)
	}
	res.Productive = res.Allocated
	res.Capacity.Add(8000, res.End-res.First)
	s := New(Run{Scenario: "golden", Seed: 1, Horizon: event.Never, Cluster: c, Result: res}, rec)

	for _, f := range []struct {
		what string
		got  *json.Number
		want float64
	}{
		{"mean wait", s.Wait.Mean, (0 + 60 + 80 + 0) / 4.0},
		{"median wait", s.Wait.P50, 30},
		{"p95 of wait", s.Wait.P95, 77},
		{"longest wait", s.Wait.Max, 80},
		{"mean completion", s.JCT.Mean, (100 + 62 + 380 + 10) / 4.0},
		{"longest completion", s.JCT.Max, 380},
		{"mean bounded slowdown", s.Slowdown.Mean, 2.3666666666666667},
		{"longest bounded slowdown", s.Slowdown.Max, 6.2},
		{"makespan", s.Makespan, 400},
		{"GPU-seconds", s.GPU.Allocated, 1012},
		{"allocation", s.GPU.Ratio, 0.31625},
		{"share that waited", s.Waited, 0.5},
	} {
		if f.got == nil {
			t.Errorf("%s: null, want %v", f.what, f.want)
			continue
		}
		got, err := f.got.Float64()
		if err != nil || math.Abs(got-f.want) > 1e-12*f.want {
			t.Errorf("%s: got %v, want %v", f.what, *f.got, f.want)
		}
	}
	if s.Jobs.Submitted != 4 || s.Jobs.Completed != 4 {
		t.Errorf("jobs: %+v", s.Jobs)
	}
}

func TestFiguresWithoutBasisAreNull(t *testing.T) {
	for _, d := range []Dist{Times(nil), Values(nil)} {
		if d != (Dist{}) {
			t.Errorf("a distribution of nothing has figures: %+v", d)
		}
	}
}

// Type 7: p95 of 0, 0, 60, 80 lies at position 2.85.
func TestPercentilesAreLinear(t *testing.T) {
	ts := []event.Time{60 * event.Second, 0, 80 * event.Second, 0}
	if d := Times(ts); *d.P95 != "77" || *d.P50 != "30" || *d.Max != "80" {
		t.Errorf("times: p50 %s, p95 %s, max %s", *d.P50, *d.P95, *d.Max)
	}
	if d := Values([]float64{60, 0, 80, 0}); *d.P95 != "77" || *d.P50 != "30" {
		t.Errorf("values: p50 %s, p95 %s", *d.P50, *d.P95)
	}
}
