package trace

import (
	"encoding/binary"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// packer keeps jobs as bytes: numbers in as few bytes as they need, strings
// that come again (users, queues) once.
type packer struct {
	blocks [][]byte
	words  map[string]uint64
	list   []string
}

const packBlock = 1 << 20

func newPacker() *packer { return &packer{words: map[string]uint64{"": 0}, list: []string{""}} }

// pack stores a job and returns its place: the block in the upper half, the
// offset in the lower. Places grow from job to job.
func (p *packer) pack(j *workloads.Job) uint64 {
	if n := len(p.blocks); n == 0 || len(p.blocks[n-1]) > packBlock-4096 {
		p.blocks = append(p.blocks, make([]byte, 0, packBlock))
	}
	k := len(p.blocks) - 1
	b := p.blocks[k]
	place := uint64(k)<<32 | uint64(len(b))
	w := packWriter{p: p, b: b}
	w.job(j)
	p.blocks[k] = w.b
	return place
}

// unpack makes the job again.
func (p *packer) unpack(place uint64) *workloads.Job {
	j := new(workloads.Job)
	r := packReader{p: p, b: p.blocks[place>>32][uint32(place):]}
	r.job(j)
	return j
}

type packWriter struct {
	p *packer
	b []byte
}

func (w *packWriter) num(v int64) { w.b = binary.AppendVarint(w.b, v) }

// text stores a string as it is, word one that will come again.
func (w *packWriter) text(s string) {
	w.num(int64(len(s)))
	w.b = append(w.b, s...)
}

func (w *packWriter) word(s string) {
	k, ok := w.p.words[s]
	if !ok {
		k = uint64(len(w.p.list))
		w.p.words[s] = k
		w.p.list = append(w.p.list, s)
	}
	w.num(int64(k))
}

func (w *packWriter) flag(v bool) {
	if v {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

// job stores every field, in the order of packReader.job.
func (w *packWriter) job(j *workloads.Job) {
	w.text(j.ID)
	w.text(j.Name)
	for _, s := range []string{j.User, j.Tenant, j.Queue, j.Partition, j.Kind, j.Array} {
		w.word(s)
	}
	for _, v := range []int64{int64(j.Submit), int64(j.Duration), int64(j.GPUs), int64(j.Share), int64(j.GPUsPerNode), int64(j.Nodes),
		int64(j.MaxNodes), j.CPUMilli, j.Memory, int64(j.TimeLimit), j.Priority, int64(j.Deadline), int64(j.Throttle),
		int64(j.Outcome), int64(j.OutcomeAfter), int64(j.RecordedWait), j.Line} {
		w.num(v)
	}
	w.flag(j.HasLimit)
	w.flag(j.HasDeadline)
	w.flag(j.HasRecordedWait)
	w.num(int64(len(j.NodeSelector)))
	for _, l := range j.NodeSelector {
		w.word(l.Key)
		w.word(l.Value)
	}
	w.num(int64(len(j.GPUTypes)))
	for _, s := range j.GPUTypes {
		w.word(s)
	}
	w.num(int64(len(j.DependsOn)))
	for _, s := range j.DependsOn {
		w.text(s)
	}
	w.flag(j.Checkpoint != nil)
	if c := j.Checkpoint; c != nil {
		w.num(int64(c.Interval))
		w.num(int64(c.Cost))
		w.num(int64(c.Restart))
	}
}

type packReader struct {
	p *packer
	b []byte
}

func (r *packReader) num() int64 {
	v, n := binary.Varint(r.b)
	r.b = r.b[n:]
	return v
}

func (r *packReader) text() string {
	n := r.num()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *packReader) word() string { return r.p.list[r.num()] }

func (r *packReader) flag() bool {
	v := r.b[0] == 1
	r.b = r.b[1:]
	return v
}

func (r *packReader) time() event.Time { return event.Time(r.num()) }

func (r *packReader) int() int { return int(r.num()) }

func (r *packReader) job(j *workloads.Job) {
	j.ID, j.Name = r.text(), r.text()
	for _, s := range []*string{&j.User, &j.Tenant, &j.Queue, &j.Partition, &j.Kind, &j.Array} {
		*s = r.word()
	}
	j.Submit, j.Duration = r.time(), r.time()
	j.GPUs, j.Share, j.GPUsPerNode, j.Nodes, j.MaxNodes = r.int(), r.int(), r.int(), r.int(), r.int()
	j.CPUMilli, j.Memory = r.num(), r.num()
	j.TimeLimit, j.Priority, j.Deadline, j.Throttle = r.time(), r.num(), r.time(), r.int()
	j.Outcome, j.OutcomeAfter = workloads.Outcome(r.num()), r.time()
	j.RecordedWait, j.Line = r.time(), r.num()
	j.HasLimit, j.HasDeadline, j.HasRecordedWait = r.flag(), r.flag(), r.flag()
	if n := r.int(); n > 0 {
		j.NodeSelector = make([]workloads.Label, n)
		for i := range j.NodeSelector {
			j.NodeSelector[i] = workloads.Label{Key: r.word(), Value: r.word()}
		}
	}
	if n := r.int(); n > 0 {
		j.GPUTypes = make([]string, n)
		for i := range j.GPUTypes {
			j.GPUTypes[i] = r.word()
		}
	}
	if n := r.int(); n > 0 {
		j.DependsOn = make([]string, n)
		for i := range j.DependsOn {
			j.DependsOn[i] = r.text()
		}
	}
	if r.flag() {
		j.Checkpoint = &workloads.Checkpoint{Interval: r.time(), Cost: r.time(), Restart: r.time()}
	}
}
