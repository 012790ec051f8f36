package sim

import (
	"cmp"
	"slices"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// submit brings a job into the run.
func (k *kernel) submit(spec *workloads.Job) {
	var j *cluster.Job
	if n := len(k.pool); n > 0 {
		j = k.pool[n-1]
		k.pool = k.pool[:n-1]
		*j = cluster.Job{Chunks: j.Chunks[:0]}
	} else {
		j = &cluster.Job{}
	}
	j.Spec, j.Index = spec, int32(k.res.Submitted)
	j.FirstStart, j.Eligible, j.Planned = event.Never, k.now, event.Never
	j.Rate = cluster.FullRate
	j.Left = cluster.WorkOf(j.Length())
	j.Kept = j.Left
	if interval, cost, _ := k.saving(j); interval > 0 && cost > 0 {
		k.pauses = true
	}
	k.place(j)
	if k.res.Submitted == 0 {
		k.res.First = k.now
		k.idle = meter{level: k.c.FreeAll(), since: k.now}
		k.alloc = meter{since: k.now}
	}
	k.res.Submitted++
	k.res.LastSubmit = k.now

	req, err := k.c.Request(spec)
	switch {
	case err != nil:
		j.Req = &cluster.Request{GPUs: spec.GPUs, Share: max(spec.Share, 1), Class: k.c.Classes()[0]}
		j.Reason = "bad-request: " + err.Error()
	case !k.c.FitsEmpty(req):
		j.Req = req
		code, text := k.c.Refusal(req)
		j.Reason = code + ": " + text
	default:
		j.Req = req
	}
	k.res.Demand.Add(j.Req.Milli(), j.Length())
	k.obs.Submitted(j, k.now)
	if j.Reason != "" {
		j.State = cluster.Rejected
		k.retire(j, cluster.ReasonRejected)
		return
	}
	j.State = cluster.Held
	switch k.holds.admit(j) {
	case admitted:
		k.enqueue(j)
	case refused:
		j.State = cluster.Cancelled
		k.retire(j, cluster.ReasonDependency)
	}
}

// place gives a job a slot among the live.
func (k *kernel) place(j *cluster.Job) {
	if n := len(k.slots); n > 0 {
		j.Slot = k.slots[n-1]
		k.slots = k.slots[:n-1]
		k.live[j.Slot] = j
	} else {
		j.Slot = int32(len(k.live))
		k.live = append(k.live, j)
	}
	k.alive++
}

// enqueue lets a job wait.
func (k *kernel) enqueue(j *cluster.Job) {
	if j.State == cluster.Held {
		j.State = cluster.Waiting
		j.Waited = k.now - j.Eligible // behind its array's throttle
	}
	j.WaitSince = k.now
	j.Since = k.now
	j.Req.Waiting++
	k.cfg.Scheduler.Enqueue(j, k.now)
	k.obs.Queued(j, k.now)
}

// start applies a decision to start; the GPUs are taken already.
func (k *kernel) start(j *cluster.Job) {
	j.Waited += k.now - j.WaitSince
	j.State = cluster.Running
	j.Since, j.LastStart = k.now, k.now
	if j.FirstStart == event.Never {
		j.FirstStart = k.now
	}
	j.Attempts++
	j.AtStart = [3]event.Time{j.Productive, j.Lost, j.Overhead}
	if j.Req.Waiting--; j.Req.Waiting == 0 {
		k.round.EndWhy(j.Req)
	}
	k.alloc.set(k.now, k.alloc.level+j.Req.Milli())
	j.Limit = k.limit(j)
	k.schedule(j)
	k.cfg.Scheduler.Started(j, k.now)
	k.obs.Started(j, k.now)
}

// schedule sets the event of a running job's end.
func (k *kernel) schedule(j *cluster.Job) {
	at, why := k.finish(j), cluster.ReasonCompleted
	switch {
	case j.Spec.Outcome == workloads.OutcomeOK || j.Spec.OutcomeAfter > j.Spec.Duration:
	case j.Spec.Outcome == workloads.OutcomeFail:
		why = cluster.ReasonFailed
	default:
		why = cluster.ReasonCancelled
	}
	if j.Limit < at {
		at, why = j.Limit, cluster.ReasonTimeLimit
	}
	k.setEnd(j, at, why)
}

// setEnd moves or sets a job's end event.
func (k *kernel) setEnd(j *cluster.Job, at event.Time, why cluster.Reason) {
	j.EndReason = why
	if k.events.Move(j.End, at) {
		return
	}
	if at != event.Never {
		j.End = k.events.Schedule(at, phaseEnd, uint64(j.Index), event.Event{Kind: kindEnd, A: j.Slot})
	}
}

// end handles the end event of a job: its own end, or the end of its grace.
func (k *kernel) end(j *cluster.Job) {
	k.advance(j, k.now)
	switch j.EndReason {
	case cluster.ReasonPreempted:
		k.graceOver(j)
		return
	case cluster.ReasonSuspended:
		k.stop(j)
		return
	case cluster.ReasonCompleted:
		save(j)
		j.State = cluster.Completed
	case cluster.ReasonFailed:
		save(j)
		j.State = cluster.Failed
	case cluster.ReasonTimeLimit:
		lose(j)
		j.State = cluster.Failed
	default:
		save(j)
		j.State = cluster.Cancelled
	}
	k.release(j, j.EndReason, true)
	k.retire(j, j.EndReason)
}

// release tells that a job stops and takes its GPUs back (give says whether
// the round has not done so already).
func (k *kernel) release(j *cluster.Job, why cluster.Reason, give bool) {
	k.obs.Stopped(j, k.now, why)
	k.take(j)
	if give {
		k.c.Give(j.Req, j.Chunks)
	}
	k.cfg.Scheduler.Stopped(j, k.now)
	k.meter()
}

func (k *kernel) take(j *cluster.Job) { k.alloc.set(k.now, k.alloc.level-j.Req.Milli()) }

// preempt applies a decision to stop a job.
func (k *kernel) preempt(j *cluster.Job) {
	k.advance(j, k.now)
	k.res.Preemptions++
	j.Preemptions++
	interval, cost, _ := k.saving(j)
	if k.cfg.Preemption.StopDelay(interval, cost) == 0 {
		k.stopped(j, false)
		return
	}
	j.State = cluster.Stopping
	at := k.now + k.cfg.Preemption.Grace
	if own := min(k.finish(j), j.Limit); own <= at {
		return // it ends by itself first
	}
	k.setEnd(j, at, cluster.ReasonPreempted)
}

// graceOver ends the grace time; saving what was done may take some more.
func (k *kernel) graceOver(j *cluster.Job) {
	interval, cost, _ := k.saving(j)
	if rest := k.cfg.Preemption.StopDelay(interval, cost) - k.cfg.Preemption.Grace; rest > 0 {
		save(j)
		j.Pause = rest
		if j.Limit <= k.now+rest {
			k.setEnd(j, j.Limit, cluster.ReasonTimeLimit)
		} else {
			k.setEnd(j, k.now+rest, cluster.ReasonSuspended)
		}
		return
	}
	k.stop(j)
}

func (k *kernel) stop(j *cluster.Job) { k.stopped(j, true) }

// stopped takes a preempted job off its GPUs and lets it wait again.
func (k *kernel) stopped(j *cluster.Job, give bool) {
	k.events.Cancel(j.End)
	interval, _, restart := k.saving(j)
	why := cluster.ReasonPreempted
	switch k.cfg.Preemption.Kind {
	case policies.PreemptCancel:
		lose(j)
		j.State = cluster.Cancelled
		k.release(j, why, give)
		k.retire(j, why)
		k.unseen = true // it stood in the way of others, and is gone
		return
	case policies.PreemptSuspend, policies.PreemptSlices:
		save(j)
		j.State = cluster.Suspended
		why = cluster.ReasonSuspended
	case policies.PreemptCheckpoint:
		if interval == 0 {
			save(j)
		}
		lose(j)
		j.State = cluster.Waiting
	default:
		lose(j)
		j.State = cluster.Waiting
	}
	j.Pause = restart
	k.release(j, why, give)
	k.enqueue(j)
}

// retire ends a job and frees its record.
func (k *kernel) retire(j *cluster.Job, why cluster.Reason) {
	switch j.State {
	case cluster.Completed:
		k.res.Completed++
	case cluster.Failed:
		k.res.Failed++
	case cluster.Rejected:
		k.res.Rejected++
	case cluster.Cancelled:
		k.res.Cancelled++
	}
	if j.State != cluster.Rejected {
		k.res.End = max(k.res.End, k.now)
		k.res.Ran = true
	}
	k.settleAccounts(j)
	k.obs.Ended(j, k.now, why)
	k.live[j.Slot] = nil
	k.slots = append(k.slots, j.Slot)
	k.alive--
	free, broken := k.holds.ended(j, k.now)
	for _, d := range free {
		k.enqueue(d)
		k.unseen = true
	}
	for _, d := range broken {
		d.State = cluster.Cancelled
		k.retire(d, cluster.ReasonDependency)
	}
	k.pool = append(k.pool, j)
}

// settleAccounts adds a job's times to the run's accounts.
func (k *kernel) settleAccounts(j *cluster.Job) {
	m := j.Req.Milli()
	k.res.Productive.Add(m, j.Productive)
	k.res.Lost.Add(m, j.Lost)
	k.res.Overhead.Add(m, j.Overhead)
}

// inOrder returns the live jobs by submission.
func (k *kernel) inOrder() []*cluster.Job {
	var js []*cluster.Job
	for _, j := range k.live {
		if j != nil {
			js = append(js, j)
		}
	}
	slices.SortFunc(js, func(a, b *cluster.Job) int { return cmp.Compare(a.Index, b.Index) })
	return js
}
