package preemption

import (
	"slices"

	"gpusim/policies"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Walk is the preemptive scheduler.
//
// Cost of a round: O(running log running + waiting jobs that are chosen); with
// partitions, shapes or suspended jobs also a what-if.
type Walk struct {
	env    policies.Env
	order  order.Order
	rule   placement.Rule
	how    policies.Preemption
	strict bool
	keeps  bool // running jobs of equal key keep their rank

	waiting  queue.List
	running  []*cluster.Job // Job.Pos is the position
	stopping []*cluster.Job // in their grace time; Job.Pos likewise
	special  int            // unfinished jobs for which counting is not enough

	timers  *event.List // when keys of waiting jobs change
	byIndex map[int32]*cluster.Job

	over     []*cluster.Class // strict: domains whose walk has ended
	fresh    []*cluster.Job   // began to wait since the last round
	round    uint64
	ranked   []*cluster.Job // running, in rank order (scratch)
	chosen   []*cluster.Job // waiting jobs chosen (scratch)
	victims  []*cluster.Job
	excluded map[*cluster.Job]doubt
	rem      room
}

// doubt is what a walk makes of a job that was chosen by number but had no
// place. A strict walk first tries to end behind it, which may free its place;
// else it counts as one that does not fit.
type doubt uint8

const (
	last doubt = iota + 1
	out
)

// New builds the scheduler; strict ends the walk at the first job that does
// not fit.
func New(env policies.Env, o order.Order, rule placement.Rule, how policies.Preemption, strict bool) *Walk {
	_, keeps := o.(order.RankKeeper)
	return &Walk{env: env, order: o, rule: rule, how: how, strict: strict, keeps: keeps,
		timers: event.NewList(0), byIndex: map[int32]*cluster.Job{}, excluded: map[*cluster.Job]doubt{}}
}

func (w *Walk) isSpecial(j *cluster.Job) bool {
	return !j.Req.Plain() || !j.Req.Class.All() || len(w.env.Cluster.Spec().Reservations) > 0 || w.how.Kind == policies.PreemptSuspend
}

// Enqueue ranks a job and sets the timer of its next change of rank.
func (w *Walk) Enqueue(j *cluster.Job, now event.Time) {
	if w.isSpecial(j) {
		w.special++
	}
	w.insert(j, now)
	w.fresh = append(w.fresh, j)
}

func (w *Walk) insert(j *cluster.Job, now event.Time) {
	j.Key = w.order.Key(j, now)
	w.waiting.Insert(j)
	if at := w.order.Next(j, now); at != event.Never {
		w.byIndex[j.Index] = j
		j.Timer = w.timers.Schedule(at, 0, uint64(j.Index), event.Event{A: j.Index})
	}
}

func (w *Walk) remove(j *cluster.Job) {
	w.waiting.Remove(j)
	if j.Timer != 0 {
		w.timers.Cancel(j.Timer)
		j.Timer = 0
		delete(w.byIndex, j.Index)
	}
}

// Dequeue forgets a waiting job.
func (w *Walk) Dequeue(j *cluster.Job, _ event.Time) {
	if w.isSpecial(j) {
		w.special--
	}
	w.remove(j)
}

// Started lists a job as running.
func (w *Walk) Started(j *cluster.Job, now event.Time) {
	if f, ok := w.order.(order.Follower); ok {
		f.Started(j, now)
	}
	j.Pos = int32(len(w.running))
	w.running = append(w.running, j)
}

// Stopped forgets a job that gave back its GPUs.
func (w *Walk) Stopped(j *cluster.Job, now event.Time) {
	if f, ok := w.order.(order.Follower); ok {
		f.Stopped(j, now)
	}
	if w.isSpecial(j) {
		w.special--
	}
	if int(j.Pos) < len(w.stopping) && w.stopping[j.Pos] == j {
		w.stopping = drop(w.stopping, j)
	} else {
		w.running = drop(w.running, j)
	}
}

func drop(list []*cluster.Job, j *cluster.Job) []*cluster.Job {
	last := list[len(list)-1]
	list[j.Pos] = last
	last.Pos = j.Pos
	list[len(list)-1] = nil
	return list[:len(list)-1]
}

// Round walks all unfinished jobs.
func (w *Walk) Round(r *policies.Round) {
	w.fire(r.Now)
	w.shift(r)
	if w.waiting.Len() > 0 || len(w.running) > 0 {
		w.rank(r)
		clear(w.excluded)
		for {
			w.walk(r)
			bad := w.settle(r)
			if bad == nil || r.Err() != nil {
				break
			}
			if w.strict && w.excluded[bad] == 0 {
				w.excluded[bad] = last
			} else {
				w.excluded[bad] = out
			}
		}
	}
	for _, j := range w.fresh {
		// The walk passes over jobs that are too wide without a look.
		if j.Req.Why.Code == "" && j.Selected != w.round {
			r.Why(j.Req, policies.WhyOutranked, j.Req.GPUs, 0)
		}
	}
	clear(w.fresh)
	w.fresh = w.fresh[:0]
}

// shift ranks all waiting jobs again where the order says that they may have
// changed places.
func (w *Walk) shift(r *policies.Round) {
	now := r.Now
	sh, ok := w.order.(order.Shifter)
	shifted := ok && sh.Shift(now)
	barred := len(r.Cluster.Spec().Reservations) > 0 && (r.Cluster.Reserved(now) || r.Cluster.NextRelease(now-1) == now)
	if !shifted && !barred {
		return
	}
	var all []*cluster.Job
	w.waiting.Each(func(j *cluster.Job) bool { all = append(all, j); return true })
	w.waiting = queue.List{}
	for _, j := range all {
		j.Key = w.order.Key(j, now)
		if barred {
			if q := r.Cluster.Effective(j, now); q != j.Req {
				r.Retarget(j, q)
			}
		}
		w.waiting.Insert(j)
	}
}

// fire ranks again the waiting jobs whose key changes now.
func (w *Walk) fire(now event.Time) {
	for {
		at, _, ok := w.timers.Peek()
		if !ok || at > now {
			return
		}
		_, ev, _ := w.timers.Next()
		j := w.byIndex[ev.A]
		delete(w.byIndex, ev.A)
		j.Timer = 0
		w.waiting.Remove(j)
		w.insert(j, now)
	}
}

// rank sorts the running jobs by their keys now.
func (w *Walk) rank(r *policies.Round) {
	w.ranked = append(w.ranked[:0], w.running...)
	for _, j := range w.ranked {
		j.Key = w.order.Key(j, r.Now)
	}
	slices.SortFunc(w.ranked, func(a, b *cluster.Job) int {
		if w.keeps && a.Key == b.Key {
			return int(a.Rank - b.Rank)
		}
		if queue.Before(a, b) {
			return -1
		}
		return 1
	})
}

// walk chooses jobs by number of GPUs: first those that may not be stopped,
// then all others in rank order, running before waiting at the same key.
func (w *Walk) walk(r *policies.Round) {
	w.round++
	w.rem.reset(r.Cluster, w.special > 0)
	w.chosen, w.victims, w.over = w.chosen[:0], w.victims[:0], w.over[:0]
	if w.how.MinRun > 0 {
		for _, j := range w.ranked {
			if w.guarded(j, r.Now) {
				j.Selected = w.round
				w.rem.takeRunning(j)
			}
		}
	}
	var next *cluster.Job // next waiting
	var at *cluster.Job   // the last one looked at
	step := func() {
		limit := 1 << 30
		if !w.strict {
			limit = w.rem.bound()
		}
		next = w.waiting.FindAfter(at, limit, event.Never)
	}
	step()
	rank := int32(0)
	for i := 0; ; {
		if i == len(w.ranked) && next == nil {
			return
		}
		var j *cluster.Job
		waits := next != nil && (i == len(w.ranked) || next.Key.Less(w.ranked[i].Key))
		if waits {
			j = next
			at = next
		} else {
			j = w.ranked[i]
			i++
		}
		rank++
		j.Rank = rank
		switch fits := !w.ended(j.Req.Domain) && w.rem.fits(j.Req); {
		case j.Selected == w.round: // it may not be stopped
		case waits && w.excluded[j] == out:
			if w.strict && w.end(j.Req.Domain, i) {
				return
			}
		case fits && waits:
			j.Selected = w.round
			w.rem.takeNew(j)
			w.chosen = append(w.chosen, j)
			if w.excluded[j] == last && w.end(j.Req.Domain, i) {
				return
			}
		case fits:
			j.Selected = w.round
			w.rem.takeRunning(j)
		default:
			if waits {
				w.whyNot(r, j)
			} else {
				w.victims = append(w.victims, j)
			}
			if w.strict && w.end(j.Req.Domain, i) {
				return
			}
		}
		if waits || !w.strict && next != nil && next.Req.GPUs > w.rem.bound() {
			step()
		}
	}
}

// end ends the walk of a domain at the first job that does not fit, and reports
// whether that ends it for all.
func (w *Walk) end(d *cluster.Class, i int) bool {
	if d.All() {
		w.stopRest(i)
		return true
	}
	if !w.ended(d) {
		w.over = append(w.over, d)
	}
	return false
}

// ended reports whether the walk of a domain, or of one that shares nodes with
// it, has ended.
func (w *Walk) ended(d *cluster.Class) bool {
	for _, o := range w.over {
		if o == d || o.Overlaps(d) {
			return true
		}
	}
	return false
}

// stopRest makes victims of the running jobs from i on that are not chosen.
func (w *Walk) stopRest(i int) {
	for ; i < len(w.ranked); i++ {
		if w.ranked[i].Selected != w.round {
			w.victims = append(w.victims, w.ranked[i])
		} else {
			w.ranked[i].Rank = 1<<30 + int32(i) // behind all, in this order
		}
	}
}

func (w *Walk) guarded(j *cluster.Job, now event.Time) bool {
	return now-j.LastStart < w.how.MinRun
}

func (w *Walk) whyNot(r *policies.Round, j *cluster.Job) {
	r.Why(j.Req, policies.WhyOutranked, j.Req.GPUs, w.rem.left(j.Req))
}

// Wake asks for a round at the next instant at which a rank changes by itself
// or a running job may be preempted for the first time.
func (w *Walk) Wake(r *policies.Round) {
	if w.waiting.Len() == 0 {
		return
	}
	if at, _, ok := w.timers.Peek(); ok {
		r.WakeAt(at)
	}
	for _, j := range w.running {
		if w.how.MinRun > 0 && w.guarded(j, r.Now) {
			r.WakeAt(j.LastStart + w.how.MinRun)
		}
		if at := w.order.Next(j, r.Now); at != event.Never {
			r.WakeAt(at)
		}
	}
}

// Check compares what the scheduler remembers with the jobs.
func (w *Walk) Check(*policies.Round) error { return w.check() }
