package backfill

import (
	"fmt"

	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// profile is free GPUs over time: each piece from its at to the next one's, the
// last for ever.
type profile struct {
	pieces []piece

	// memo, by GPUs: jobs planned in order only take away, so a job as wide and
	// at least as long as one planned before starts no earlier than that one
	// did. An entry counts while its stamp is the profile's.
	memo  []found
	stamp uint32
}

type piece struct {
	at   event.Time
	free int
}

type found struct {
	length, at event.Time
	stamp      uint32
}

func (p *profile) reset(now event.Time, free int) {
	p.pieces = append(p.pieces[:0], piece{now, free})
	p.stamp++
}

// index returns the piece that holds t, at or behind piece from.
func (p *profile) index(t event.Time, from int) int {
	lo, hi := from+1, len(p.pieces)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if p.pieces[m].at > t {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo - 1
}

// split makes t a border and returns its piece, which is at or behind from.
func (p *profile) split(t event.Time, from int) int {
	i := p.index(t, from)
	if p.pieces[i].at == t {
		return i
	}
	p.pieces = append(p.pieces, piece{})
	copy(p.pieces[i+2:], p.pieces[i+1:])
	p.pieces[i+1] = piece{t, p.pieces[i].free}
	return i + 1
}

// release adds GPUs from t on; calls come in order of t.
func (p *profile) release(t event.Time, gpus int) {
	last := &p.pieces[len(p.pieces)-1]
	if last.at == t {
		last.free += gpus
		return
	}
	p.pieces = append(p.pieces, piece{t, last.free + gpus})
}

// earliest returns the first instant from which gpus are free for length, and
// its piece.
func (p *profile) earliest(gpus int, length event.Time) (at event.Time, i int) {
	for gpus >= len(p.memo) {
		p.memo = append(p.memo, found{})
	}
	m := &p.memo[gpus]
	if m.stamp == p.stamp && length >= m.length && m.at > p.pieces[0].at {
		i = p.index(m.at, 0)
	}
	ps := p.pieces
	for ; i < len(ps); i++ {
		if ps[i].free < gpus {
			continue
		}
		end := ps[i].at + length
		k := i + 1
		for k < len(ps) && ps[k].at < end && ps[k].free >= gpus {
			k++
		}
		if k == len(ps) || ps[k].at >= end {
			*m = found{length, ps[i].at, p.stamp}
			return ps[i].at, i
		}
		i = k // piece k is too low
	}
	return event.Never / 2, len(ps) - 1 // not reached: everything is free in the end
}

// reserve takes GPUs from from, the start of piece i, to to.
func (p *profile) reserve(i int, from, to event.Time, gpus int) {
	if from >= to {
		return
	}
	i = p.split(from, i)
	k := p.split(to, i)
	for ; i < k; i++ {
		p.pieces[i].free -= gpus
	}
}

// trim forgets what is before now.
func (p *profile) trim(now event.Time) {
	if i := p.index(now, 0); i > 0 {
		p.pieces = append(p.pieces[:0], p.pieces[i:]...)
	}
	p.pieces[0].at = now
}

// starts is a heap of planned jobs by (planned start, order).
type starts struct {
	heap []*cluster.Job
}

func (s *starts) reset() {
	clear(s.heap)
	s.heap = s.heap[:0]
}

func (s *starts) next() event.Time {
	if len(s.heap) == 0 {
		return event.Never
	}
	return s.heap[0].Planned
}

func earlier(a, b *cluster.Job) bool {
	if a.Planned != b.Planned {
		return a.Planned < b.Planned
	}
	return queue.Before(a, b)
}

func (s *starts) push(j *cluster.Job) {
	h := append(s.heap, j)
	i := len(h) - 1
	for i > 0 && earlier(j, h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = j
	s.heap = h
}

func (s *starts) pop() *cluster.Job {
	h := s.heap
	top := h[0]
	n := len(h) - 1
	j := h[n]
	h[n] = nil
	h = h[:n]
	if n > 0 {
		i := 0
		for {
			k := 2*i + 1
			if k >= n {
				break
			}
			if k+1 < n && earlier(h[k+1], h[k]) {
				k++
			}
			if !earlier(h[k], j) {
				break
			}
			h[i] = h[k]
			i = k
		}
		h[i] = j
	}
	s.heap = h
	return top
}

// checkPlan rebuilds the plan and compares planned starts.
func (l *planLane) checkPlan(now event.Time) error {
	var p profile
	p.reset(now, l.domains[0].Idle())
	l.ends.each(func(j *cluster.Job) { p.release(max(j.PlannedEnd, now), j.Req.GPUs) })
	var err error
	l.list.Each(func(j *cluster.Job) bool {
		length := plannedLength(now, j)
		at, i := p.earliest(j.Req.GPUs, length)
		p.reserve(i, at, at+length, j.Req.GPUs)
		if at != j.Planned {
			err = fmt.Errorf("job %s is planned at %d, a rebuilt plan says %d", j.Spec.ID, j.Planned, at)
		}
		return err == nil
	})
	return err
}
