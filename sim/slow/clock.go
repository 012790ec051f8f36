package slow

// world is the state of a run.
type world struct {
	Rules
	nodes []Node
	jobs  []*job // in order of submission
	now   int
	free  *room
	woken bool // a job joined the queue, or was cancelled, since the last round began
}

// Run simulates second by second. Jobs must be in order of submission.
func Run(nodes []Node, jobs []Job, rules Rules) []Outcome {
	w := &world{Rules: rules, nodes: nodes, free: emptyRoom(nodes)}
	for i, spec := range jobs {
		j := &job{Job: spec, pos: i, first: None, limitAt: None, graceEnd: None, savingTo: None}
		j.length = spec.Duration
		if spec.FailAfter != None && spec.FailAfter < spec.Duration {
			j.length = spec.FailAfter
		}
		j.out = Outcome{ID: spec.ID, Status: "unfinished", Start: None, End: None}
		w.jobs = append(w.jobs, j)
	}
	for {
		w.instant()
		if w.now == w.Horizon || w.idle() {
			break
		}
		w.tick()
	}
	return w.close()
}

// idle says that nothing will happen any more.
func (w *world) idle() bool {
	for _, j := range w.jobs {
		if j.state == unborn || j.onGPUs() {
			return false
		}
	}
	return true
}

// instant does the phases of one second until nothing is due. Rounds follow the
// events, all of them together or each on its own.
func (w *world) instant() {
	last := w.now == w.Horizon
	need := w.timers()
	after := func() {
		if !w.PerEvent {
			need = true
		} else if !last {
			w.round()
			need = false // it has seen what the timers were for
		}
	}
	for {
		due := false
		for j := w.firstDue(); j != nil; j = w.firstDue() {
			due = true
			w.endOf(j)
			after()
		}
		if last {
			return
		}
		for _, j := range w.jobs {
			if j.state == unborn && j.Submit == w.now {
				due = true
				w.submit(j)
				after()
			}
		}
		switch {
		case need || w.woken:
			need = false
			w.round()
		case !due:
			return
		}
	}
}

// firstDue is the first job in order of submission whose stretch ends now.
func (w *world) firstDue() *job {
	for _, j := range w.jobs {
		if j.onGPUs() && (w.finished(j) || w.overLimit(j) || w.graceOver(j)) {
			return j
		}
	}
	return nil
}

func (w *world) finished(j *job) bool {
	return j.done == j.length && j.pause == 0 && j.savingTo == None
}
func (w *world) overLimit(j *job) bool { return j.limitAt != None && j.limitAt <= w.now }
func (w *world) graceOver(j *job) bool {
	return j.state == stopping && (j.savingTo == None && j.graceEnd <= w.now || j.savingTo != None && j.savingTo <= w.now)
}

// endOf handles what is due for a job: its own end first, then its limit, then
// the end of its grace.
func (w *world) endOf(j *job) {
	switch {
	case w.finished(j) && j.length < j.Duration:
		w.keep(j)
		w.leave(j)
		w.finish(j, "failed")
	case w.finished(j):
		w.keep(j)
		w.leave(j)
		w.finish(j, "completed")
	case w.overLimit(j):
		w.lose(j)
		w.leave(j)
		w.finish(j, "failed")
	case j.savingTo == None && w.savingTime() > 0:
		w.keep(j)
		j.savingTo = w.now + w.savingTime()
	default:
		w.evict(j)
	}
}

// savingTime is what it takes to save a job that is chosen to stop.
func (w *world) savingTime() int {
	if w.Preemption == "suspend" || w.Preemption == "checkpoint" && w.Interval == 0 {
		return w.Cost
	}
	return 0
}

// tick lets one second pass.
func (w *world) tick() {
	w.now++
	for _, j := range w.jobs {
		switch {
		case j.onGPUs():
			j.attained++
			w.work(j)
		case j.state == waiting || j.state == held && w.ready(j):
			j.out.Waited++
			if j.attained > 0 {
				j.pending++ // of use only beside a time executed
			}
		}
	}
}

// work is one second of a job on its GPUs.
func (w *world) work(j *job) {
	if j.savingTo != None {
		j.out.Extra++
		return
	}
	if j.pause > 0 {
		j.pause--
		j.out.Extra++
		return
	}
	j.done++
	j.unsaved++
	if w.Preemption == "checkpoint" && w.Interval > 0 && j.done%w.Interval == 0 && j.done < j.length {
		w.keep(j)
		j.pause = w.Cost
	}
}

// keep makes what was done safe; lose gives it up.
func (w *world) keep(j *job) {
	j.saved = j.done
	j.out.Productive += j.unsaved
	j.unsaved = 0
}

func (w *world) lose(j *job) {
	j.done = j.saved
	j.out.Lost += j.unsaved
	j.unsaved = 0
}

// close ends the run.
func (w *world) close() []Outcome {
	var out []Outcome
	for _, j := range w.jobs {
		if j.onGPUs() {
			w.keep(j)
			w.leave(j)
		}
		j.out.NeverArrived = j.state == unborn
		out = append(out, j.out)
	}
	return out
}
