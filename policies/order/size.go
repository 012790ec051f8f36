package order

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// smallest is smallest-first: key = GPUs asked for (the "sjf" of the Tiresias
// simulator). Cost: O(1) a job.
type smallest struct{ still }

func newSmallest(any, policies.Env) (Order, error) { return smallest{}, nil }

func (smallest) Key(j *cluster.Job, _ event.Time) cluster.Key {
	return cluster.Key{A: j.Req.Milli()}
}

// largest is largest-first: key = -GPUs asked for. Cost: O(1) a job.
type largest struct{ still }

func newLargest(any, policies.Env) (Order, error) { return largest{}, nil }

func (largest) Key(j *cluster.Job, _ event.Time) cluster.Key {
	return cluster.Key{A: -j.Req.Milli()}
}
