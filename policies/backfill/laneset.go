package backfill

import "gpusim/sim/cluster"

// laneSet finds the lane of a partition. Partitions that share nodes share a
// lane; when a job brings one that touches several lanes, these become one.
type laneSet[L any] struct {
	all      []*L
	byDomain []*L                       // by Class.ID
	domains  func(*L) *[]*cluster.Class // where a lane keeps its partitions
	join     func(home, l *L)           // moves what l holds into home
}

func (s *laneSet[L]) of(d *cluster.Class) *L {
	if d.ID < len(s.byDomain) && s.byDomain[d.ID] != nil {
		return s.byDomain[d.ID]
	}
	for d.ID >= len(s.byDomain) {
		s.byDomain = append(s.byDomain, nil)
	}
	home := new(L)
	*s.domains(home) = []*cluster.Class{d}
	kept := s.all[:0]
	for _, l := range s.all {
		touches := false
		for _, o := range *s.domains(l) {
			touches = touches || o.Overlaps(d)
		}
		if !touches {
			kept = append(kept, l)
			continue
		}
		s.join(home, l)
		for _, o := range *s.domains(l) {
			s.byDomain[o.ID] = home
			*s.domains(home) = append(*s.domains(home), o)
		}
	}
	s.all = append(kept, home)
	s.byDomain[d.ID] = home
	return home
}

func newLanes(p Parts) lanes {
	return lanes{Parts: p, set: laneSet[lane]{
		domains: func(l *lane) *[]*cluster.Class { return &l.domains }, join: joinLanes}}
}
