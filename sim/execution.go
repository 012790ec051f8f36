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
		n, rest := done.Split(interval)
		due := cluster.WorkOf(event.Time(n+1) * interval)
		t := due.Minus(done).Time(j.Rate)
		if !due.Less(total) || dt < t { // no checkpoint in this stretch
			j.Unsaved += dt
			j.Left = j.Left.Minus(j.Rate.Done(dt))
			return
		}
		if cost == 0 {
			// Jump over all checkpoints of the stretch to the last.
			m, _ := total.Minus(j.Left.Minus(j.Rate.Done(dt))).Split(interval)
			if m = min(m, lastCheckpoint(j, interval)); m > n+1 {
				due = cluster.WorkOf(event.Time(m) * interval)
				t = due.Minus(done).Time(j.Rate)
			}
		} else if j.Rate == cluster.FullRate && rest.Zero() && j.Unsaved == 0 {
			// From a checkpoint on, jump over whole cycles of work and cost.
			if m := min(int64(dt/(interval+cost)), lastCheckpoint(j, interval)-n); m > 0 {
				d := event.Time(m) * interval
				j.Left = j.Left.Minus(cluster.WorkOf(d))
				j.Kept = j.Left
				j.Productive += d
				j.Overhead += event.Time(m) * cost
				dt -= event.Time(m) * (interval + cost)
				continue
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

// lastCheckpoint is the number of the last checkpoint before a job's end.
func lastCheckpoint(j *cluster.Job, interval event.Time) int64 {
	return int64((j.Length() - 1) / interval)
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
			done, _ := cluster.WorkOf(j.Length()).Minus(j.Left).Split(interval)
			ahead := max(event.Time(lastCheckpoint(j, interval)-done), 0)
			if ahead > Forever/cost {
				return event.Never
			}
			t += cost * ahead
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
