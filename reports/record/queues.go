package record

import (
	"slices"

	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// queues counts what waits and runs by tenant and queue.
type queues struct {
	ids     map[[2]uint32]int
	list    []queueCount
	touched []int
}

type queueCount struct {
	key            [2]uint32 // tenant, queue (texts)
	now, written   levels
	touched, wrote bool
}

type levels struct {
	waiting, running   int
	wanted, held, free int64
}

func (q *queues) init() { q.ids = map[[2]uint32]int{} }

// queueOf returns the number of a job's queue.
func (r *Recorder) queueOf(j *cluster.Job) int {
	row := r.Row(int(j.Index))
	key := [2]uint32{row.tenant, row.queue}
	if key[1] == 0 {
		key[1] = row.partition
	}
	i, ok := r.q.ids[key]
	if !ok {
		i = len(r.q.list)
		r.q.ids[key] = i
		r.q.list = append(r.q.list, queueCount{key: key})
	}
	return i
}

func (q *queues) touch(i int) *queueCount {
	c := &q.list[i]
	if !c.touched {
		c.touched = true
		q.touched = append(q.touched, i)
	}
	return c
}

func (q *queues) waits(i int, milli int64, jobs int) {
	c := q.touch(i)
	c.now.waiting += jobs
	c.now.wanted += milli
}

func (q *queues) runs(i int, milli int64, jobs int) {
	c := q.touch(i)
	c.now.running += jobs
	c.now.held += milli
}

// flush writes the queues that the instant changed, in order of first sight.
func (q *queues) flush(r *Recorder, now event.Time) {
	if len(q.touched) > 1 {
		slices.Sort(q.touched)
	}
	for _, i := range q.touched {
		c := &q.list[i]
		c.touched = false
		c.now.free = r.c.FreeAll()
		if c.wrote && c.now == c.written {
			continue
		}
		c.written, c.wrote = c.now, true
		b := r.queues.Batch()
		b.Seconds(0, now)
		text(b, 1, r.texts.list[c.key[0]])
		text(b, 2, r.texts.list[c.key[1]])
		b.Int(3, int64(c.now.waiting))
		b.Milli(4, c.now.wanted)
		b.Int(5, int64(c.now.running))
		b.Milli(6, c.now.held)
		b.Milli(7, c.now.free)
		b.Milli(8, 0)
		b.EndRow()
	}
	q.touched = q.touched[:0]
}
