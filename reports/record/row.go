package record

import (
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// absent marks a time that a row does not have.
const absent = event.Time(-1 << 63)

// Row is what is kept of a job. Texts are numbers of the recorder's Texts; the
// id lies in an arena.
type Row struct {
	id    uint64 // start of the id in the arena
	idLen uint32

	name, user, tenant, queue, partition, kind, gpuType, reason, nodes uint32

	Submit, Eligible, Start, End event.Time
	Waited                       event.Time
	Productive, Lost, Overhead   event.Time
	recorded, limit, deadline    event.Time
	priority                     int64
	cpu, mem                     int64

	GPUs        int32
	group       int32
	Attempts    int32
	Preemptions int32
	Share       int16
	Status      cluster.State
}

// Run is the time the job was on GPUs.
func (r *Row) Run() event.Time { return r.Productive + r.Lost + r.Overhead }

// Milli is the thousandths of GPUs it asked for.
func (r *Row) Milli() int64 { return int64(r.GPUs) * int64(r.Share) }

// Started reports whether it ever ran.
func (r *Row) Started() bool { return r.Start != absent }

// Recorded returns the wait that the trace recorded, if it did.
func (r *Row) Recorded() (event.Time, bool) { return r.recorded, r.recorded != absent }

// HasDeadline reports whether the job has a deadline.
func (r *Row) HasDeadline() bool { return r.deadline != absent }

// Deadline is the time after submission by which the job should complete.
func (r *Row) Deadline() event.Time { return r.deadline }

// texts interns strings; 0 is "".
type texts struct {
	ids  map[string]uint32
	list []string
}

func newTexts() texts { return texts{map[string]uint32{"": 0}, []string{""}} }

func (t *texts) id(s string) uint32 {
	if s == "" {
		return 0
	}
	if i, ok := t.ids[s]; ok {
		return i
	}
	i := uint32(len(t.list))
	t.ids[s] = i
	t.list = append(t.list, s)
	return i
}

// bytes is id for a text in a buffer that will change.
func (t *texts) bytes(b []byte) uint32 {
	if i, ok := t.ids[string(b)]; ok {
		return i
	}
	return t.id(string(b))
}

// Nodes names the nodes that the i-th job last ran on, separated by blanks.
func (r *Recorder) Nodes(i int) string { return r.texts.list[r.Row(i).nodes] }
