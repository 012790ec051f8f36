package backfill

import (
	"cmp"
	"math/bits"
	"slices"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// step is one change of the plan: a job gives its GPUs back or takes them.
type step struct {
	at   event.Time
	take bool
	req  *cluster.Request // as it holds or will hold them
	on   []cluster.Chunk
}

// replan is the conservative plan where counting GPUs is not enough: every
// reservation is pinned to GPUs. A job is planned at the first instant at
// which, on what stays free for its whole planned run, the placement rule finds
// a place.
func (s *conservative) replan(r *policies.Round, l *planLane) {
	l.starts.reset()
	var steps []step
	l.ends.each(func(j *cluster.Job) {
		steps = append(steps, step{max(j.PlannedEnd, r.Now), false, j.Req, j.Chunks})
	})
	for j := l.list.First(); j != nil && r.Err() == nil; {
		next := l.list.FindAfter(j, 1<<30, event.Never)
		at, req, chunks := s.hole(r, steps, j)
		j.Planned = at
		switch {
		case chunks == nil:
			r.Why(j.Req, policies.WhyShape, j.Req.GPUs, j.Req.Class.Idle())
		case at <= r.Now && free(r.Cluster, j.Req, chunks):
			if s.startOn(r, l, j, chunks) {
				steps = insertStep(steps, step{j.PlannedEnd, false, j.Req, chunks})
			}
		default:
			steps = insertStep(steps, step{at, true, req, chunks})
			steps = insertStep(steps, step{at + plannedLength(r.Now, j), false, req, chunks})
			if r.Cluster.Fits(j.Req) {
				r.Why(j.Req, policies.WhyReserved, j.Req.GPUs, j.Req.Class.Idle())
			} else {
				WhyNot(r, j.Req)
			}
		}
		j = next
	}
}

// free reports whether chunks can be taken now (what is planned onto the GPUs
// of a job past its estimate cannot).
func free(c *cluster.Cluster, q *cluster.Request, chunks []cluster.Chunk) bool {
	c.Begin()
	defer c.Rollback()
	return c.Take(q, chunks) == nil
}

func insertStep(steps []step, st step) []step {
	i, _ := slices.BinarySearchFunc(steps, st, func(a, b step) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		if a.take != b.take { // what ends gives back before anything takes
			if b.take {
				return -1
			}
			return 1
		}
		return -1 // behind its equals
	})
	return slices.Insert(steps, i, st)
}

// hole finds the first instant, and the place, that stays free long enough.
func (s *conservative) hole(r *policies.Round, steps []step, j *cluster.Job) (event.Time, *cluster.Request, []cluster.Chunk) {
	c := r.Cluster
	length := plannedLength(r.Now, j)
	c.Begin()
	defer c.Rollback()
	i := 0
	for at := r.Now; ; {
		for i < len(steps) && steps[i].at <= at {
			if steps[i].take {
				// A plan onto GPUs of a late job cannot be taken before it ends.
				if err := c.Take(steps[i].req, steps[i].on); err != nil {
					r.Fail(err)
					return 0, nil, nil
				}
			} else {
				c.Give(steps[i].req, steps[i].on)
			}
			i++
		}
		if req := c.Effective(j, at); c.Fits(req) {
			c.Begin()
			hide(c, steps[i:], at+length)
			now := j.Req
			j.Req = req // the rule reads it from the job
			chunks := s.Rule.Place(j, nil)
			j.Req = now
			c.Rollback()
			if chunks != nil {
				return at, req, chunks
			}
		}
		next := c.NextRelease(at)
		if i < len(steps) {
			next = min(next, steps[i].at)
		}
		if next == event.Never {
			return event.Never, j.Req, nil
		}
		at = next
	}
}

// hide takes what is free now but will be taken by a step before until.
func hide(c *cluster.Cluster, steps []step, until event.Time) {
	type use struct{ now, most int64 }
	gpu := map[int]*use{}
	cpu, mem := map[int]*use{}, map[int]*use{}
	add := func(m map[int]*use, k int, v int64) {
		u := m[k]
		if u == nil {
			u = &use{}
			m[k] = u
		}
		u.now += v
		u.most = max(u.most, u.now)
	}
	var nodes []int
	for _, st := range steps {
		if st.at >= until {
			break
		}
		sign := int64(-1)
		if st.take {
			sign = 1
		}
		for k := 0; k < len(st.on); {
			n := c.NodeOf(st.on[k])
			count := 0
			for ; k < len(st.on) && c.NodeOf(st.on[k]) == n; k++ {
				count += bits.OnesCount64(st.on[k].Mask)
				for m := st.on[k].Mask; m != 0; m &= m - 1 {
					add(gpu, 64*int(st.on[k].Word)+bits.TrailingZeros64(m), sign*int64(st.req.Share))
				}
			}
			nodes = append(nodes, n)
			add(cpu, n, sign*st.req.PartCPU(count))
			add(mem, n, sign*st.req.PartMem(count))
		}
	}
	slices.Sort(nodes)
	for _, n := range slices.Compact(nodes) {
		c.Hide(n, max(cpu[n].most, 0), max(mem[n].most, 0), func(pos int) int {
			if u := gpu[pos]; u != nil {
				return int(u.most)
			}
			return 0
		})
	}
}
