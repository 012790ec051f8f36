package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/policies/order"
	"gpusim/policies/preemption"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/sim/slow"
	"gpusim/workloads"
)

// A scene is one scenario in the words of the slow simulator, which both
// simulators can play.
type scene struct {
	nodes []slow.Node
	jobs  []slow.Job
	rules slow.Rules
}

// SJ is a job of a scene.
func SJ(id string, submit, duration, gpus int) slow.Job {
	return slow.Job{ID: id, Submit: submit, Duration: duration, GPUs: gpus, Limit: slow.None, FailAfter: slow.None}
}

func seconds(n int) event.Time { return event.Time(n) * event.Second }

// spec says a job in the engine's words.
func spec(j slow.Job) *workloads.Job {
	w := &workloads.Job{ID: j.ID, Submit: seconds(j.Submit), Duration: seconds(j.Duration), GPUs: j.GPUs, Share: 1000,
		GPUsPerNode: j.PerNode, Nodes: j.Nodes, MaxNodes: j.MaxNodes, CPUMilli: 1000 * int64(j.CPU), Partition: j.Partition,
		Priority: int64(j.Priority), DependsOn: j.DependsOn, Array: j.Array, Throttle: j.Throttle}
	if j.Limit != slow.None {
		w.HasLimit, w.TimeLimit = true, seconds(j.Limit)
	}
	if j.FailAfter != slow.None {
		w.Outcome, w.OutcomeAfter = workloads.OutcomeFail, seconds(j.FailAfter)
	}
	return w
}

// diary writes down what the engine does, in the oracle's words.
type diary struct {
	sim.Null
	c     *cluster.Cluster
	byID  map[string]*slow.Outcome
	order []string
	log   []string // every call, for comparing whole runs
}

func (d *diary) note(now event.Time, what string, j *cluster.Job) {
	d.log = append(d.log, fmt.Sprintf("%d %s %s %v", now, what, j.Spec.ID, d.spots(j)))
}

func (d *diary) spots(j *cluster.Job) []slow.Spot {
	var s []slow.Spot
	for _, ch := range j.Chunks {
		n := d.c.NodeOf(ch)
		for b := range 64 {
			if ch.Mask>>uint(b)&1 == 1 {
				s = append(s, slow.Spot{Node: n, GPU: int(ch.Word)*64 + b - d.c.FirstGPU(n)})
			}
		}
	}
	return s
}

func (d *diary) Submitted(j *cluster.Job, now event.Time) {
	d.byID[j.Spec.ID] = &slow.Outcome{ID: j.Spec.ID, Start: slow.None, End: slow.None}
	d.order = append(d.order, j.Spec.ID)
	d.note(now, "submitted", j)
}

func (d *diary) Queued(j *cluster.Job, now event.Time) { d.note(now, "queued", j) }

func (d *diary) Started(j *cluster.Job, now event.Time) {
	if o := d.byID[j.Spec.ID]; o.Start == slow.None {
		o.Start = int(now / event.Second)
	}
	d.note(now, "started", j)
}

func (d *diary) Stopped(j *cluster.Job, now event.Time, why cluster.Reason) {
	o := d.byID[j.Spec.ID]
	s := slow.Stretch{From: int(j.LastStart / event.Second), To: int(now / event.Second), Spots: d.spots(j)}
	if j.Spec.GPUs == 0 {
		s.Node = d.c.NodeOf(j.Chunks[0])
	}
	o.Stretches = append(o.Stretches, s)
	d.note(now, "stopped "+why.String(), j)
}

func (d *diary) Ended(j *cluster.Job, now event.Time, why cluster.Reason) {
	o := d.byID[j.Spec.ID]
	o.Status = j.State.String()
	if j.State.Ended() {
		o.End = int(now / event.Second)
	}
	o.Preemptions = int(j.Preemptions)
	o.Waited = int(j.Waited / event.Second)
	o.Productive, o.Lost, o.Extra = int(j.Productive/event.Second), int(j.Lost/event.Second), int(j.Overhead/event.Second)
	d.note(now, "ended "+why.String(), j)
}

// clusterOf builds the scene's nodes for the engine.
func (s scene) clusterOf(t testing.TB) *cluster.Cluster {
	t.Helper()
	var cs cluster.Spec
	for i, n := range s.nodes {
		ns := cluster.NodeSpec{Name: fmt.Sprintf("n%d", i), GPUs: n.GPUs, CPUMilli: cluster.Uncounted, Memory: cluster.Uncounted}
		if n.CPU != slow.None {
			ns.CPUMilli = 1000 * int64(n.CPU)
		}
		cs.Nodes = append(cs.Nodes, ns)
		if n.Partition == "" {
			continue
		}
		k := slices.IndexFunc(cs.Partitions, func(p cluster.Partition) bool { return p.Name == n.Partition })
		if k < 0 {
			k = len(cs.Partitions)
			cs.Partitions = append(cs.Partitions, cluster.Partition{Name: n.Partition})
		}
		cs.Partitions[k].Nodes = append(cs.Partitions[k].Nodes, i)
	}
	c, err := cluster.New(cs)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s scene) recipe() assembly.Recipe {
	r := recipe(s.rules.Order, s.rules.Backfill, s.rules.Placement, s.rules.Preemption)
	if s.rules.Order == "tiresias" {
		c := &order.TiresiasConfig{Promote: float64(s.rules.Promote)}
		for _, q := range s.rules.Queues {
			c.Queues = append(c.Queues, float64(q))
		}
		r.Order.Config = c
	}
	if s.rules.Preemption != "none" {
		d := func(n int) *units.Duration {
			if n == 0 {
				return nil
			}
			v := units.Duration(seconds(n))
			return &v
		}
		r.Preemption.Config = &preemption.Config{Interval: d(s.rules.Interval), Cost: d(s.rules.Cost), Restart: d(s.rules.Restart),
			MinRun: d(s.rules.MinRun), Grace: d(s.rules.Grace)}
	}
	return r
}

// references counts the jobs behind each id that some job waits for.
func (s scene) references() map[string]int {
	refs := map[string]int{}
	for _, j := range s.jobs {
		for _, id := range j.DependsOn {
			refs[id] = 0
		}
	}
	for id := range refs {
		for _, j := range s.jobs {
			if j.ID == id || j.Array == id {
				refs[id]++
			}
		}
		if refs[id] == 0 {
			delete(refs, id)
		}
	}
	return refs
}

// play runs the engine on a scene.
func (s scene) play(t testing.TB) (*diary, *sim.Result, error) {
	t.Helper()
	c := s.clusterOf(t)
	sched, how, err := assembly.Build(s.recipe(), policies.Env{Cluster: c, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := &diary{c: c, byID: map[string]*slow.Outcome{}}
	src := &slice{}
	for _, j := range s.jobs {
		src.jobs = append(src.jobs, spec(j))
	}
	cfg := sim.Config{Cluster: c, Source: src, Scheduler: sched, Preemption: how, Observer: d, Horizon: event.Never,
		RoundPerEvent: s.rules.PerEvent, EnforceLimits: s.rules.Enforce, References: s.references(), Debug: true}
	if s.rules.Horizon != slow.None {
		cfg.Horizon = seconds(s.rules.Horizon)
	}
	res, err := sim.Run(cfg)
	return d, res, err
}

// differ says in what the engine and the oracle disagree; "" if in nothing.
func (s scene) differ(t testing.TB) string {
	d, res, err := s.play(t)
	if err != nil {
		return "the engine fails: " + err.Error()
	}
	if !res.Check() {
		return "the accounts do not add up"
	}
	for _, want := range slow.Run(s.nodes, s.jobs, s.rules) {
		got := d.byID[want.ID]
		if want.NeverArrived {
			if got != nil {
				return fmt.Sprintf("%s is submitted at or after the horizon", want.ID)
			}
			continue
		}
		if got == nil {
			return fmt.Sprintf("%s is never submitted", want.ID)
		}
		if a, b := describe(*got), describe(want); a != b {
			return fmt.Sprintf("%s\n  engine %s\n  oracle %s", want.ID, a, b)
		}
	}
	return ""
}

func describe(o slow.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s start %d end %d", o.Status, o.Start, o.End)
	for _, s := range o.Stretches {
		spots := slices.Clone(s.Spots)
		slices.SortFunc(spots, func(x, y slow.Spot) int { return (x.Node-y.Node)*1000 + x.GPU - y.GPU })
		fmt.Fprintf(&b, " [%d,%d)", s.From, s.To)
		if len(spots) == 0 {
			fmt.Fprintf(&b, "on %d", s.Node)
		} else {
			fmt.Fprintf(&b, "on %v", spots)
		}
	}
	fmt.Fprintf(&b, " preempted %d waited %d productive %d lost %d overhead %d", o.Preemptions, o.Waited, o.Productive, o.Lost, o.Extra)
	return b.String()
}
