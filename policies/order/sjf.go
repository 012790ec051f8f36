package order

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// sjf is shortest job first by the user's estimate (time_limit; the duration
// where there is none): key = estimate. It never sees how long a job really
// runs.
//
// Cost: O(1) a job.
type sjf struct{ still }

func newSJF(any, policies.Env) (Order, error) { return sjf{}, nil }

func (sjf) Key(j *cluster.Job, _ event.Time) cluster.Key {
	return cluster.Key{A: int64(j.Estimate())}
}
