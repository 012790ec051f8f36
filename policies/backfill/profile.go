package backfill

import (
	"fmt"
	"sort"

	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// profile is free GPUs over time: free[i] from at[i] to at[i+1], the last for
// ever.
type profile struct {
	at   []event.Time
	free []int

	// memo: jobs planned in order only take away, so a job at least as wide and
	// as long as one planned before starts no earlier than that one did.
	memo map[int]found
}

type found struct {
	length, at event.Time
}

func (p *profile) reset(now event.Time, free int) {
	p.at = append(p.at[:0], now)
	p.free = append(p.free[:0], free)
	if p.memo == nil {
		p.memo = map[int]found{}
	}
	clear(p.memo)
}

// index returns the piece that holds t.
func (p *profile) index(t event.Time) int {
	return sort.Search(len(p.at), func(i int) bool { return p.at[i] > t }) - 1
}

// split makes t a border and returns its piece.
func (p *profile) split(t event.Time) int {
	i := p.index(t)
	if p.at[i] == t {
		return i
	}
	p.at = append(p.at, 0)
	p.free = append(p.free, 0)
	copy(p.at[i+2:], p.at[i+1:])
	copy(p.free[i+2:], p.free[i+1:])
	p.at[i+1], p.free[i+1] = t, p.free[i]
	return i + 1
}

// release adds GPUs from t on; calls come in order of t.
func (p *profile) release(t event.Time, gpus int) {
	if last := len(p.at) - 1; p.at[last] == t {
		p.free[last] += gpus
		return
	}
	p.at = append(p.at, t)
	p.free = append(p.free, p.free[len(p.free)-1]+gpus)
}

// earliest returns the first instant from which gpus are free for length.
func (p *profile) earliest(gpus int, length event.Time) event.Time {
	i := 0
	if m, ok := p.memo[gpus]; ok && length >= m.length && m.at > p.at[0] {
		i = p.index(m.at)
	}
	for ; i < len(p.at); i++ {
		if p.free[i] < gpus {
			continue
		}
		end := p.at[i] + length
		k := i + 1
		for k < len(p.at) && p.at[k] < end && p.free[k] >= gpus {
			k++
		}
		if k == len(p.at) || p.at[k] >= end {
			p.memo[gpus] = found{length, p.at[i]}
			return p.at[i]
		}
		i = k // piece k is too low
	}
	return event.Never / 2 // not reached: everything is free in the end
}

// reserve takes GPUs from from to to.
func (p *profile) reserve(from, to event.Time, gpus int) {
	if from >= to {
		return
	}
	i := p.split(from)
	k := p.split(to)
	for ; i < k; i++ {
		p.free[i] -= gpus
	}
}

// trim forgets what is before now.
func (p *profile) trim(now event.Time) {
	i := p.index(now)
	if i > 0 {
		p.at = append(p.at[:0], p.at[i:]...)
		p.free = append(p.free[:0], p.free[i:]...)
	}
	p.at[0] = now
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
		at := p.earliest(j.Req.GPUs, length)
		p.reserve(at, at+length, j.Req.GPUs)
		if at != j.Planned {
			err = fmt.Errorf("job %s is planned at %d, a rebuilt plan says %d", j.Spec.ID, j.Planned, at)
		}
		return err == nil
	})
	return err
}
