package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/sim/slow"
	"gpusim/workloads"
)

// eachScene plays n random scenes of every way to schedule that ok accepts.
func eachScene(t *testing.T, n int, ok func(slow.Rules) bool, test func(t *testing.T, s scene)) {
	for i, v := range variants() {
		for k := range n {
			seed := uint64(1_000_000 + i*1000 + k)
			rules := v.rules(draw{rand.New(rand.NewPCG(seed, 0x77))})
			if !ok(rules) {
				continue
			}
			s := drawScene(seed, rules, v.kind)
			if s.rules.Order == "tiresias" {
				divisible(&s)
			}
			t.Run(fmt.Sprintf("%s/seed=%d", v.name, seed), func(t *testing.T) { test(t, s) })
		}
	}
}

func anyRules(slow.Rules) bool { return true }

// must plays a scene that has to succeed.
func (s scene) must(t *testing.T) *diary {
	t.Helper()
	d, res, err := s.play(t)
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	if !res.Check() {
		t.Fatalf("the accounts do not add up: %+v", res.Accounts)
	}
	return d
}

// TestNothingOversubscribed looks at nothing but what observers are told: no
// GPU has two holders, no node gives more CPUs than it has, and nobody starts
// before being submitted.
func TestNothingOversubscribed(t *testing.T) {
	eachScene(t, 2, anyRules, func(t *testing.T, s scene) {
		d := s.must(t)
		submit := map[string]int{}
		for _, j := range s.jobs {
			submit[j.ID] = j.Submit
		}
		type use struct{ from, to int }
		held := map[slow.Spot][]use{}
		for _, id := range d.order {
			for _, st := range d.byID[id].Stretches {
				if st.From < submit[id] {
					t.Errorf("%s starts at %d, submitted at %d", id, st.From, submit[id])
				}
				for _, p := range st.Spots {
					for _, u := range held[p] {
						if st.From < u.to && u.from < st.To {
							t.Errorf("GPU %v is held twice, from %d to %d by %s", p, st.From, st.To, id)
						}
					}
					held[p] = append(held[p], use{st.From, st.To})
				}
			}
		}
		s.checkCPUs(t, d)
	})
}

func (s scene) checkCPUs(t *testing.T, d *diary) {
	for at := range 2000 {
		used := make([]int, len(s.nodes))
		for _, j := range s.jobs {
			o := d.byID[j.ID]
			if o == nil {
				continue
			}
			for _, st := range o.Stretches {
				if at < st.From || at >= st.To {
					continue
				}
				if j.GPUs == 0 {
					used[st.Node] += 1000 * j.CPU
				}
				for _, p := range st.Spots {
					used[p.Node] += 1000 * j.CPU / j.GPUs
				}
			}
		}
		busy := false
		for n, u := range used {
			busy = busy || u > 0
			// A part of a job may be rounded up by less than a thousandth a GPU.
			if s.nodes[n].CPU != slow.None && u > 1000*s.nodes[n].CPU {
				t.Fatalf("node %d gives %d thousandths of CPUs at %d, has %d", n, u, at, 1000*s.nodes[n].CPU)
			}
		}
		if !busy && at > 500 {
			return
		}
	}
}

// TestSameTwice: two runs tell observers the same, call by call.
func TestSameTwice(t *testing.T) {
	calls := 0
	eachScene(t, 1, anyRules, func(t *testing.T, s scene) {
		a, b := s.must(t), s.must(t)
		calls += len(a.log)
		if !slices.Equal(a.log, b.log) {
			t.Errorf("two runs differ: %d and %d calls", len(a.log), len(b.log))
		}
	})
	if calls < 1000 {
		t.Errorf("only %d calls were compared", calls)
	}
}

// TestEqualNodesChangePlaces: exchanging two equal nodes changes nothing at
// all, and names only follow positions.
func TestEqualNodesChangePlaces(t *testing.T) {
	eachScene(t, 1, anyRules, func(t *testing.T, s scene) {
		for i := range s.nodes { // make all equal; partitions keep their positions
			s.nodes[i].GPUs, s.nodes[i].CPU = s.nodes[0].GPUs, s.nodes[0].CPU
		}
		perm := rand.New(rand.NewPCG(uint64(len(s.jobs)), 5)).Perm(len(s.nodes))
		a := s.must(t)
		// The engine numbers nodes by position: with the names permuted the same
		// positions must be used, whatever the names are.
		b := s.named(t, func(i int) string { return fmt.Sprintf("m%03d", perm[i]) })
		if !slices.Equal(a.log, b.log) {
			t.Errorf("names of equal nodes change the placement")
		}
	})
}

// named plays a scene with other names of nodes.
func (s scene) named(t *testing.T, name func(int) string) *diary {
	t.Helper()
	spec := s.clusterOf(t).Spec()
	nodes := slices.Clone(spec.Nodes)
	for i := range nodes {
		nodes[i].Name = name(i)
	}
	c, err := cluster.New(cluster.Spec{Nodes: nodes, Partitions: spec.Partitions})
	if err != nil {
		t.Fatal(err)
	}
	return s.on(t, c, s.sources(nil), 1)
}

func (s scene) sources(more []*workloads.Job) *slice {
	src := &slice{}
	for _, j := range s.jobs {
		src.jobs = append(src.jobs, spec(j))
	}
	src.jobs = append(src.jobs, more...)
	slices.SortStableFunc(src.jobs, func(a, b *workloads.Job) int { return int((a.Submit - b.Submit) / event.Second) })
	return src
}

// on plays given jobs on a given cluster.
func (s scene) on(t *testing.T, c *cluster.Cluster, src *slice, seed uint64) *diary {
	t.Helper()
	sched, how, err := assembly.Build(s.recipe(), policies.Env{Cluster: c, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	d := &diary{c: c, byID: map[string]*slow.Outcome{}}
	cfg := sim.Config{Cluster: c, Source: src, Scheduler: sched, Preemption: how, Observer: d, Horizon: event.Never,
		RoundPerEvent: s.rules.PerEvent, EnforceLimits: s.rules.Enforce, References: s.references(), Debug: true}
	if s.rules.Horizon != slow.None {
		cfg.Horizon = seconds(s.rules.Horizon)
	}
	if _, err := sim.Run(cfg); err != nil {
		t.Fatal(err)
	}
	return d
}

// exactly makes estimates exact: what is planned is what happens.
func (s scene) exactly() scene {
	s.jobs = slices.Clone(s.jobs)
	for i := range s.jobs {
		s.jobs[i].Limit, s.jobs[i].FailAfter = slow.None, slow.None
	}
	return s
}

// TestExtraInstantsChangeNothing: refused jobs at every second bring rounds and
// bring jobs up to date where nothing happens; with exact estimates nobody is
// past one, so no decision depends on when a round is held. (A preemptive walk
// that finds no place for a job it chose by number settles for less, and one
// that makes a job lose work changes what is left of it: a later round may do
// otherwise. Such scenes are left out.)
func TestExtraInstantsChangeNothing(t *testing.T) {
	ok := func(r slow.Rules) bool {
		loses := r.Preemption == "kill" || r.Preemption == "checkpoint" && r.Interval > 0
		return !r.PerEvent && r.Preemption != "suspend" && !(loses && (r.Order == "srtf" || r.Order == "srsf"))
	}
	eachScene(t, 3, ok, func(t *testing.T, s scene) {
		s = s.exactly()
		if s.rules.Preemption != "none" {
			for i := range s.jobs {
				j := &s.jobs[i]
				j.CPU, j.PerNode, j.Nodes, j.MaxNodes, j.GPUs = 0, 0, 0, 0, max(j.GPUs, 1)
			}
		}
		a := s.must(t)
		var extra []*workloads.Job
		for at := range 120 {
			j := J(fmt.Sprintf("refused-%d", at), at, 1, 10_000)
			extra = append(extra, j)
		}
		b := s.on(t, s.clusterOf(t), s.sources(extra), 1)
		for _, id := range a.order {
			if x, y := describe(*a.byID[id]), describe(*b.byID[id]); x != y {
				t.Fatalf("%s\n  alone        %s\n  with rejects %s\n%s", id, x, y, s)
			}
		}
	})
}

// TestEasyKeepsItsPromise: with exact estimates, on a number of GPUs, the first
// waiting job starts no later than the shadow it first gets.
func TestEasyKeepsItsPromise(t *testing.T) {
	promises := 0
	ok := func(r slow.Rules) bool { return r.Backfill == "easy" && r.Order == "fifo" && !r.PerEvent }
	eachScene(t, 60, ok, func(t *testing.T, s scene) {
		s = s.exactly()
		for i := range s.jobs {
			j := &s.jobs[i]
			j.CPU, j.PerNode, j.Nodes, j.MaxNodes, j.GPUs = 0, 0, 0, 0, max(j.GPUs, 1)
			j.DependsOn, j.Array, j.Throttle = nil, "", 0 // nobody comes in ahead of the first
			j.Partition = ""
		}
		for i := range s.nodes {
			s.nodes[i].Partition = ""
		}
		s.rules.Horizon = slow.None
		d := s.must(t)
		for _, j := range s.jobs {
			o := d.byID[j.ID]
			if o.Status == "rejected" || o.Start == j.Submit {
				continue
			}
			promise, head := s.promise(d, j)
			if head {
				promises++
				if o.Start > promise {
					t.Errorf("%s was promised %d and starts at %d\n%s", j.ID, promise, o.Start, s)
				}
			}
		}
	})
	if promises < 100 {
		t.Errorf("only %d promises were made", promises)
	}
}

// promise is the shadow of a job at the instant it comes to the head of the
// queue, found from what ran at that instant; head is false if it never waits
// there.
func (s scene) promise(d *diary, j slow.Job) (at int, head bool) {
	since := j.Submit
	for _, a := range s.jobs { // those ahead of it, in order of submission
		if a.ID == j.ID {
			break
		}
		if o := d.byID[a.ID]; o.Start > since {
			since = o.Start
		}
	}
	if o := d.byID[j.ID]; o.Start <= since {
		return 0, false
	}
	free := 0
	for _, n := range s.nodes {
		free += n.GPUs
	}
	var ends [][2]int
	for _, a := range s.jobs {
		o := d.byID[a.ID]
		// Only what runs before this instant's backfilling is certain to count:
		// what started at it was allowed to, beside the promise.
		if o.Start != slow.None && o.Start <= since && o.End > since && o.Status != "rejected" {
			ends = append(ends, [2]int{o.End, a.GPUs})
			free -= a.GPUs
		}
	}
	slices.SortFunc(ends, func(a, b [2]int) int { return a[0] - b[0] })
	for _, e := range ends {
		if free += e[1]; free >= j.GPUs {
			return e[0], true
		}
	}
	return since, true
}

// TestNobodySeesTheFuture: where real durations change and estimates do not, no
// decision before the first end that moved is another one, under any order
// that does not say that it sees them.
func TestNobodySeesTheFuture(t *testing.T) {
	ok := func(r slow.Rules) bool { return r.Order != "srtf" && r.Order != "srsf" }
	changed := 0
	eachScene(t, 1, ok, func(t *testing.T, s scene) {
		s.jobs = slices.Clone(s.jobs)
		for i := range s.jobs {
			if s.jobs[i].Limit == slow.None {
				s.jobs[i].Limit = s.jobs[i].Duration + 1
			}
		}
		other := s
		other.jobs = slices.Clone(s.jobs)
		for i := range other.jobs {
			if i%3 == 0 && other.jobs[i].Duration > 0 {
				other.jobs[i].Duration += 5
			}
		}
		a, b := s.must(t).log, other.must(t).log
		for i := range min(len(a), len(b)) {
			if a[i] == b[i] {
				continue
			}
			changed++
			// The first difference must be an end, or what is done at its instant.
			first := min(instantOf(a[i]), instantOf(b[i]))
			if !endsAt(a, first) && !endsAt(b, first) {
				t.Errorf("the first difference, %q and %q, is at no end\n%s", a[i], b[i], s)
			}
			return
		}
	})
	if changed == 0 {
		t.Error("no change of durations changed anything")
	}
}

func instantOf(call string) int {
	var at int
	fmt.Sscan(call, &at)
	return at
}

// endsAt says whether a job ends by itself at an instant.
func endsAt(log []string, at int) bool {
	for _, c := range log {
		if instantOf(c) == at && (strings.Contains(c, " stopped completed ") || strings.Contains(c, " stopped failed ") || strings.Contains(c, " stopped time_limit ")) {
			return true
		}
	}
	return false
}

// TestDrawsAreEachJobsOwn: under random placement a node more in another
// partition, or a job more there, changes where no other job goes.
func TestDrawsAreEachJobsOwn(t *testing.T) {
	moved := 0
	for seed := range uint64(60) {
		s := scene{rules: plainRules("fifo", "greedy")}
		s.rules.Placement = "random"
		r := draw{rand.New(rand.NewPCG(seed, 3))}
		for range 6 {
			s.nodes = append(s.nodes, slow.Node{GPUs: 4, CPU: slow.None, Partition: "p"})
		}
		at := 0
		for i := range 20 {
			at += r.pick(0, 1, 2)
			s.jobs = append(s.jobs, with(SJ(fmt.Sprintf("j%d", i), at, r.pick(2, 4, 8), r.pick(1, 2, 4)), func(j *slow.Job) { j.Partition = "p" }))
		}
		more := s
		more.nodes = append(slices.Clone(s.nodes), slow.Node{GPUs: 4, CPU: slow.None, Partition: "q"})
		more.jobs = append([]slow.Job{with(SJ("other", 0, 3, 1), func(j *slow.Job) { j.Partition = "q" })}, s.jobs...)
		a, b := s.must(t), more.must(t)
		for _, j := range s.jobs {
			if x, y := describe(*a.byID[j.ID]), describe(*b.byID[j.ID]); x != y {
				t.Fatalf("seed %d: %s\n  alone %s\n  beside %s", seed, j.ID, x, y)
			}
			if a.byID[j.ID].Stretches[0].Spots[0].Node > 0 {
				moved++
			}
		}
	}
	if moved < 100 {
		t.Errorf("random placement leaves the first node only %d times", moved)
	}
}
