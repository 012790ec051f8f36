package record

import (
	"math/bits"
	"slices"

	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// gpuStates follows what is on every GPU and since when.
type gpuStates struct {
	c      *cluster.Cluster
	since  []event.Time      // by GPU position; absent: since the first submission
	one    []int32           // the job on it, -1 none, -2 see many
	many   map[int32][]int32 // jobs that share it, in order of start
	milli  []int16           // held
	closed []stretch         // stretches that ended at this instant
}

// stretch is one row to write.
type stretch struct {
	pos      int32
	from, to event.Time
	jobs     uint32 // text
	milli    int16
}

func (g *gpuStates) init(c *cluster.Cluster) {
	n := c.Slots()
	g.c = c
	g.since = make([]event.Time, n)
	g.one = make([]int32, n)
	g.milli = make([]int16, n)
	g.many = map[int32][]int32{}
	for i := range g.since {
		g.since[i], g.one[i] = absent, -1
	}
}

// change notes that a job takes or leaves its GPUs.
func (g *gpuStates) change(r *Recorder, j *cluster.Job, now event.Time, takes bool) {
	for _, ch := range j.Chunks {
		for m := ch.Mask; m != 0; m &= m - 1 {
			pos := 64*ch.Word + int32(bits.TrailingZeros64(m))
			if g.since[pos] != now {
				g.end(r, pos, now)
			}
			g.since[pos] = now
			if j.Req.Share == 1000 {
				if takes {
					g.one[pos], g.milli[pos] = j.Index, 1000
				} else {
					g.one[pos], g.milli[pos] = -1, 0
				}
				continue
			}
			g.share(pos, j, takes)
		}
	}
}

func (g *gpuStates) share(pos int32, j *cluster.Job, takes bool) {
	list := g.many[pos]
	if takes {
		list = append(list, j.Index)
		g.milli[pos] += int16(j.Req.Share)
	} else {
		list = slices.DeleteFunc(list, func(i int32) bool { return i == j.Index })
		g.milli[pos] -= int16(j.Req.Share)
	}
	g.many[pos], g.one[pos] = list, -2
	if len(list) == 0 {
		delete(g.many, pos)
		g.one[pos] = -1
	}
}

// end closes the stretch of a GPU. A stretch without length is not one.
func (g *gpuStates) end(r *Recorder, pos int32, now event.Time) {
	s := stretch{pos: pos, from: g.since[pos], to: now, milli: g.milli[pos]}
	switch g.one[pos] {
	case -1:
	case -2:
		b := r.buf[:0]
		for i, k := range g.many[pos] {
			if i > 0 {
				b = append(b, ' ')
			}
			row := r.Row(int(k))
			b = append(b, r.arena[row.id:row.id+uint64(row.idLen)]...)
		}
		r.buf = b
		s.jobs = r.texts.bytes(b)
	default:
		s.jobs = jobText | uint32(g.one[pos])
	}
	g.closed = append(g.closed, s)
}

// jobText marks a text that is the id of one job, by index.
const jobText = 1 << 31

// flush writes the stretches that ended, by GPU.
func (g *gpuStates) flush(r *Recorder, _ event.Time) {
	if len(g.closed) == 0 {
		return
	}
	if len(g.closed) > 1 {
		slices.SortFunc(g.closed, func(a, b stretch) int { return int(a.pos) - int(b.pos) })
	}
	for i := range g.closed {
		s := &g.closed[i]
		if s.from == absent {
			s.from = r.firstSubmit()
		}
		if s.from == s.to {
			continue
		}
		n := g.c.NodeOf(cluster.Chunk{Word: s.pos >> 6})
		b := r.states.Batch()
		b.Seconds(0, s.from)
		b.Seconds(1, s.to)
		b.Text(2, g.c.Spec().Nodes[n].Name)
		b.Int(3, int64(int(s.pos)-g.c.FirstGPU(n)))
		switch {
		case s.jobs&jobText != 0:
			row := r.Row(int(s.jobs &^ jobText))
			b.Bytes(4, r.arena[row.id:row.id+uint64(row.idLen)])
		default:
			text(b, 4, r.texts.list[s.jobs])
		}
		b.Milli(5, int64(s.milli))
		b.Text(6, "ok")
		b.EndRow()
	}
	g.closed = g.closed[:0]
}

func (r *Recorder) firstSubmit() event.Time {
	if r.count == 0 {
		return 0
	}
	return r.Row(0).Submit
}

// close ends every stretch at the end of the run.
func (g *gpuStates) close(r *Recorder, first, now event.Time) {
	if r.count == 0 || now <= first {
		return
	}
	for i := range g.c.Spec().Nodes {
		at := int32(g.c.FirstGPU(i))
		for p := at; p < at+int32(g.c.GPUsOn(i)); p++ {
			if g.since[p] != now {
				g.end(r, p, now)
			}
		}
	}
	g.flush(r, now)
}
