package backfill

import "gpusim/policies"

// none is strict: jobs start in order, and the first that does not fit stops
// all behind it. Cost of a round: O(requests that wait) a start.
type none struct{ lanes }

func newNone(p Parts) policies.Scheduler { return &none{newLanes(p)} }

func (s *none) Round(r *policies.Round) {
	s.begin(r)
	for _, l := range s.set.all {
		if !l.dirty {
			continue
		}
		l.dirty = false
		for {
			head := l.groups.First()
			if head == nil || r.Err() != nil {
				break
			}
			if !s.start(r, l, head) {
				WhyNot(r, head.Req)
				s.behind(r, l, head)
				break
			}
		}
	}
}
