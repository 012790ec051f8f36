package backfill

import (
	"gpusim/policies"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// conservative gives every waiting job a reservation: in every round, in queue
// order, each is planned into the earliest hole that what runs (by planned
// ends) and the plans ahead of it leave, and starts if that is now. A job past
// its estimate is planned to end now; what is planned onto its GPUs waits for
// it in place.
//
// Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2. Where
// requests only count GPUs the plan is kept between rounds and rebuilt only
// when something went against it: a job that ended early or late, or one that
// came in the middle of the order. Cost of a round: O(waiting x breaks) for a
// rebuild, O(breaks) for an arrival at the end of the queue; with shapes, CPU
// or memory a rebuild every round, O(waiting x breaks x running).
type conservative struct {
	Parts
	set laneSet[planLane]
}

// planLane is one queue with its plan.
type planLane struct {
	domains []*cluster.Class
	list    queue.List
	ends    ends
	special int // jobs, waiting or running, that need more than counting

	plan    profile
	starts  starts
	valid   bool // the plan is what a rebuild would give
	arrived []*cluster.Job
	scratch []*cluster.Job
	dirty   bool
}

func newConservative(p Parts) policies.Scheduler {
	return &conservative{Parts: p, set: laneSet[planLane]{
		domains: func(l *planLane) *[]*cluster.Class { return &l.domains }, join: joinPlanLanes}}
}

func (s *conservative) of(r *cluster.Request) *planLane { return s.set.of(r.Domain) }

func joinPlanLanes(home, l *planLane) {
	l.list.Each(func(j *cluster.Job) bool { home.list.Insert(j); return true })
	l.ends.each(func(j *cluster.Job) { home.ends.insert(j) })
	home.special += l.special
	home.dirty = true
}

func (l *planLane) isSpecial(r *cluster.Request) bool {
	return !r.Plain() || r.Base().Class != r.Domain
}

func (s *conservative) Enqueue(j *cluster.Job, now event.Time) {
	j.Key = s.Order.Key(j, now)
	l := s.of(j.Req)
	l.list.Insert(j)
	if l.isSpecial(j.Req) {
		l.special++
	}
	l.arrived = append(l.arrived, j)
	l.dirty = true
}

func (s *conservative) Dequeue(j *cluster.Job, _ event.Time) {
	l := s.of(j.Req)
	l.list.Remove(j)
	if l.isSpecial(j.Req) {
		l.special--
	}
	l.valid = false
	l.dirty = true
}

func (s *conservative) Started(j *cluster.Job, now event.Time) { s.started(j, now) }

func (s *conservative) Stopped(j *cluster.Job, now event.Time) {
	s.stopped(j, now)
	l := s.of(j.Req)
	l.ends.remove(j)
	if l.isSpecial(j.Req) {
		l.special--
	}
	if now != j.PlannedEnd {
		l.valid = false
	}
	l.dirty = true
}

// begin asks the order for the keys of all waiting jobs again where they may
// have changed; the plan goes by them.
func (s *conservative) begin(r *policies.Round) {
	if !s.shifted(r.Now) && !s.barred(r) {
		return
	}
	for _, l := range s.set.all {
		l.scratch = l.scratch[:0]
		l.list.Each(func(j *cluster.Job) bool { l.scratch = append(l.scratch, j); return true })
		l.list = queue.List{}
		for _, j := range l.scratch {
			s.refresh(r, j)
			l.list.Insert(j)
		}
		clear(l.scratch)
		l.valid, l.dirty = false, true
	}
}

func (s *conservative) Round(r *policies.Round) {
	s.begin(r)
	for _, l := range s.set.all {
		late := l.ends.first() < r.Now
		if !l.dirty && !late && l.starts.next() > r.Now {
			continue
		}
		l.dirty = false
		switch {
		case l.special > 0 || len(l.domains) > 1 || s.barred(r):
			l.valid = false
			s.replan(r, l)
		case l.valid && !late && l.appended():
			s.follow(r, l)
		default:
			s.rebuild(r, l)
			l.valid = !late
		}
		clear(l.arrived)
		l.arrived = l.arrived[:0]
	}
}

// appended reports whether what arrived stands behind everything planned.
func (l *planLane) appended() bool {
	n := 0
	if len(l.arrived) == 0 {
		return true
	}
	first := l.arrived[0]
	for _, j := range l.arrived[1:] {
		if queue.Before(j, first) {
			first = j
		}
	}
	for j := first; j != nil && n <= len(l.arrived); n++ {
		j = l.list.FindAfter(j, 1<<30, event.Never)
	}
	return n == len(l.arrived)
}

// follow starts what is due by the plan and plans what arrived.
func (s *conservative) follow(r *policies.Round, l *planLane) {
	l.plan.trim(r.Now)
	for r.Err() == nil && l.starts.next() <= r.Now {
		if !s.start(r, l, l.starts.pop()) {
			l.valid = false // its GPUs are still held, if only within this instant
		}
	}
	j := (*cluster.Job)(nil)
	for _, a := range l.arrived {
		if j == nil || queue.Before(a, j) {
			j = a
		}
	}
	for j != nil && r.Err() == nil {
		next := l.list.FindAfter(j, 1<<30, event.Never)
		s.book(r, l, j)
		j = next
	}
}

// rebuild plans everything afresh.
func (s *conservative) rebuild(r *policies.Round, l *planLane) {
	class := l.domains[0]
	l.starts.reset()
	l.plan.reset(r.Now, class.Idle())
	l.ends.each(func(j *cluster.Job) {
		l.plan.release(max(j.PlannedEnd, r.Now), j.Req.GPUs)
	})
	l.scratch = l.scratch[:0]
	l.list.Each(func(j *cluster.Job) bool { l.scratch = append(l.scratch, j); return true })
	for _, j := range l.scratch {
		if r.Err() != nil {
			break
		}
		s.book(r, l, j)
	}
	clear(l.scratch)
}

// book plans one job behind what is planned, and starts it if that is now.
func (s *conservative) book(r *policies.Round, l *planLane, j *cluster.Job) {
	length := plannedLength(r.Now, j)
	at, i := l.plan.earliest(j.Req.GPUs, length)
	l.plan.reserve(i, at, at+length, j.Req.GPUs)
	j.Planned = at
	if at <= r.Now && j.Req.GPUs <= j.Req.Class.Idle() {
		s.start(r, l, j)
		return
	}
	l.starts.push(j)
	if j.Req.GPUs > j.Req.Class.Idle() {
		r.Why(j.Req, policies.WhyNoGPUs, j.Req.GPUs, j.Req.Class.Idle())
	} else {
		r.Why(j.Req, policies.WhyReserved, j.Req.GPUs, j.Req.Class.Idle())
	}
}

func (s *conservative) start(r *policies.Round, l *planLane, j *cluster.Job) bool {
	chunks := s.Rule.Place(j, j.Chunks[:0])
	if chunks == nil {
		WhyNot(r, j.Req)
		return false
	}
	return s.startOn(r, l, j, chunks)
}

func (s *conservative) startOn(r *policies.Round, l *planLane, j *cluster.Job, chunks []cluster.Chunk) bool {
	l.list.Remove(j)
	if !r.Start(j, chunks) {
		return false
	}
	j.PlannedEnd = r.Now + plannedLength(r.Now, j)
	l.ends.insert(j)
	return true
}

// plannedLength is how long a plan keeps GPUs for a job: never no time at all,
// or the plans of others would go over it as if it were not there.
func plannedLength(now event.Time, j *cluster.Job) event.Time {
	return max(plannedEnd(now, j)-now, 1)
}

// Check rebuilds the plan of every lane whose plan is said to be valid and
// compares the planned starts.
func (s *conservative) Check(r *policies.Round) error {
	for _, l := range s.set.all {
		if err := l.ends.check(); err != nil {
			return err
		}
		if !l.valid {
			continue
		}
		if err := l.checkPlan(r.Now); err != nil {
			return err
		}
	}
	return nil
}
