package backfill

import (
	"gpusim/policies"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
)

// greedy starts anything that fits, in order (first fit first; the wide can
// starve). Cost of a round: O(requests that wait) a start.
type greedy struct{ lanes }

func newGreedy(p Parts) policies.Scheduler { return &greedy{newLanes(p)} }

func (s *greedy) Round(r *policies.Round) {
	s.begin(r)
	for _, l := range s.set.all {
		if !l.dirty {
			continue
		}
		l.dirty = false
		for r.Err() == nil {
			var next *cluster.Job
			for _, g := range l.groups.Active() {
				if s.failed(r, g.Req) {
					continue
				}
				if g.Req.GPUs > g.Req.Class.Idle() && g.Req.Share == 1000 {
					s.fail(r, g.Req)
					continue
				}
				if j := g.List.First(); next == nil || queue.Before(j, next) {
					next = j
				}
			}
			if next == nil {
				break
			}
			s.start(r, l, next)
		}
	}
}
