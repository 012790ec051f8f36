package sim

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// saving returns how a job saves its work under the run's preemption.
func (k *kernel) saving(j *cluster.Job) (interval, cost, restart event.Time) {
	p := &k.cfg.Preemption
	interval, cost, restart = p.Interval, p.Cost, p.Restart
	if c := j.Spec.Checkpoint; c != nil && p.Kind == policies.PreemptCheckpoint {
		interval, cost, restart = c.Interval, c.Cost, c.Restart
	}
	return interval, cost, restart
}

// advance brings a running job up to date: it moves the time since j.Since to
// the job's accounts and its work on. Doing so at any extra instant changes
// nothing.
func (k *kernel) advance(j *cluster.Job, now event.Time) {
	dt := now - j.Since
	j.Since = now
	interval, cost := event.Time(0), event.Time(0)
	if k.cfg.Preemption.Kind == policies.PreemptCheckpoint {
		interval, cost, _ = k.saving(j)
	}
	total := cluster.WorkOf(j.Length())
	for dt > 0 {
		if j.Pause > 0 {
			d := min(dt, j.Pause)
			j.Pause -= d
			j.Overhead += d
			dt -= d
			continue
		}
		if interval == 0 {
			j.Unsaved += dt
			j.Left = j.Left.Minus(j.Rate.Done(dt))
			return
		}
		done := total.Minus(j.Left)
		n, _ := done.Split(interval)
		due := cluster.WorkOf(event.Time(n+1) * interval)
		t := due.Minus(done).Time(j.Rate)
		if !due.Less(total) || dt < t { // no checkpoint in this stretch
			j.Unsaved += dt
			j.Left = j.Left.Minus(j.Rate.Done(dt))
			return
		}
		if cost == 0 {
			// Jump over all checkpoints of the stretch to the last.
			if m, _ := total.Minus(j.Left.Minus(j.Rate.Done(dt))).Split(interval); m > n+1 {
				if last := cluster.WorkOf(event.Time(m) * interval); last.Less(total) {
					due, t = last, last.Minus(done).Time(j.Rate)
				}
			}
		}
		j.Left = j.Left.Minus(j.Rate.Done(t))
		j.Productive += j.Unsaved + t
		j.Unsaved = 0
		j.Kept = total.Minus(due)
		j.Pause = cost
		dt -= t
	}
}

// updateAll brings every running job up to date where checkpoints take time:
// what is left of a job is then no straight line from j.Since on, as orders by
// remaining time believe.
func (k *kernel) updateAll() {
	if !k.pauses {
		return
	}
	for _, j := range k.live {
		if j != nil && (j.State == cluster.Running || j.State == cluster.Stopping) {
			k.advance(j, k.now)
		}
	}
}

// finish returns when a job that is up to date completes by itself.
func (k *kernel) finish(j *cluster.Job) event.Time {
	t := j.Left.Time(j.Rate)
	if k.cfg.Preemption.Kind == policies.PreemptCheckpoint {
		if interval, cost, _ := k.saving(j); interval > 0 && cost > 0 {
			length := j.Length()
			done, _ := cluster.WorkOf(length).Minus(j.Left).Split(interval)
			ahead := int64((length-1)/interval) - done // checkpoints before the end
			t += cost * event.Time(max(ahead, 0))
		}
	}
	if t >= Forever {
		return event.Never
	}
	return j.Since + j.Pause + t
}

// limit returns when a job that starts now reaches its time limit; Never where limits
// do not kill. The limit counts from the start of the attempt, less the work
// that the job brought along.
func (k *kernel) limit(j *cluster.Job) event.Time {
	if !k.cfg.EnforceLimits || !j.Spec.HasLimit {
		return event.Never
	}
	kept := j.Length() - j.Kept.Time(cluster.FullRate)
	d := max(j.Spec.TimeLimit-kept, 0)
	if d > event.Never/2 {
		return event.Never
	}
	return k.now + d
}

// lose gives up what a job did since its last checkpoint.
func lose(j *cluster.Job) {
	j.Lost += j.Unsaved
	j.Unsaved = 0
	j.Left = j.Kept
}

// save keeps what a job did.
func save(j *cluster.Job) {
	j.Productive += j.Unsaved
	j.Unsaved = 0
	j.Kept = j.Left
}
