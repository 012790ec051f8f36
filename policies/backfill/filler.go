package backfill

import (
	"gpusim/policies"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Parts are what a filler is built from.
type Parts struct {
	Env   policies.Env
	Order order.Order
	Rule  placement.Rule
}

// Table lists the fillers.
func Table() []policies.Entry[func(Parts) policies.Scheduler] {
	entry := func(name, doc string, build func(Parts) policies.Scheduler) policies.Entry[func(Parts) policies.Scheduler] {
		return policies.Entry[func(Parts) policies.Scheduler]{Name: name, Doc: doc,
			New: func(any, policies.Env) (func(Parts) policies.Scheduler, error) { return build, nil }}
	}
	return []policies.Entry[func(Parts) policies.Scheduler]{
		entry("none", "strict: the first that does not fit stops all behind it", newNone),
		entry("greedy", "anything that fits may start", newGreedy),
		entry("easy", "what does not delay the first waiting job may start", newEASY),
		entry("conservative", "what delays no job ahead of it may start", newConservative),
	}
}

// lane is one queue: the jobs of partitions that share nodes.
type lane struct {
	domains []*cluster.Class
	groups  queue.Groups
	ends    ends
	dirty   bool
}

// simple reports whether idle GPUs of r's class are all that counts for r in
// this lane: a plain request for the whole of the lane's only domain, and no
// GPU shared.
func (l *lane) simple(c *cluster.Cluster, r *cluster.Request) bool {
	return r.Plain() && len(l.domains) == 1 && r.Class == l.domains[0] && c.Shared() == 0
}

// lanes keeps the waiting jobs of none, greedy and easy.
type lanes struct {
	Parts
	set     laneSet[lane]
	scratch []*cluster.Job
}

// of returns the lane of a request.
func (s *lanes) of(r *cluster.Request) *lane { return s.set.of(r.Domain) }

func joinLanes(home, l *lane) {
	for _, g := range l.groups.Active() {
		g.List.Each(func(j *cluster.Job) bool { home.groups.Insert(j); return true })
	}
	l.ends.each(func(j *cluster.Job) { home.ends.insert(j) })
	home.dirty = true
}

func (s *lanes) Enqueue(j *cluster.Job, now event.Time) {
	j.Key = s.Order.Key(j, now)
	l := s.of(j.Req)
	l.groups.Insert(j)
	l.dirty = true
}

func (s *lanes) Dequeue(j *cluster.Job, _ event.Time) {
	l := s.of(j.Req)
	l.groups.Remove(j)
	l.dirty = true
}

// begin asks the order for the keys of all waiting jobs again where they may
// have changed. Every round starts with it.
func (s *lanes) begin(r *policies.Round) {
	// shifted has an effect of its own, so it is asked first.
	if !s.shifted(r.Now) && !s.barred(r) {
		return
	}
	for _, l := range s.set.all {
		s.scratch = s.scratch[:0]
		for _, g := range l.groups.Active() {
			g.List.Each(func(j *cluster.Job) bool { s.scratch = append(s.scratch, j); return true })
		}
		for _, j := range s.scratch {
			l.groups.Remove(j)
		}
		for _, j := range s.scratch {
			s.refresh(r, j)
			l.groups.Insert(j)
		}
		l.dirty = true
	}
	clear(s.scratch)
}

// barred reports whether reservations bear on this round: one is under way or
// to come, or has just ended.
func (p *Parts) barred(r *policies.Round) bool {
	c := r.Cluster
	return len(c.Spec().Reservations) > 0 && (c.Reserved(r.Now) || c.NextRelease(r.Now-1) == r.Now)
}

// refresh looks at a waiting job's key and request again.
func (p *Parts) refresh(r *policies.Round, j *cluster.Job) {
	j.Key = p.Order.Key(j, r.Now)
	if len(r.Cluster.Spec().Reservations) > 0 {
		if q := r.Cluster.Effective(j, r.Now); q != j.Req {
			r.Retarget(j, q)
		}
	}
}

// shifted reports whether the keys of waiting jobs may have changed.
func (p *Parts) shifted(now event.Time) bool {
	sh, ok := p.Order.(order.Shifter)
	return ok && sh.Shift(now)
}

// started and stopped tell an order that follows who holds GPUs.
func (p *Parts) started(j *cluster.Job, now event.Time) {
	if f, ok := p.Order.(order.Follower); ok {
		f.Started(j, now)
	}
}

func (p *Parts) stopped(j *cluster.Job, now event.Time) {
	if f, ok := p.Order.(order.Follower); ok {
		f.Stopped(j, now)
	}
}

// Started tells the order alone: start noted the job in the round.
func (s *lanes) Started(j *cluster.Job, now event.Time) { s.started(j, now) }

func (s *lanes) Stopped(j *cluster.Job, now event.Time) {
	s.stopped(j, now)
	l := s.of(j.Req)
	l.ends.remove(j)
	l.dirty = true
}

// start places a job and starts it; false when it does not fit, which is
// remembered for all jobs of the request until capacity comes back.
func (s *lanes) start(r *policies.Round, l *lane, j *cluster.Job) bool {
	if s.failed(r, j.Req) {
		return false
	}
	chunks := s.Rule.Place(j, j.Chunks[:0])
	if chunks == nil {
		s.fail(r, j.Req)
		return false
	}
	return s.startOn(r, l, j, chunks)
}

func (s *lanes) startOn(r *policies.Round, l *lane, j *cluster.Job, chunks []cluster.Chunk) bool {
	l.groups.Remove(j)
	if !r.Start(j, chunks) {
		return false
	}
	j.PlannedEnd = plannedEnd(r.Now, j)
	l.ends.insert(j)
	return true
}

func plannedEnd(now event.Time, j *cluster.Job) event.Time {
	d := j.PlannedRun()
	if d > event.Never/2 {
		d = event.Never / 2
	}
	return now + d
}

func (s *lanes) failed(r *policies.Round, q *cluster.Request) bool {
	return q.FailedAt == r.Cluster.Version()+1
}

// fail remembers that a request does not fit and says why.
func (s *lanes) fail(r *policies.Round, q *cluster.Request) {
	q.FailedAt = r.Cluster.Version() + 1
	WhyNot(r, q)
}

// WhyNot records why a request does not fit now.
func WhyNot(r *policies.Round, q *cluster.Request) {
	has := q.Class.Idle()
	if has < q.GPUs {
		r.Why(q, policies.WhyNoGPUs, q.GPUs, has)
		return
	}
	r.Why(q, policies.WhyShape, q.GPUs, has)
}

// behind records, for the requests of a lane that nobody looked at, that they
// stand behind the first.
func (s *lanes) behind(r *policies.Round, l *lane, head *cluster.Job) {
	for _, g := range l.groups.Active() {
		if g.Req != head.Req && g.Req.Why.Code == "" {
			r.Why(g.Req, policies.WhyBehind, g.Req.GPUs, g.Req.Class.Idle())
		}
	}
}

// Check compares the planned ends with what runs, and every memo of a failure
// with the truth.
func (s *lanes) Check(r *policies.Round) error {
	for _, l := range s.set.all {
		if err := l.ends.check(); err != nil {
			return err
		}
		for _, g := range l.groups.Active() {
			if s.failed(r, g.Req) {
				if err := mustNotFit(r, s.Rule, g.List.First()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
