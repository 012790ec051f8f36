package policies

import (
	"fmt"

	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Decision is one decision of a round, in the order taken.
type Decision struct {
	Job     *cluster.Job
	Preempt bool // else it starts, on Job.Chunks
}

// Round is one call for decisions at an instant. The cluster shows the
// decisions taken so far in it.
type Round struct {
	Now     event.Time
	Cluster *cluster.Cluster

	decisions []Decision
	wake      event.Time
	err       error
	why       func(*cluster.Request)
}

// Reset makes the round ready for an instant; why (which may be nil) receives
// each request whose reason to wait has ended, with the reason in Request.Why.
func (r *Round) Reset(now event.Time, c *cluster.Cluster, why func(*cluster.Request)) {
	r.Now, r.Cluster, r.why = now, c, why
	r.decisions = r.decisions[:0]
	r.wake = event.Never
	r.err = nil
}

// Start starts a waiting job on the given GPUs, which are taken at once. The
// chunks become the job's own. A placement that is not possible ends the run
// with an error that names the policy.
func (r *Round) Start(j *cluster.Job, chunks []cluster.Chunk) bool {
	if r.err != nil {
		return false
	}
	if j.State != cluster.Waiting && j.State != cluster.Suspended {
		r.Fail(fmt.Errorf("job %s was started while %v", j.Spec.ID, j.State))
		return false
	}
	if err := r.Cluster.Take(j.Req, chunks); err != nil {
		r.Fail(fmt.Errorf("job %s was placed where it cannot be: %w", j.Spec.ID, err))
		return false
	}
	j.Chunks = chunks
	r.decisions = append(r.decisions, Decision{Job: j})
	return true
}

// Preempt stops a running job. now says that its GPUs come back at once (no
// grace time); they may then be given away in the same round.
func (r *Round) Preempt(j *cluster.Job, now bool) {
	if r.err != nil {
		return
	}
	if j.State != cluster.Running {
		r.Fail(fmt.Errorf("job %s was preempted while %v", j.Spec.ID, j.State))
		return
	}
	if now {
		r.Cluster.Give(j.Req, j.Chunks)
	}
	r.decisions = append(r.decisions, Decision{Job: j, Preempt: true})
}

// Retarget gives a waiting job the request that reservations leave it for a
// start now. It must not be in a list by request meanwhile.
func (r *Round) Retarget(j *cluster.Job, q *cluster.Request) {
	if j.Req.Waiting--; j.Req.Waiting == 0 {
		r.EndWhy(j.Req)
	}
	q.Waiting++
	j.Req = q
}

// WakeAt asks for a round at t; the earliest of several counts.
func (r *Round) WakeAt(t event.Time) { r.wake = min(r.wake, t) }

// Wake returns the earliest instant asked for, Never if none.
func (r *Round) Wake() event.Time { return r.wake }

// Fail ends the run with an error.
func (r *Round) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the first error.
func (r *Round) Err() error { return r.err }

// Decisions returns what was decided, in order.
func (r *Round) Decisions() []Decision { return r.decisions }

// Why records why jobs of a request wait: a reason code and how much of what
// is wanted there was. Repeating a reason costs next to nothing.
func (r *Round) Why(q *cluster.Request, code string, wants, has int) {
	w := &q.Why
	if w.Code == code {
		w.Last, w.HasLast = r.Now, has
		w.Jobs = max(w.Jobs, q.Waiting)
		return
	}
	r.EndWhy(q)
	*w = cluster.Stretch{Code: code, First: r.Now, Last: r.Now, Wants: wants, HasFirst: has, HasLast: has, Jobs: q.Waiting}
}

// EndWhy ends the current reason of a request.
func (r *Round) EndWhy(q *cluster.Request) {
	if q.Why.Code == "" {
		return
	}
	q.Why.Last = r.Now
	if r.why != nil {
		r.why(q)
	}
	q.Why = cluster.Stretch{}
}

// The reason codes that the built-in policies use, with their sentence.
// {wants} and {has} are numbers of GPUs unless the sentence says otherwise.
const (
	WhyNoGPUs     = "no-free-gpus"       // fewer GPUs are free than wanted
	WhyShape      = "no-fitting-nodes"   // enough are free, but not in the shape, or with the CPU and memory, wanted
	WhyBehind     = "behind-in-queue"    // a job ahead waits, and the policy keeps the order
	WhyDelaysHead = "would-delay-head"   // it fits, but would delay the first waiting job
	WhyReserved   = "reserved-for-ahead" // it fits, but would delay a job ahead of it
	WhyOutranked  = "outranked"          // jobs of higher rank take the GPUs
	WhyPromised   = "waits-for-grace"    // GPUs are promised; those that hold them have their grace time
	WhyOwnGPUs    = "own-gpus-taken"     // suspended, and its GPUs are in use
	WhyOtherRow   = "another-rows-turn"  // gang time slicing: its row waits for its turn
	WhyThrottle   = "array-throttle"
	WhyDependency = "dependency"
)
