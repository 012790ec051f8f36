package slow

// submit brings a job in: refused if even an empty cluster has no place for
// it, held if it must wait for others, else queued.
func (w *world) submit(j *job) {
	j.submitted = true
	if _, ok := emptyRoom(w.nodes).place(w.Placement, &j.Job); !ok {
		j.out.Start = None
		w.finish(j, "rejected")
		return
	}
	j.state = held
	w.release()
}

// release lets every held job go that nothing holds any more, in order, and
// cancels those that can never run.
func (w *world) release() {
	for _, j := range w.jobs {
		if j.state != held {
			continue
		}
		switch ready, broken := w.dependencies(j); {
		case broken:
			w.finish(j, "cancelled")
		case ready && w.throttled(j):
		case ready:
			j.active = true
			j.state = waiting
			w.woken = true
		}
	}
}

// dependencies says whether all jobs that j waits for have completed, or
// whether one has ended otherwise (or is not known at all).
func (w *world) dependencies(j *job) (ready, broken bool) {
	ready = true
	for _, id := range j.DependsOn {
		known := false
		for _, d := range w.jobs {
			if d.ID != id && d.Array != id {
				continue
			}
			known = true
			if d.state == ended && d.out.Status != "completed" {
				return false, true
			}
			if d.state != ended {
				ready = false
			}
		}
		if !known {
			return false, true
		}
	}
	return ready, false
}

// ready says that only its array's throttle can hold the job.
func (w *world) ready(j *job) bool {
	ok, _ := w.dependencies(j)
	return ok
}

// throttled says whether enough elements of the array are on their way.
func (w *world) throttled(j *job) bool {
	if j.Throttle == 0 {
		return false
	}
	n := 0
	for _, o := range w.jobs {
		if o.Array == j.Array && o.active && o.state != ended {
			n++
		}
	}
	return n >= j.Throttle
}

// start puts a job on GPUs.
func (w *world) start(j *job, at where) {
	w.free.take(&j.Job, at)
	j.spots, j.node = at.spots, at.node
	j.state, j.suspended = running, false
	j.started = w.now
	if j.first == None {
		j.first, j.out.Start = w.now, w.now
	}
	if w.Enforce && j.Limit != None {
		j.limitAt = w.now + max(j.Limit-j.saved, 0)
	}
}

// leave takes a job off its GPUs.
func (w *world) leave(j *job) {
	w.free.give(&j.Job, where{j.spots, j.node})
	j.out.Stretches = append(j.out.Stretches, Stretch{j.started, w.now, j.spots, j.node})
	j.limitAt, j.graceEnd, j.savingTo = None, None, None
	if j.state == stopping || j.state == running {
		j.state = waiting
	}
}

// finish ends a job and sees what that means for others.
func (w *world) finish(j *job, status string) {
	j.state = ended
	j.out.Status, j.out.End = status, w.now
	w.release()
}

// choose begins the preemption of a job.
func (w *world) choose(j *job) {
	j.out.Preemptions++
	if w.Grace == 0 && w.savingTime() == 0 {
		w.evict(j)
		return
	}
	j.state = stopping
	j.graceEnd = w.now + w.Grace
}

// evict ends a preemption: what was done is kept or lost, and the job waits
// again or is gone.
func (w *world) evict(j *job) {
	switch w.Preemption {
	case "suspend":
		w.keep(j)
	case "checkpoint":
		if w.Interval == 0 {
			w.keep(j)
		}
		w.lose(j)
	default:
		w.lose(j)
	}
	w.leave(j)
	j.pause = w.Restart
	j.suspended = w.Preemption == "suspend"
	if w.Preemption == "cancel" {
		w.finish(j, "cancelled")
		w.woken = true // it stood in the way of others, and is gone
	}
}
