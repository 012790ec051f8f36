package sim_test

import (
	"fmt"
	"io"
	"testing"

	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// slice is a source of given jobs.
type slice struct {
	jobs []*workloads.Job
	i    int
}

func (s *slice) Next() (*workloads.Job, error) {
	if s.i == len(s.jobs) {
		return nil, io.EOF
	}
	s.i++
	return s.jobs[s.i-1], nil
}

// stretch is one stretch of a job on GPUs.
type stretch struct{ from, to event.Time }

// outcome is what became of a job.
type outcome struct {
	start, end event.Time
	state      cluster.State
	on         []stretch
	nodes      map[string]bool
	waited     event.Time
}

// recorder keeps everything.
type recorder struct {
	sim.Null
	c    *cluster.Cluster
	jobs map[string]*outcome
}

func (r *recorder) Submitted(j *cluster.Job, _ event.Time) {
	r.jobs[j.Spec.ID] = &outcome{start: -1, nodes: map[string]bool{}}
}

func (r *recorder) Started(j *cluster.Job, now event.Time) {
	o := r.jobs[j.Spec.ID]
	if o.start < 0 {
		o.start = now
	}
	for _, ch := range j.Chunks {
		o.nodes[r.c.Spec().Nodes[r.c.NodeOf(ch)].Name] = true
	}
}

func (r *recorder) Stopped(j *cluster.Job, now event.Time, _ cluster.Reason) {
	o := r.jobs[j.Spec.ID]
	o.on = append(o.on, stretch{j.LastStart, now})
}

func (r *recorder) Ended(j *cluster.Job, now event.Time, _ cluster.Reason) {
	o := r.jobs[j.Spec.ID]
	o.end, o.state, o.waited = now, j.State, j.Waited
}

// setup is one run of the tests.
type setup struct {
	nodes   []int
	jobs    []*workloads.Job
	recipe  assembly.Recipe
	perEv   bool
	limits  bool
	horizon event.Time
	spec    *cluster.Spec
	refs    map[string]int
	obs     sim.Observer
	noDebug bool
}

func part(name string) assembly.Part { return assembly.Part{Name: name} }

func recipe(order, backfill, placement, preemption string) assembly.Recipe {
	return assembly.Recipe{Order: part(order), Backfill: part(backfill), Placement: part(placement), Preemption: part(preemption)}
}

func (s setup) run(t testing.TB) (*sim.Result, map[string]*outcome) {
	t.Helper()
	spec := cluster.Spec{}
	for i, g := range s.nodes {
		spec.Nodes = append(spec.Nodes, cluster.NodeSpec{Name: fmt.Sprintf("n%d", i), GPUs: g, CPUMilli: cluster.Uncounted, Memory: cluster.Uncounted})
	}
	if s.spec != nil {
		spec = *s.spec
	}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	sched, how, err := assembly.Build(s.recipe, policies.Env{Cluster: c, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	rec := &recorder{c: c, jobs: map[string]*outcome{}}
	cfg := sim.Config{Cluster: c, Source: &slice{jobs: s.jobs}, Scheduler: sched, Preemption: how, Observer: rec,
		Horizon: event.Never, RoundPerEvent: s.perEv, EnforceLimits: s.limits, References: s.refs, Debug: !s.noDebug}
	if s.horizon > 0 {
		cfg.Horizon = s.horizon
	}
	if s.obs != nil {
		cfg.Observer = s.obs
	}
	res, err := sim.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res, rec.jobs
}

func J(id string, submit, duration, gpus int) *workloads.Job {
	return &workloads.Job{ID: id, Submit: event.Time(submit) * event.Second, Duration: event.Time(duration) * event.Second, GPUs: gpus, Share: 1000}
}

func TestStrictFIFO(t *testing.T) {
	res, jobs := setup{nodes: []int{4}, recipe: recipe("fifo", "none", "first-fit", "none"),
		jobs: []*workloads.Job{J("A", 0, 10, 2), J("B", 0, 5, 4), J("C", 0, 3, 1)}}.run(t)
	for id, want := range map[string][2]event.Time{"A": {0, 10}, "B": {10, 15}, "C": {15, 18}} {
		o := jobs[id]
		if o.start != want[0]*event.Second || o.end != want[1]*event.Second {
			t.Errorf("%s: [%v %v], want %v", id, o.start, o.end, want)
		}
	}
	if res.Completed != 3 || res.End-res.First != 18*event.Second {
		t.Errorf("%+v", res)
	}
}
