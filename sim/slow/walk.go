package slow

// walk is a round with preemption: who may run is decided anew among all
// unfinished jobs, by number of GPUs, in order.
func (w *world) walk(partition string) {
	left := 0
	for _, n := range w.nodes {
		if partition == "" || n.Partition == partition {
			left += n.GPUs
		}
	}
	jobs := w.ordered(w.those(partition, func(j *job) bool { return j.state == waiting || j.state == running }))
	for i, j := range jobs {
		j.rank = i
	}
	// A job may be chosen by number and have no place even when all who must
	// stop are gone. Then the choice is made again: without backfilling, first
	// so that nobody behind the job goes on; else, and if that was not enough,
	// as if the job did not fit.
	doubts := map[*job]int{}
	chosen := w.choice(jobs, left, doubts)
	for bad := w.unplaceable(partition, jobs, chosen); bad != nil; bad = w.unplaceable(partition, jobs, chosen) {
		doubts[bad]++
		if w.Backfill != "none" {
			doubts[bad] = 2
		}
		chosen = w.choice(jobs, left, doubts)
	}
	stopped := false
	for _, j := range jobs {
		if !chosen[j] || j.state != waiting {
			continue
		}
		// What is free goes first. From the first job for which that is not
		// enough on, the GPUs of those that must stop count too.
		if !w.admit(j) && !stopped {
			stopped = true
			w.stopAll(jobs, chosen)
			w.admit(j)
		}
	}
	if !stopped {
		w.stopAll(jobs, chosen)
	}
}

// choice is who may run: first who may not be stopped, then by rank.
func (w *world) choice(jobs []*job, left int, doubts map[*job]int) map[*job]bool {
	chosen, over := map[*job]bool{}, false
	for _, j := range jobs {
		if w.protected(j) {
			chosen[j] = true
			left -= j.GPUs
		}
	}
	for _, j := range jobs {
		if over || chosen[j] {
			continue
		}
		if j.GPUs <= left && doubts[j] < 2 {
			chosen[j] = true
			left -= j.GPUs
			over = doubts[j] == 1
		} else {
			over = w.Backfill == "none"
		}
	}
	return chosen
}

// unplaceable is the first chosen job that finds no place.
func (w *world) unplaceable(partition string, jobs []*job, chosen map[*job]bool) *job {
	r, emptied := w.free.clone(), false
	for _, j := range jobs {
		if !chosen[j] || j.state != waiting {
			continue
		}
		at, ok := w.placeIn(r, j)
		if !ok && !emptied {
			emptied = true
			for _, v := range w.those(partition, (*job).onGPUs) {
				if !chosen[v] {
					r.give(&v.Job, where{v.spots, v.node})
				}
			}
			at, ok = w.placeIn(r, j)
		}
		if !ok {
			return j
		}
		r.take(&j.Job, at)
	}
	return nil
}

// placeIn is where a job would go: a suspended one on the GPUs it had, others
// by the rule.
func (w *world) placeIn(r *room, j *job) (where, bool) {
	if own := (where{j.spots, j.node}); j.suspended {
		return own, r.has(&j.Job, own)
	}
	return r.place(w.Placement, &j.Job)
}

// stopAll preempts who runs and is not chosen.
func (w *world) stopAll(jobs []*job, chosen map[*job]bool) {
	for _, j := range jobs {
		if j.state == running && !chosen[j] {
			w.choose(j)
		}
	}
}

// protected says that a job has not run long enough to be preempted.
func (w *world) protected(j *job) bool { return j.state == running && w.now < j.started+w.MinRun }

// admit starts a chosen job if there is room.
func (w *world) admit(j *job) bool {
	at, ok := w.placeIn(w.free, j)
	if ok {
		w.start(j, at)
	}
	return ok
}
