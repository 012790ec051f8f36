package trace

import (
	"fmt"
	"io"
	"math"

	"gpusim/sim/event"
)

// The openb format is the pod list of the Alibaba GPU cluster trace of 2023
// (alibaba/clusterdata, cluster-trace-gpu-v2023; also shipped with
// hkust-adsl/kubernetes-scheduler-simulator): a table with a header.
//
// Columns, by name: name, cpu_milli (thousandths of a core), memory_mib,
// num_gpu, gpu_milli (thousandths asked of each GPU, below 1000 only with one
// GPU), gpu_spec (acceptable models joined by |, empty for any, repeats
// harmless), qos, pod_phase (Running, Succeeded, Failed, Pending),
// creation_time, deletion_time, scheduled_time (seconds on one clock without a
// date). The variants that list shapes only (no times) need lifetime: forever:
// their pods arrive at time 0 in the order of the file.
//
// The submission is creation_time, the run time deletion - scheduled, the
// recorded wait scheduled - creation. A pod with GPUs sits on one node. Failed
// pods fail after their run time; Succeeded complete; Running pods were still
// there at the end of the log (status unfinished) and are replayed for the time
// that was recorded. An empty scheduled_time is a pod that never ran: skipped
// (never-started), or given the run time of the option pending. With lifetime:
// forever pods never leave (a run time of 73 years) and those that never ran
// come too, unless pending: skip says otherwise.
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing,
// not-a-number, out-of-range (gpu_milli above 1000), negative, bad-quantity (a
// share of several GPUs, or of 0), no-gpus (a share without a GPU),
// time-backwards (deleted before created or scheduled), duplicate-id,
// never-started, still-running (no deletion_time); noted: start-before-submit, out-of-order, unknown-state,
// unknown-column; repaired: encoding.
func openbFormat() Format {
	return Format{
		Name:     "openb",
		Doc:      "pod list of the Alibaba 2023 GPU trace (openb_pod_list_*.csv)",
		Sample:   "openb_pod_list_default.csv",
		extra:    []string{"pending", "lifetime"},
		names:    []string{"gpu_type"},
		open:     openOpenb,
		prepare:  func(t *Trace) error { t.env.openb = &openbTotals{phases: counts{}, qos: counts{}}; return nil },
		describe: func(t *Trace, rep *Report) { t.env.openb.describe(rep) },
	}
}

// forever is the run time of pods that never leave.
const forever = event.Never / 4

// The columns of the pod list.
var openbColumns = [...]string{"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase",
	"creation_time", "deletion_time", "scheduled_time"}

const (
	obName = iota
	obCPU
	obMemory
	obGPUs
	obMilli
	obSpec
	obQoS
	obPhase
	obCreated
	obDeleted
	obScheduled
)

type openbReader struct {
	*table
	env     *env
	col     [len(openbColumns)]int
	head    about
	forever bool
	pending event.Time // run time of pods that never ran
	keep    bool       // pending is given
}

// openbTotals adds up what the log says of all well-formed rows.
type openbTotals struct {
	phases, qos     counts
	asked           int64
	none, one, more int64
	shares          int64
}

func openOpenb(r io.Reader, e *env) (reader, error) {
	o := &openbReader{env: e, forever: e.opt.Lifetime == "forever"}
	var err error
	if o.pending, o.keep, err = pendingLength(e.opt.Pending); err != nil {
		return nil, err
	}
	if o.table, err = newTable(r); err != nil {
		return nil, err
	}
	used := map[int]bool{}
	for i, name := range openbColumns {
		o.col[i] = o.column(name)
		used[o.col[i]] = true
		if o.col[i] >= 0 || i == obSpec || i == obQoS || i == obPhase {
			continue
		}
		if i >= obCreated {
			if o.forever {
				continue
			}
			return nil, &placeError{line: o.lineNo, column: 1, message: fmt.Sprintf("no column %q in the header: the list has no times; with lifetime: forever its pods arrive one after another and never leave", name)}
		}
		return nil, noColumn(o.table, name)
	}
	o.head.has = fields{status: o.col[obPhase] >= 0, gpuType: true}
	o.head.notes = o.unknown(func(i int) bool { return used[i] })
	return o, nil
}

func (o *openbReader) about() about { return o.head }

// text is a column's text; nil where the list has no such column.
func (o *openbReader) text(c int) []byte {
	if i := o.col[c]; i >= 0 {
		return trim(o.field(i))
	}
	return nil
}

func (o *openbReader) bad(r *row, c int, why string) { o.table.bad(r, o.col[c], why) }

// amount reads a count that must be there.
func (o *openbReader) amount(r *row, c int) int64 {
	v, why := whole(o.field(o.col[c]))
	switch {
	case why != "":
	case v < 0:
		why = "negative"
	case v > math.MaxInt32*1000:
		why = "out-of-range"
	}
	if why != "" {
		o.bad(r, c, why)
	}
	return v
}

// fill implements reader.
func (o *openbReader) fill(r *row) {
	if i := o.col[obName]; i < len(o.fields) {
		r.id, r.idColumn = trim(o.field(i)), o.at(i)
	}
	if !o.well(r) {
		return
	}
	if len(r.id) == 0 {
		o.bad(r, obName, "missing")
	}
	j := &r.job
	j.CPUMilli = o.amount(r, obCPU)
	j.Memory = o.amount(r, obMemory) << 20
	o.fillGPUs(r)
	if r.fate != "" {
		return
	}
	o.fillTimes(r)
	if r.fate != Rejected {
		o.count(r)
	}
}

// fillGPUs reads what the pod asks of GPUs.
func (o *openbReader) fillGPUs(r *row) {
	n, milli := o.amount(r, obGPUs), o.amount(r, obMilli)
	if r.fate != "" {
		return
	}
	at := o.at(o.col[obMilli])
	r.gpuMilli, r.hasGPUs = n*milli, n > 0
	switch {
	case n > math.MaxInt32:
		o.bad(r, obGPUs, "out-of-range")
	case milli > 1000:
		r.reject("out-of-range", at, "%d thousandths of a GPU: a GPU has 1000", milli)
	case n == 0 && milli > 0:
		r.reject("no-gpus", at, "%d thousandths of a GPU, but num_gpu is 0", milli)
	case n > 0 && milli == 0:
		r.reject("bad-quantity", at, "%d GPUs, but nothing of each", n)
	case n > 1 && milli < 1000:
		r.reject("bad-quantity", at, "%d thousandths of each of %d GPUs: only a single GPU can be shared", milli, n)
	case n == 1 && milli < 1000:
		r.setShare(milli)
	default:
		r.setGPUs(n)
	}
	if n > 0 {
		r.job.Nodes = 1 // a pod is never split
		l := o.env.words.list(o.text(obSpec))
		r.job.GPUTypes, r.typesKey = l.types, l.key
	}
}

// fillTimes reads the three times and the phase.
func (o *openbReader) fillTimes(r *row) {
	phase := o.env.words.of(o.text(obPhase))
	r.recorded = phase
	if o.col[obCreated] < 0 { // shapes only
		r.hasSubmit = true
		r.job.Duration = forever
		return
	}
	created, ok := o.instant(r, obCreated)
	if !ok {
		return
	}
	r.job.Submit, r.hasSubmit = created, true
	if len(o.text(obDeleted)) == 0 && len(o.text(obScheduled)) > 0 {
		o.stillThere(r)
		return
	}
	if len(o.text(obDeleted)) == 0 {
		o.neverRan(r)
		return
	}
	deleted, ok := o.instant(r, obDeleted)
	if !ok {
		return
	}
	if deleted < created {
		r.reject("time-backwards", o.at(o.col[obDeleted]), "deleted at %s s, before its creation at %s s", seconds(deleted), seconds(created))
		return
	}
	if len(o.text(obScheduled)) == 0 {
		o.neverRan(r)
		return
	}
	scheduled, ok := o.instant(r, obScheduled)
	if !ok {
		return
	}
	if deleted < scheduled {
		r.reject("time-backwards", o.at(o.col[obDeleted]), "deleted at %s s, before it was scheduled at %s s", seconds(deleted), seconds(scheduled))
		return
	}
	r.end, r.hasEnd = deleted, true
	r.setRun(deleted - scheduled)
	o.started(r, scheduled)
	switch phase {
	case "Succeeded":
		r.status = "completed"
	case "Failed":
		r.outcome("failed")
	case "Running":
		r.status = "unfinished"
	case "Pending", "":
	default:
		r.note("unknown-state", o.at(o.col[obPhase]), "%s is not a known phase; the pod is taken to complete", quoted(o.text(obPhase)))
	}
	if o.forever {
		r.job.Duration = forever
		r.job.Outcome, r.job.OutcomeAfter = 0, 0
	}
}

// started notes the start and the wait.
func (o *openbReader) started(r *row, at event.Time) {
	r.start, r.hasStart = at, true
	if at < r.job.Submit {
		r.note("start-before-submit", o.at(o.col[obScheduled]), "scheduled %s s before its creation; its wait is unknown", seconds(r.job.Submit-at))
		return
	}
	r.setWait(at - r.job.Submit)
}

// stillThere is a pod that has started and not been deleted.
func (o *openbReader) stillThere(r *row) {
	scheduled, ok := o.instant(r, obScheduled)
	if !ok {
		return
	}
	o.started(r, scheduled)
	r.status = "unfinished"
	if o.forever {
		r.job.Duration = forever
		return
	}
	r.skip("still-running", "it has no deletion_time, so its run time is not known")
}

// neverRan decides what to do with a pod that was never scheduled.
func (o *openbReader) neverRan(r *row) {
	switch {
	case o.keep && !o.forever:
		r.job.Duration = o.pending
		r.note("never-started", 0, "never scheduled; it is given a run time of %s s (option pending)", seconds(o.pending))
	case o.forever && o.env.opt.Pending != "skip":
		r.job.Duration = forever
		r.note("never-started", 0, "never scheduled; it comes all the same (option lifetime)")
	default:
		r.skip("never-started", "never scheduled, so its run time is not known; the option pending can give it one")
	}
}

func (o *openbReader) instant(r *row, c int) (event.Time, bool) {
	v, why := length(o.field(o.col[c]), 9)
	if why != "" {
		o.bad(r, c, why)
	}
	return v, why == ""
}

// count adds a well-formed row to the log's totals.
func (o *openbReader) count(r *row) {
	t := o.env.openb
	if r.tally == nil || t == nil {
		return
	}
	t.phases[r.recorded]++
	t.qos[o.env.words.of(o.text(obQoS))]++
	t.asked += r.gpuMilli
	switch {
	case r.gpuMilli == 0:
		t.none++
	case r.job.GPUs == 1:
		t.one++
	default:
		t.more++
	}
	if r.job.Share < 1000 {
		t.shares++
	}
}

func (t *openbTotals) describe(rep *Report) {
	rep.Facts.set("phases", t.phases.table(false))
	rep.Facts.set("qos", t.qos.table(false))
	rep.Facts.set("gpu_milli_asked", t.asked)
	rep.Facts.set("pods_without_gpu", t.none)
	rep.Facts.set("pods_with_one_gpu", t.one)
	rep.Facts.set("pods_with_several_gpus", t.more)
	rep.Facts.set("pods_with_a_share", t.shares)
}
