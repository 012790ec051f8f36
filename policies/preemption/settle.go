package preemption

import (
	"fmt"
	"slices"

	"gpusim/policies"
	"gpusim/sim/cluster"
)

// settle turns the choice into decisions. It returns a chosen job that cannot
// be placed although there are enough GPUs (its shape, or its own GPUs are in
// use); nothing is decided then.
func (w *Walk) settle(r *policies.Round) *cluster.Job {
	delayed := w.how.Grace > 0 || w.how.Kind == policies.PreemptSuspend && w.how.Cost > 0 || w.how.Kind == policies.PreemptCheckpoint && w.how.Interval == 0 && w.how.Cost > 0
	if w.special > 0 {
		if bad := w.unplaceable(r); bad != nil {
			return bad
		}
	}
	// stop preempts the victims whose GPUs a request may use, nil all.
	stop := func(q *cluster.Request) {
		kept := w.victims[:0]
		for _, j := range w.victims {
			if q != nil && !q.Domain.Overlaps(j.Req.Domain) {
				kept = append(kept, j)
				continue
			}
			now := w.stopsNow(j)
			r.Preempt(j, now)
			if !now {
				w.running = drop(w.running, j)
				j.Pos = int32(len(w.stopping))
				w.stopping = append(w.stopping, j)
			}
		}
		w.victims = kept
	}
	for _, j := range w.chosen {
		chunks := w.find(r, j)
		if chunks == nil {
			stop(j.Req)
			if chunks = w.find(r, j); chunks == nil {
				if delayed || len(w.stopping) > 0 {
					r.Why(j.Req, policies.WhyPromised, j.Req.GPUs, j.Req.Class.Idle())
					continue
				}
				r.Fail(fmt.Errorf("job %s was chosen but fits nowhere", j.Spec.ID))
				return nil
			}
		}
		w.remove(j)
		if r.Start(j, chunks) {
			j.PlannedEnd = r.Now + j.PlannedRun()
		}
	}
	stop(nil)
	return nil
}

// stopsNow reports whether a victim gives its GPUs back in this round.
func (w *Walk) stopsNow(j *cluster.Job) bool {
	interval, cost := w.how.Interval, w.how.Cost
	if c := j.Spec.Checkpoint; c != nil {
		interval, cost = c.Interval, c.Cost
	}
	return w.how.StopDelay(interval, cost) == 0
}

// find returns where a chosen job goes: a suspended one to its own GPUs.
func (w *Walk) find(r *policies.Round, j *cluster.Job) []cluster.Chunk {
	if j.State == cluster.Suspended {
		if r.Cluster.Free(j.Req, j.Chunks) {
			return j.Chunks
		}
		return nil
	}
	return w.rule.Place(j, j.Chunks[:0])
}

// unplaceable tries all that is chosen on the cluster as it will be when the
// victims are gone, and returns the first that finds no place.
func (w *Walk) unplaceable(r *policies.Round) *cluster.Job {
	c := r.Cluster
	c.Begin()
	defer c.Rollback()
	leaving := append(slices.Clone(w.victims), w.stopping...)
	for _, j := range w.chosen {
		chunks := w.trial(r, j)
		if chunks == nil {
			kept := leaving[:0]
			for _, v := range leaving {
				if j.Req.Domain.Overlaps(v.Req.Domain) {
					c.Give(v.Req, v.Chunks)
				} else {
					kept = append(kept, v)
				}
			}
			leaving = kept
			chunks = w.trial(r, j)
		}
		if chunks == nil {
			if j.State == cluster.Suspended {
				r.Why(j.Req, policies.WhyOwnGPUs, j.Req.GPUs, j.Req.Class.Idle())
			} else {
				r.Why(j.Req, policies.WhyShape, j.Req.GPUs, j.Req.Class.Idle())
			}
			return j
		}
		if err := c.Take(j.Req, chunks); err != nil {
			r.Fail(fmt.Errorf("job %s: %w", j.Spec.ID, err))
			return nil
		}
	}
	return nil
}

// trial is find into memory of its own: the cluster's log keeps the chunks.
func (w *Walk) trial(r *policies.Round, j *cluster.Job) []cluster.Chunk {
	if j.State == cluster.Suspended {
		return w.find(r, j)
	}
	return w.rule.Place(j, nil)
}

func (w *Walk) check() error {
	for i, j := range w.running {
		if int(j.Pos) != i || j.State != cluster.Running {
			return fmt.Errorf("job %s is listed as running at %d, is %v at %d", j.Spec.ID, i, j.State, j.Pos)
		}
	}
	for i, j := range w.stopping {
		if int(j.Pos) != i || j.State != cluster.Stopping {
			return fmt.Errorf("job %s is listed as stopping at %d, is %v at %d", j.Spec.ID, i, j.State, j.Pos)
		}
	}
	var err error
	w.waiting.Each(func(j *cluster.Job) bool {
		if j.State != cluster.Waiting && j.State != cluster.Suspended {
			err = fmt.Errorf("job %s is queued, is %v", j.Spec.ID, j.State)
		}
		return err == nil
	})
	return err
}
