package slow

import "sort"

const never = 1 << 40

// key is a job's place in the order: smaller first, the second number where
// the first is equal.
func (w *world) key(j *job) [2]int {
	switch w.Order {
	case "fifo":
		return [2]int{}
	case "sjf":
		return [2]int{j.estimate()}
	case "srtf":
		return [2]int{j.length - j.done}
	case "srsf":
		return [2]int{(j.length - j.done) * j.GPUs}
	case "smallest-first":
		return [2]int{j.GPUs}
	case "largest-first":
		return [2]int{-j.GPUs}
	case "priority":
		return [2]int{-j.Priority}
	case "tiresias":
		first := never
		if j.first != None {
			first = j.first
		}
		return [2]int{w.level(j), first}
	}
	panic("no order " + w.Order)
}

// level is the queue of a job: how many limits it has reached.
func (w *world) level(j *job) int {
	n := 0
	for _, l := range w.Queues {
		if j.attained*j.GPUs >= l {
			n++
		}
	}
	return n
}

// ordered returns jobs in the order's order.
func (w *world) ordered(jobs []*job) []*job {
	jobs = append([]*job(nil), jobs...)
	sort.SliceStable(jobs, func(x, y int) bool { return w.before(jobs[x], jobs[y]) })
	return jobs
}

func (w *world) before(a, b *job) bool {
	if ka, kb := w.key(a), w.key(b); ka != kb {
		return ka[0] < kb[0] || ka[0] == kb[0] && ka[1] < kb[1]
	}
	if (a.state == running) != (b.state == running) {
		return a.state == running // a waiting job never displaces its equal
	}
	if a.state == running && (w.Order == "srtf" || w.Order == "srsf") {
		return a.rank < b.rank // keys that meet in passing change nothing
	}
	return a.Submit < b.Submit || a.Submit == b.Submit && a.pos < b.pos
}

// timers says whether an order or a rule wants a round at this second though
// nothing else happens, and does what the instant itself does.
func (w *world) timers() bool {
	due := false
	if w.Preemption == "none" || len(w.all(func(j *job) bool { return j.state == waiting })) == 0 {
		return false // the rank of a running job means nothing then
	}
	for _, j := range w.jobs {
		if j.state == running && w.MinRun > 0 && w.now == j.started+w.MinRun {
			due = true
		}
		if w.Order != "tiresias" {
			continue
		}
		for _, l := range w.Queues {
			if j.state == running && j.attained*j.GPUs == l {
				due = true
			}
		}
		if w.Promote > 0 && j.state == waiting && j.first != None && j.attained > 0 && j.pending >= w.Promote*j.attained {
			j.attained, j.pending = 0, 0
			due = true
		}
	}
	return due
}
