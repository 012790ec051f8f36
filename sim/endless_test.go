package sim_test

import (
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
	"gpusim/workloads"
)

// attempt runs jobs on one GPU and returns the error.
func attempt(t *testing.T, r assembly.Recipe, jobs ...*workloads.Job) (*sim.Result, error) {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Nodes: []cluster.NodeSpec{{Name: "n", GPUs: 1, CPUMilli: cluster.Uncounted, Memory: cluster.Uncounted}}})
	if err != nil {
		t.Fatal(err)
	}
	sched, how, err := assembly.Build(r, policies.Env{Cluster: c, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return sim.Run(sim.Config{Cluster: c, Source: &slice{jobs: jobs}, Scheduler: sched, Preemption: how, Horizon: event.Never, MaxIdle: 10_000})
}

// Two jobs that start over whenever the other's wait has made it the first
// never end.
func TestJobsThatStopEachOtherForEverAreAnError(t *testing.T) {
	r := recipe("priority", "greedy", "first-fit", "kill")
	ageing := units.Duration(event.Second)
	r.Order.Config = &order.PriorityConfig{Ageing: &ageing}
	_, err := attempt(t, r, J("a", 0, 100, 1), J("b", 0, 100, 1))
	if err == nil || !strings.Contains(err.Error(), "no job ended in ") {
		t.Fatalf("error %v", err)
	}
}

func TestQuantumOfANanosecondIsAnError(t *testing.T) {
	r := recipe("las", "greedy", "first-fit", "checkpoint")
	quantum := units.Duration(1)
	r.Order.Config = &order.LASConfig{Quantum: &quantum}
	if _, err := attempt(t, r, J("a", 0, 100, 1), J("b", 0, 100, 1)); err == nil {
		t.Fatal("no error")
	}
}

func TestTimesBeyondTheRangeAreAnError(t *testing.T) {
	year := 365 * 24 * 3600
	var jobs []*workloads.Job
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		jobs = append(jobs, J(id, 0, 60*year, 1))
	}
	_, err := attempt(t, recipe("fifo", "none", "first-fit", "none"), jobs...)
	if err == nil || !strings.Contains(err.Error(), "beyond 73 years") {
		t.Fatalf("error %v", err)
	}
}

// A checkpoint a nanosecond: as many of them as a job has nanoseconds are
// stepped over at once, and where they take time the job never ends.
func TestTinyCheckpointIntervals(t *testing.T) {
	r := recipe("fifo", "none", "first-fit", "checkpoint")
	for _, test := range []struct {
		interval, cost, end event.Time // end of 0: never
	}{
		{1, 0, 50 * event.Second},
		{1, 1, 100*event.Second - 1},
		{3, 2, 50*event.Second + 2*(50*event.Second/3)},
		{1, event.Second, 0},
		{1, 60 * 365 * event.Day, 0},
	} {
		interval, cost := units.Duration(test.interval), units.Duration(test.cost)
		r.Preemption.Config = &preemption.Config{Interval: &interval, Cost: &cost}
		res, err := attempt(t, r, J("a", 0, 50, 1))
		switch {
		case err != nil:
			t.Errorf("%v: %v", test, err)
		case test.end == 0 && res.Unfinished != 1, test.end > 0 && res.End != test.end:
			t.Errorf("%v: %+v", test, res)
		}
	}
}

// Rows that take turns get on, however many jobs the turns stop: here some 6,000
// turns, each a round and a preemption, pass before the first job ends.
func TestManyTurnsAreNotEndless(t *testing.T) {
	r := recipe("fifo", "none", "first-fit", "gang-slices")
	slice := units.Duration(event.Second)
	r.Preemption.Config = &preemption.SlicesConfig{Slice: &slice}
	var jobs []*workloads.Job
	for _, id := range strings.Fields("a b c d e f g h") {
		jobs = append(jobs, J(id, 0, 750, 1))
	}
	res, err := attempt(t, r, jobs...)
	if err != nil || res.Completed != 8 {
		t.Fatalf("%+v, error %v", res, err)
	}
	if res.Rounds+res.Preemptions < 10_000 {
		t.Errorf("%d rounds and %d preemptions would not have met the bound", res.Rounds, res.Preemptions)
	}
}
