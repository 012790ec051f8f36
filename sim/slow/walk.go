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
		if w.protected(j) {
			left -= j.GPUs
		}
	}
	chosen, over := map[*job]bool{}, false
	for _, j := range jobs {
		switch {
		case w.protected(j):
			chosen[j] = true
		case over:
		case j.GPUs <= left:
			chosen[j] = true
			left -= j.GPUs
		default:
			over = w.Backfill == "none"
		}
	}
	before := w.free.clone()
	for _, j := range jobs {
		if j.state == running && !chosen[j] {
			w.choose(j)
		}
	}
	for _, j := range jobs {
		if chosen[j] && j.state == waiting {
			w.admit(j, before)
		}
	}
}

// protected says that a job has not run long enough to be preempted.
func (w *world) protected(j *job) bool { return j.state == running && w.now < j.started+w.MinRun }

// admit starts a chosen job if there is room: first on what was free before
// this round stopped anyone, then anywhere. A suspended job has only the GPUs
// it had.
func (w *world) admit(j *job, before *room) {
	if j.suspended {
		if own := (where{j.spots, j.node}); w.isFree(&j.Job, own) {
			w.start(j, own)
			before.take(&j.Job, own)
		}
		return
	}
	at, ok := before.place(w.Placement, &j.Job)
	if !ok {
		at, ok = w.free.place(w.Placement, &j.Job)
	}
	if ok {
		w.start(j, at)
		before.take(&j.Job, at)
	}
}
