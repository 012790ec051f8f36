package order

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// fifo is first come, first served: every key is equal, so submit time and
// position decide. Running jobs have the same key, so nothing is preempted.
//
// Cost: O(1) a job.
type fifo struct{ still }

func newFIFO(any, policies.Env) (Order, error) { return fifo{}, nil }

func (fifo) Key(*cluster.Job, event.Time) cluster.Key { return cluster.Key{} }
