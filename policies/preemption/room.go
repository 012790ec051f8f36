package preemption

import "gpusim/sim/cluster"

// room counts the thousandths of GPUs that a walk has not given out: of the
// whole cluster, and where jobs are bound to parts of it, of every class.
type room struct {
	c       *cluster.Cluster
	all     int64
	classes []int64 // by Class.ID; nil where the whole is all that counts
}

func (m *room) reset(c *cluster.Cluster, byClass bool) {
	m.c = c
	m.all = int64(c.GPUs()) * 1000
	m.classes = m.classes[:0]
	if byClass {
		for _, k := range c.Classes() {
			m.classes = append(m.classes, int64(k.GPUs())*1000)
		}
	}
}

// left returns how many whole GPUs are left for a request.
func (m *room) left(r *cluster.Request) int {
	if len(m.classes) > 0 {
		return int(m.classes[r.Class.ID] / 1000)
	}
	return int(m.all / 1000)
}

// bound returns the width of the widest request that may fit.
func (m *room) bound() int { return int((m.all + 999) / 1000) }

func (m *room) fits(r *cluster.Request) bool {
	if len(m.classes) > 0 && r.Milli() > m.classes[r.Class.ID] {
		return false
	}
	return r.Milli() <= m.all
}

// takeRunning counts a job where it sits.
func (m *room) takeRunning(j *cluster.Job) {
	m.all -= j.Req.Milli()
	if len(m.classes) == 0 {
		return
	}
	m.c.EachClassOf(j.Chunks, func(class, gpus int) {
		m.classes[class] -= int64(gpus) * int64(j.Req.Share)
	})
}

// takeNew counts a job that has no place yet: in its class and in those that
// contain it. A class that only overlaps is not counted; should that prove too
// kind, placing fails and the walk is done again without the job.
func (m *room) takeNew(j *cluster.Job) {
	m.all -= j.Req.Milli()
	for id := range m.classes {
		if j.Req.Class.Within(m.c.Classes()[id]) {
			m.classes[id] -= j.Req.Milli()
		}
	}
}
