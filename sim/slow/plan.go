package slow

// parts is how many parts of a second a plan tells apart. A job that is
// believed to take no time gets one, so that nothing is planned across it.
const parts = 1000

// entry is a piece of a plan: a place that is taken for a time, in parts of
// seconds.
type entry struct {
	j        *job
	from, to int
	at       where
}

// conservative makes the whole plan anew: running jobs until their planned
// ends, then each waiting job, in order, at its first hole. Those whose hole
// is now start. Where nobody, running or waiting, asks for more than a number
// of GPUs, numbers are all that is planned; else every place is planned too.
func (w *world) conservative(partition string, queue []*job) {
	var plan []entry
	pinned := false
	for _, j := range w.jobs {
		if j.Partition == partition && !plain(&j.Job) && (j.onGPUs() || j.state == waiting) {
			pinned = true
		}
		if j.Partition == partition && j.onGPUs() {
			plan = append(plan, entry{j, w.now * parts, w.planTo(j), where{j.spots, j.node}})
		}
	}
	for _, j := range queue {
		e := w.hole(plan, j, pinned)
		plan = append(plan, e)
		if e.from > w.now*parts {
			continue
		}
		if !pinned {
			// A job that is past its estimate holds what the plan counts as free.
			w.tryStart(j)
		} else if w.free.has(&j.Job, e.at) {
			w.start(j, e.at)
		}
	}
}

// planTo is the end of a running job in the plan: now if that has passed, but
// a job of no time that started at this moment keeps its part of a second.
func (w *world) planTo(j *job) int {
	return max(w.now*parts, j.started*parts+max(j.estimate()*parts, 1))
}

// plain says that nothing but the number of GPUs matters.
func plain(j *Job) bool {
	return j.GPUs > 0 && j.PerNode == 0 && j.Nodes == 0 && j.MaxNodes == 0 && j.CPU == 0
}

// hole is the first time at which the job finds a place for its whole planned
// run. Only now and the ends of pieces can be such a time.
func (w *world) hole(plan []entry, j *job, pinned bool) entry {
	best := entry{j: j, from: never}
	for _, t := range append(ends(plan), w.now*parts) {
		if t >= best.from {
			continue
		}
		e := entry{j: j, from: t, to: t + max(j.estimate()*parts, 1)}
		ok := false
		if pinned {
			e.at, ok = w.lasting(plan, e.from, e.to).place(w.Placement, &j.Job)
		} else {
			ok = w.enough(plan, j, e.from, e.to)
		}
		if ok {
			best = e
		}
	}
	return best
}

func ends(plan []entry) []int {
	var ts []int
	for _, e := range plan {
		ts = append(ts, e.to)
	}
	return ts
}

// moments are the instants of a time at which less can be free than before.
func moments(plan []entry, from, to int) []int {
	ts := []int{from}
	for _, e := range plan {
		if e.from > from && e.from < to {
			ts = append(ts, e.from)
		}
	}
	return ts
}

// enough says whether the job's number of GPUs is free from from to to.
func (w *world) enough(plan []entry, j *job, from, to int) bool {
	total := 0
	for _, n := range w.nodes {
		if j.Partition == "" || n.Partition == j.Partition {
			total += n.GPUs
		}
	}
	for _, t := range moments(plan, from, to) {
		used := 0
		for _, e := range plan {
			if e.from <= t && t < e.to {
				used += e.j.GPUs
			}
		}
		if used+j.GPUs > total {
			return false
		}
	}
	return true
}

// lasting is what stays free from from to to.
func (w *world) lasting(plan []entry, from, to int) *room {
	r := emptyRoom(w.nodes)
	for _, t := range moments(plan, from, to) {
		at := emptyRoom(w.nodes)
		for _, e := range plan {
			if e.from <= t && t < e.to {
				at.take(&e.j.Job, e.at)
			}
		}
		for n := range w.nodes {
			r.cpu[n] = min(r.cpu[n], at.cpu[n])
			for g := range r.gpu[n] {
				r.gpu[n][g] = r.gpu[n][g] && at.gpu[n][g]
			}
		}
	}
	return r
}
