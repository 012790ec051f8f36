package queue

import (
	"gpusim/sim/cluster"
)

// Group is the waiting jobs of one request, in order.
type Group struct {
	Req  *cluster.Request
	List List
	pos  int // in Groups.active, -1 while empty
}

// Groups holds waiting jobs by request. Only requests with waiting jobs are
// walked.
type Groups struct {
	byReq  []*Group // by Request.ID
	active []*Group
	n      int
}

// Len returns the number of waiting jobs.
func (g *Groups) Len() int { return g.n }

// Active returns the groups with waiting jobs, in no meaningful order; it is
// valid until the next change.
func (g *Groups) Active() []*Group { return g.active }

// Insert adds a waiting job.
func (g *Groups) Insert(j *cluster.Job) {
	for j.Req.ID >= len(g.byReq) {
		g.byReq = append(g.byReq, nil)
	}
	grp := g.byReq[j.Req.ID]
	if grp == nil {
		grp = &Group{Req: j.Req, pos: -1}
		g.byReq[j.Req.ID] = grp
	}
	if grp.pos < 0 {
		grp.pos = len(g.active)
		g.active = append(g.active, grp)
	}
	grp.List.Insert(j)
	g.n++
}

// Remove takes a job out and reports whether it was there.
func (g *Groups) Remove(j *cluster.Job) bool {
	if j.Req.ID >= len(g.byReq) {
		return false
	}
	grp := g.byReq[j.Req.ID]
	if grp == nil || !grp.List.Remove(j) {
		return false
	}
	g.n--
	if grp.List.Len() == 0 {
		last := g.active[len(g.active)-1]
		g.active[grp.pos] = last
		last.pos = grp.pos
		g.active = g.active[:len(g.active)-1]
		grp.pos = -1
	}
	return true
}

// First returns the first job of all groups, nil if none waits.
// Cost O(requests with waiting jobs).
func (g *Groups) First() *cluster.Job {
	var best *cluster.Job
	for _, grp := range g.active {
		if j := grp.List.First(); best == nil || Before(j, best) {
			best = j
		}
	}
	return best
}

// Before reports whether a stands before b in the order.
func Before(a, b *cluster.Job) bool {
	if a.Key != b.Key {
		return a.Key.Less(b.Key)
	}
	return a.Index < b.Index
}
