package slow

// round is one scheduling round: each partition on its own.
func (w *world) round() {
	w.woken = false
	seen := map[string]bool{}
	for _, j := range w.jobs {
		if seen[j.Partition] {
			continue
		}
		seen[j.Partition] = true
		if w.Preemption != "none" {
			w.walk(j.Partition)
			continue
		}
		queue := w.queue(j.Partition)
		switch w.Backfill {
		case "none":
			w.inTurn(queue)
		case "greedy":
			for _, j := range queue {
				w.tryStart(j)
			}
		case "easy":
			w.easy(w.inTurn(queue))
		case "conservative":
			w.conservative(j.Partition, queue)
		default:
			panic("no backfill " + w.Backfill)
		}
	}
}

// queue is who waits in a partition, in order.
func (w *world) queue(partition string) []*job {
	return w.ordered(w.those(partition, func(j *job) bool { return j.state == waiting }))
}

func (w *world) those(partition string, is func(*job) bool) []*job {
	return w.all(func(j *job) bool { return j.Partition == partition && is(j) })
}

func (w *world) all(is func(*job) bool) []*job {
	var js []*job
	for _, j := range w.jobs {
		if is(j) {
			js = append(js, j)
		}
	}
	return js
}

func (w *world) tryStart(j *job) bool {
	at, ok := w.free.place(w.Placement, &j.Job)
	if ok {
		w.start(j, at)
	}
	return ok
}

// inTurn starts jobs until one does not fit, and returns the rest with that
// one at its head.
func (w *world) inTurn(queue []*job) []*job {
	for len(queue) > 0 && w.tryStart(queue[0]) {
		queue = queue[1:]
	}
	return queue
}

// easy lets jobs behind the head start if that does not put the head off.
func (w *world) easy(queue []*job) {
	if len(queue) == 0 {
		return
	}
	head := queue[0]
	shadow := w.shadow(head)
	for _, j := range queue[1:] {
		at, ok := w.free.place(w.Placement, &j.Job)
		if !ok {
			continue
		}
		if w.now+j.estimate() > shadow {
			then := w.roomAt(head.Partition, shadow)
			then.take(&j.Job, at)
			if _, ok := then.place(w.Placement, &head.Job); !ok {
				continue
			}
		}
		w.start(j, at)
	}
}

// shadow is the first instant at which the head finds a place by the estimates.
func (w *world) shadow(head *job) int {
	best := never
	for _, j := range w.those(head.Partition, (*job).onGPUs) {
		t := j.plannedEnd(w.now)
		if _, ok := w.roomAt(head.Partition, t).place(w.Placement, &head.Job); ok && t < best {
			best = t
		}
	}
	return best
}

// roomAt is what is free at a later instant by the estimates.
func (w *world) roomAt(partition string, t int) *room {
	r := w.free.clone()
	for _, j := range w.those(partition, (*job).onGPUs) {
		if j.plannedEnd(w.now) <= t {
			r.give(&j.Job, where{j.spots, j.node})
		}
	}
	return r
}
