package sim

import (
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// holds keeps jobs out of the queue that a dependency or an array's throttle
// holds.
type holds struct {
	deps   map[string]*dependency
	arrays map[string]*array
}

// dependency is one id that jobs depend on.
type dependency struct {
	left    int // jobs with this id that have not completed
	broken  bool
	waiters []*cluster.Job
}

// array is one job array with a throttle.
type array struct {
	active int // elements in the queue or running
	held   []*cluster.Job
}

type admission uint8

const (
	admitted admission = iota
	held
	refused
)

func (h *holds) init(references map[string]int) {
	h.deps, h.arrays = map[string]*dependency{}, map[string]*array{}
	for id, n := range references {
		h.deps[id] = &dependency{left: n}
	}
}

// admit says whether a job may join the queue now.
func (h *holds) admit(j *cluster.Job) admission {
	for _, id := range j.Spec.DependsOn {
		d := h.deps[id]
		if d == nil || d.broken {
			return refused
		}
		if d.left > 0 {
			d.waiters = append(d.waiters, j)
			j.Blocked++
		}
	}
	if j.Blocked > 0 {
		return held
	}
	return h.throttle(j)
}

func (h *holds) throttle(j *cluster.Job) admission {
	if j.Spec.Throttle == 0 {
		return admitted
	}
	a := h.arrays[j.Spec.Array]
	if a == nil {
		a = &array{}
		h.arrays[j.Spec.Array] = a
	}
	if a.active >= j.Spec.Throttle {
		a.held = append(a.held, j)
		return held
	}
	a.active++
	j.Active = true
	return admitted
}

// ended takes note of a job's end and returns the held jobs that may join the
// queue now and those whose dependency can no longer come true.
func (h *holds) ended(j *cluster.Job, now event.Time) (free, broken []*cluster.Job) {
	if len(h.deps) > 0 {
		f, b := h.dependents(j, j.Spec.ID, now)
		free, broken = f, b
		if j.Spec.Array != "" && j.Spec.Array != j.Spec.ID {
			f, b = h.dependents(j, j.Spec.Array, now)
			free, broken = append(free, f...), append(broken, b...)
		}
	}
	if j.Active {
		a := h.arrays[j.Spec.Array]
		a.active--
		if len(a.held) > 0 {
			next := a.held[0]
			a.held = a.held[1:]
			a.active++
			next.Active = true
			free = append(free, next)
		}
	}
	return free, broken
}

func (h *holds) dependents(j *cluster.Job, id string, now event.Time) (free, broken []*cluster.Job) {
	d := h.deps[id]
	if d == nil || d.broken {
		return nil, nil
	}
	if j.State != cluster.Completed {
		d.broken = true
		for _, w := range d.waiters {
			if w.State == cluster.Held && w.Blocked > 0 {
				w.Blocked = -1 // told once
				broken = append(broken, w)
			}
		}
		d.waiters = nil
		return nil, broken
	}
	if d.left--; d.left > 0 {
		return nil, nil
	}
	for _, w := range d.waiters {
		if w.State != cluster.Held || w.Blocked <= 0 {
			continue
		}
		if w.Blocked--; w.Blocked == 0 {
			w.Eligible = now
			if h.throttle(w) == admitted {
				free = append(free, w)
			}
		}
	}
	d.waiters = nil
	return free, nil
}
