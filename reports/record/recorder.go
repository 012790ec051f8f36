package record

import (
	"math/bits"
	"slices"
	"strconv"

	"gpusim/reports/table"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Open gives the table of a schema; nil means that nobody wants it.
type Open func(table.Schema) (*table.Sink, error)

// Recorder is the observer that keeps rows and writes tables.
type Recorder struct {
	c     *cluster.Cluster
	rows  [][]Row // in pieces, so that growing copies nothing
	count int
	arena []byte
	texts texts

	attempts, states, queues, decisions *table.Sink

	pending []attempt // ended at this instant
	sink    sinks
	buf     []byte
	gpus    gpuStates
	q       queues
}

// pieceLen is the number of rows in a piece.
const pieceLen = 8192

type sinks struct {
	open Open
	all  []*table.Sink
}

// attempt is one row of the attempts table, until its instant is over.
type attempt struct {
	index            int32
	number           int32
	start, end       event.Time
	why              cluster.Reason
	nodes, gpus      uint32
	milli            int64
	prod, lost, over event.Time
}

// New returns a recorder of a run on c. open gives it the tables that are
// wanted; a nil open writes none and keeps the rows alone.
func New(c *cluster.Cluster, open Open) (*Recorder, error) {
	r := &Recorder{c: c, texts: newTexts(), sink: sinks{open: open}}
	if open == nil {
		return r, nil
	}
	for _, t := range []struct {
		schema table.Schema
		to     **table.Sink
	}{{Attempts(), &r.attempts}, {GPUStates(), &r.states}, {Queue(), &r.queues}, {Decisions(), &r.decisions}} {
		s, err := open(t.schema)
		if err != nil {
			return nil, err
		}
		if s != nil {
			r.sink.all = append(r.sink.all, s)
		}
		*t.to = s
	}
	if r.states != nil {
		r.gpus.init(c)
	}
	r.q.init()
	return r, nil
}

// Len returns the number of jobs submitted.
func (r *Recorder) Len() int { return r.count }

// Row returns the row of the i-th job submitted.
func (r *Recorder) Row(i int) *Row { return &r.rows[i/pieceLen][i%pieceLen] }

// ID returns the id of the i-th job submitted.
func (r *Recorder) ID(i int) string {
	row := r.Row(i)
	return string(r.arena[row.id : row.id+uint64(row.idLen)])
}

// Submitted makes the job's row.
func (r *Recorder) Submitted(j *cluster.Job, now event.Time) {
	if r.count%pieceLen == 0 {
		r.rows = append(r.rows, make([]Row, 0, pieceLen))
	}
	s := j.Spec
	piece := &r.rows[len(r.rows)-1]
	t := &r.texts
	row := Row{
		id: uint64(len(r.arena)), idLen: uint32(len(s.ID)),
		name: t.id(s.Name), user: t.id(s.User), tenant: t.id(s.Tenant), queue: t.id(s.Queue),
		partition: t.id(s.Partition), kind: t.id(s.Kind),
		Submit: now, Eligible: absent, Start: absent, End: absent,
		recorded: absent, limit: absent, deadline: absent, priority: s.Priority, cpu: s.CPUMilli, mem: s.Memory,
		GPUs: int32(j.Req.GPUs), Share: int16(j.Req.Share), group: int32(j.Req.ID),
	}
	if len(s.GPUTypes) == 1 {
		row.gpuType = t.id(s.GPUTypes[0])
	} else if len(s.GPUTypes) > 1 {
		b := r.buf[:0]
		for i, g := range s.GPUTypes {
			if i > 0 {
				b = append(b, '|')
			}
			b = append(b, g...)
		}
		row.gpuType = t.bytes(b)
		r.buf = b
	}
	if s.HasRecordedWait {
		row.recorded = s.RecordedWait
	}
	if s.HasDeadline {
		row.deadline = s.Deadline
	}
	if s.HasLimit {
		row.limit = s.TimeLimit
	}
	r.arena = append(r.arena, s.ID...)
	*piece = append(*piece, row)
	r.count++
}

// Queued counts the job in its queue.
func (r *Recorder) Queued(j *cluster.Job, _ event.Time) {
	if r.queues != nil {
		r.q.waits(r.queueOf(j), j.Req.Milli(), 1)
	}
}

// Started notes where the job runs.
func (r *Recorder) Started(j *cluster.Job, now event.Time) {
	row := r.Row(int(j.Index))
	if row.Start == absent {
		row.Start = now
	}
	row.nodes = r.nodesOf(j.Chunks)
	if g := r.typeOf(j.Chunks); g != 0 {
		row.gpuType = g
	}
	if r.queues != nil {
		q := r.queueOf(j)
		r.q.waits(q, -j.Req.Milli(), -1)
		r.q.runs(q, j.Req.Milli(), 1)
	}
	if r.states != nil {
		r.gpus.change(r, j, now, true)
	}
}

// Stopped notes a stretch on GPUs.
func (r *Recorder) Stopped(j *cluster.Job, now event.Time, why cluster.Reason) {
	if r.attempts != nil {
		a := attempt{index: j.Index, number: j.Attempts, start: j.LastStart, end: now, why: why,
			nodes: r.Row(int(j.Index)).nodes, gpus: r.gpusOf(j.Chunks), milli: j.Req.Milli(),
			prod: j.Productive - j.AtStart[0], lost: j.Lost - j.AtStart[1], over: j.Overhead - j.AtStart[2]}
		r.pending = append(r.pending, a)
	}
	if r.queues != nil {
		r.q.runs(r.queueOf(j), -j.Req.Milli(), -1)
	}
	if r.states != nil {
		r.gpus.change(r, j, now, false)
	}
}

// Ended completes the job's row.
func (r *Recorder) Ended(j *cluster.Job, now event.Time, why cluster.Reason) {
	row := r.Row(int(j.Index))
	row.Status = j.State
	row.Waited = j.Waited
	row.Productive, row.Lost, row.Overhead = j.Productive, j.Lost, j.Overhead
	row.Attempts, row.Preemptions = j.Attempts, j.Preemptions
	if j.State != cluster.Rejected && (j.State != cluster.Held || len(j.Spec.DependsOn) == 0) && why != cluster.ReasonDependency {
		row.Eligible = j.Eligible
	}
	if j.State.Ended() {
		row.End = now
	}
	switch {
	case j.Reason != "":
		row.reason = r.texts.id(j.Reason)
	case why != cluster.ReasonCompleted:
		row.reason = r.texts.id(why.String())
	}
	if r.queues != nil && (j.State == cluster.Waiting || j.State == cluster.Suspended) {
		r.q.waits(r.queueOf(j), -j.Req.Milli(), -1)
	}
}

// Waited writes one stretch of a reason.
func (r *Recorder) Waited(q *cluster.Request) {
	if r.decisions == nil {
		return
	}
	w := &q.Why
	b := r.decisions.Batch()
	b.Int(0, int64(q.Base().ID))
	b.Text(1, w.Code)
	b.Seconds(2, w.First)
	b.Seconds(3, w.Last)
	b.Int(4, int64(w.Wants))
	b.Int(5, int64(w.HasFirst))
	b.Int(6, int64(w.HasLast))
	b.Int(7, int64(w.Jobs))
	b.Text(8, q.String())
	b.EndRow()
}

// Instant writes what the instant changed.
func (r *Recorder) Instant(now event.Time) {
	if len(r.pending) > 0 {
		r.flushAttempts()
	}
	if r.queues != nil {
		r.q.flush(r, now)
	}
	if r.states != nil {
		r.gpus.flush(r, now)
	}
}

func (r *Recorder) flushAttempts() {
	if len(r.pending) > 1 {
		slices.SortStableFunc(r.pending, func(a, b attempt) int { return int(a.index) - int(b.index) })
	}
	for i := range r.pending {
		a := &r.pending[i]
		row := r.Row(int(a.index))
		b := r.attempts.Batch()
		b.Bytes(0, r.arena[row.id:row.id+uint64(row.idLen)])
		b.Int(1, int64(a.number))
		b.Seconds(2, a.start)
		b.Seconds(3, a.end)
		b.Text(4, a.why.String())
		b.Text(5, r.texts.list[a.nodes])
		text(b, 6, r.texts.list[a.gpus])
		b.Milli(7, a.milli)
		if d := a.end - a.start; d > 0 {
			b.Float(8, float64(d-a.over)/float64(d))
		} else {
			b.Null(8)
		}
		gpuTime(b, 9, a.milli, a.prod)
		gpuTime(b, 10, a.milli, a.lost)
		gpuTime(b, 11, a.milli, a.over)
		b.EndRow()
	}
	r.pending = r.pending[:0]
}

// text sets a nullable text column.
func text(b *table.Batch, col int, s string) {
	if s == "" {
		b.Null(col)
		return
	}
	b.Text(col, s)
}

// seconds sets a nullable time column.
func seconds(b *table.Batch, col int, t event.Time) {
	if t == absent {
		b.Null(col)
		return
	}
	b.Seconds(col, t)
}

func gpuTime(b *table.Batch, col int, milli int64, t event.Time) {
	var a sim.Amount
	a.Add(milli, max(t, 0))
	b.GPUSeconds(col, a.Hi, a.Lo)
}

// nodesOf names the nodes of chunks.
func (r *Recorder) nodesOf(chunks []cluster.Chunk) uint32 {
	b := r.buf[:0]
	last := -1
	for _, ch := range chunks {
		if n := r.c.NodeOf(ch); n != last {
			if last >= 0 {
				b = append(b, ' ')
			}
			b = append(b, r.c.Spec().Nodes[n].Name...)
			last = n
		}
	}
	r.buf = b
	return r.texts.bytes(b)
}

// typeOf returns the GPU type of the first chunk's node.
func (r *Recorder) typeOf(chunks []cluster.Chunk) uint32 {
	if len(chunks) == 0 || chunks[0].Mask == 0 {
		return 0
	}
	return r.texts.id(r.c.Spec().Nodes[r.c.NodeOf(chunks[0])].GPU)
}

// gpusOf lists GPUs as node:0-3,5.
func (r *Recorder) gpusOf(chunks []cluster.Chunk) uint32 {
	b := r.buf[:0]
	last := -1
	for i := 0; i < len(chunks); i++ {
		ch := chunks[i]
		if ch.Mask == 0 {
			continue
		}
		if n := r.c.NodeOf(ch); n != last {
			if last >= 0 {
				b = append(b, ' ')
			}
			b = append(b, r.c.Spec().Nodes[n].Name...)
			b = append(b, ':')
			last = n
		} else {
			b = append(b, ',')
		}
		b = appendRanges(b, ch.Mask, r.c.GPUIndex(ch, 0))
	}
	r.buf = b
	return r.texts.bytes(b)
}

// appendRanges writes the set bits of m as ranges, counted from first.
func appendRanges(b []byte, m uint64, first int) []byte {
	comma := false
	for m != 0 {
		from := bits.TrailingZeros64(m)
		n := bits.TrailingZeros64(^(m >> uint(from)))
		if comma {
			b = append(b, ',')
		}
		comma = true
		b = strconv.AppendInt(b, int64(first+from), 10)
		if n > 1 {
			b = append(b, '-')
			b = strconv.AppendInt(b, int64(first+from+n-1), 10)
		}
		if from+n >= 64 {
			break
		}
		m &= ^uint64(0) << uint(from+n)
	}
	return b
}

// Close writes the jobs table and what is still open; now is the end of the
// run. It returns the first error of any table.
func (r *Recorder) Close(first, now event.Time) error {
	r.Instant(now)
	if r.states != nil {
		r.gpus.close(r, first, now)
	}
	if r.sink.open != nil {
		s, err := r.sink.open(Jobs())
		if err != nil {
			return err
		}
		if s != nil {
			r.sink.all = append(r.sink.all, s)
			r.writeJobs(s)
		}
	}
	var firstErr error
	for _, s := range r.sink.all {
		if err := s.Close(); err != nil && firstErr == nil {
			firstErr = err
		}
	}
	return firstErr
}

// Abort gives up the tables; their files are not complete.
func (r *Recorder) Abort() {
	for _, s := range r.sink.all {
		s.Close()
	}
}

func (r *Recorder) writeJobs(s *table.Sink) {
	list := r.texts.list
	for i := 0; i < r.count; i++ {
		row := r.Row(i)
		b := s.Batch()
		b.Bytes(0, r.arena[row.id:row.id+uint64(row.idLen)])
		for c, t := range [...]uint32{row.name, row.user, row.tenant, row.queue, row.partition, row.kind} {
			text(b, 1+c, list[t])
		}
		b.Int(7, int64(row.group))
		b.Seconds(8, row.Submit)
		seconds(b, 9, row.Eligible)
		seconds(b, 10, row.Start)
		seconds(b, 11, row.End)
		ran := row.Started()
		if ran || row.Status == cluster.Waiting {
			b.Seconds(12, row.Waited)
		} else {
			b.Null(12)
		}
		if ran {
			b.Seconds(13, row.Run())
		} else {
			b.Null(13)
		}
		if row.Status == cluster.Completed || row.Status == cluster.Failed {
			b.Seconds(14, row.End-row.Submit)
		} else {
			b.Null(14)
		}
		b.Milli(15, row.Milli())
		text(b, 16, list[row.gpuType])
		if row.Share < 1000 {
			b.Milli(17, int64(row.Share))
		} else {
			b.Null(17)
		}
		b.Null(18)
		b.Text(19, row.Status.String())
		text(b, 20, list[row.reason])
		b.Int(21, int64(row.Attempts))
		b.Int(22, int64(row.Preemptions))
		gpuTime(b, 23, row.Milli(), row.Productive)
		gpuTime(b, 24, row.Milli(), row.Lost)
		gpuTime(b, 25, row.Milli(), row.Overhead)
		b.GPUSeconds(26, 0, 0)
		seconds(b, 27, row.recorded)
		text(b, 28, list[row.nodes])
		seconds(b, 29, row.limit)
		b.Int(30, row.priority)
		if row.cpu > 0 {
			b.Milli(31, row.cpu)
		} else {
			b.Null(31)
		}
		if row.mem > 0 {
			b.Int(32, row.mem)
		} else {
			b.Null(32)
		}
		b.EndRow()
	}
}
