package backfill

import (
	"gpusim/policies"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// easy is EASY (aggressive) backfilling. The first waiting job that does not
// fit gets a shadow: the instant at which it could be placed if what runs
// ended as planned (a job past its estimate is planned to end now). Another
// job starts if it is planned to end by the shadow, or if the first could
// still be placed at the shadow beside it. Where the first will sit is not
// pinned, and only the first is protected.
//
// Source: Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001,
// section 2. Cost of a round: for requests that only count GPUs
// O(requests that wait + running / 128) a start; else a what-if over what runs
// for each candidate.
type easy struct{ lanes }

func newEASY(p Parts) policies.Scheduler { return &easy{newLanes(p)} }

func (s *easy) Round(r *policies.Round) {
	s.begin(r)
	for _, l := range s.set.all {
		// With jobs past their estimate the shadow moves with time.
		if !l.dirty && l.ends.first() >= r.Now {
			continue
		}
		l.dirty = false
		s.lane(r, l)
	}
}

func (s *easy) lane(r *policies.Round, l *lane) {
	var head *cluster.Job
	for {
		head = l.groups.First()
		if head == nil || r.Err() != nil {
			return
		}
		if !s.start(r, l, head) {
			break
		}
	}
	WhyNot(r, head.Req)
	if l.groups.Len() == 1 {
		return
	}
	if l.simple(r.Cluster, head.Req) && !r.Cluster.Reserved(r.Now) {
		s.counted(r, l, head)
	} else {
		s.placed(r, l, head)
	}
}

// counted backfills where the first job needs nothing but a number of GPUs.
func (s *easy) counted(r *policies.Round, l *lane, head *cluster.Job) {
	class := head.Req.Class
	shadow, sum, ok := l.ends.back(r.Now, head.Req.GPUs-class.Idle())
	if !ok {
		shadow, sum = event.Never, 0
	}
	window := shadow - r.Now
	extra := class.Idle() + sum - head.Req.GPUs // free beside the first at the shadow
	for r.Err() == nil {
		var next *cluster.Job
		for _, g := range l.groups.Active() {
			q := g.Req
			if s.failed(r, q) {
				continue
			}
			if q.Share < 1000 {
				s.placed(r, l, head) // shares of GPUs need the careful way
				return
			}
			if q.GPUs > q.Class.Idle() {
				s.fail(r, q)
				continue
			}
			var j *cluster.Job
			if q.GPUs <= extra {
				j = g.List.First()
			} else if j = g.List.Find(q.GPUs, window); j == nil {
				r.Why(q, policies.WhyDelaysHead, q.GPUs, max(extra, 0))
				continue
			}
			if next == nil || queue.Before(j, next) {
				next = j
			}
		}
		if next == nil {
			return
		}
		late := next.PlannedRun() > window
		if s.start(r, l, next) && late {
			extra -= next.Req.GPUs
		}
	}
}

// placed backfills in general, by what-ifs on the cluster.
func (s *easy) placed(r *policies.Round, l *lane, head *cluster.Job) {
	shadow := s.shadow(r, l, head)
	window := shadow - r.Now
	var at *cluster.Job // the last job looked at
	starts := uint64(1)
	tried := map[*cluster.Request]uint64{} // request -> starts when it last would delay
	for r.Err() == nil {
		var next *cluster.Job
		for _, g := range l.groups.Active() {
			if s.failed(r, g.Req) {
				continue
			}
			limit := event.Never
			if tried[g.Req] == starts {
				limit = window
			}
			if j := g.List.FindAfter(at, g.Req.GPUs, limit); j != nil && (next == nil || queue.Before(j, next)) {
				next = j
			}
		}
		if next == nil {
			return
		}
		key := *next // next may be recycled by the time at is used: keep key and index
		at = &key
		chunks := s.Rule.Place(next, next.Chunks[:0])
		if chunks == nil {
			s.fail(r, next.Req)
			continue
		}
		if next.PlannedRun() > window && s.delays(r, l, head, next, chunks, shadow) {
			tried[next.Req] = starts
			r.Why(next.Req, policies.WhyDelaysHead, next.Req.GPUs, next.Req.Class.Idle())
			continue
		}
		if s.startOn(r, l, next, chunks) {
			starts++
		}
	}
}

// shadow returns when the first job could be placed if what runs in its lane
// ended as planned, reservations being as they then are.
func (s *easy) shadow(r *policies.Round, l *lane, head *cluster.Job) event.Time {
	c := r.Cluster
	c.Begin()
	defer c.Rollback()
	var jobs []*cluster.Job
	l.ends.each(func(j *cluster.Job) { jobs = append(jobs, j) })
	for i, at := 0, r.Now; ; {
		for i < len(jobs) && max(jobs[i].PlannedEnd, r.Now) <= at {
			c.Give(jobs[i].Req, jobs[i].Chunks)
			i++
		}
		if (i > 0 || at > r.Now) && c.Fits(c.Effective(head, at)) {
			return at
		}
		next := c.NextRelease(at)
		if i < len(jobs) {
			next = min(next, jobs[i].PlannedEnd)
		}
		if next == event.Never {
			return event.Never
		}
		at = next
	}
}

// delays reports whether the first job could not be placed at the shadow with
// next running on chunks.
func (s *easy) delays(r *policies.Round, l *lane, head, next *cluster.Job, chunks []cluster.Chunk, shadow event.Time) bool {
	c := r.Cluster
	c.Begin()
	defer c.Rollback()
	l.ends.each(func(j *cluster.Job) {
		if max(j.PlannedEnd, r.Now) <= shadow {
			c.Give(j.Req, j.Chunks)
		}
	})
	if err := c.Take(next.Req, chunks); err != nil {
		r.Fail(err)
		return true
	}
	return !c.Fits(c.Effective(head, shadow))
}
