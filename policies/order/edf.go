package order

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// edf is earliest deadline first: key = submission + deadline; jobs without a
// deadline go last. It does not look at whether a deadline can still be met.
//
// Source: Liu and Layland, Journal of the ACM 20(1), 1973, section 7 (their
// deadline driven algorithm). Cost: O(1) a job.
type edf struct{ still }

func newEDF(any, policies.Env) (Order, error) { return edf{}, nil }

func (edf) Key(j *cluster.Job, _ event.Time) cluster.Key {
	if !j.Spec.HasDeadline || j.Spec.Deadline > event.Never-j.Spec.Submit {
		return cluster.Key{A: int64(event.Never)}
	}
	return cluster.Key{A: int64(j.Spec.Submit + j.Spec.Deadline)}
}
