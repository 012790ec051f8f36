package trace

import (
	"bytes"
	"fmt"
	"math"

	"gpusim/sim/event"
)

// named drops the number behind a name: ann(1001).
func named(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '('); i > 0 && b[len(b)-1] == ')' {
		return b[:i]
	}
	return b
}

// fill implements reader.
func (j *jobcompReader) fill(r *row) {
	r.id, r.idColumn = j.text(jcID), j.at(jcID)
	if r.id == nil {
		r.reject("not-a-job", 1, "the line has no JobId: %s", quoted(j.rec))
		return
	}
	if array, task := j.text(jcArray), j.text(jcTask); array != nil && task != nil && string(array) != "0" {
		j.id = append(append(append(j.id[:0], array...), '_'), task...)
		r.id = j.id
	}
	if j.twice >= 0 {
		r.reject("duplicate-key", j.at(j.twice), "%s stands twice in the line", j.keys[j.twice])
		return
	}
	w := j.env.words
	r.job.User, r.job.Tenant, r.job.Queue = w.of(named(j.text(jcUser))), w.of(j.text(jcAccount)), w.of(j.text(jcPartition))
	r.name = j.text(jcName)
	state := j.states.of(j.text(jcState))
	r.recorded = w.of(j.text(jcState))
	j.fillSize(r)
	started := j.fillTimes(r)
	if r.fate != "" {
		return
	}
	switch {
	case !state.known:
		r.note("unknown-state", j.at(jcState), "%s is not a known state; the job is taken to complete", quoted(j.text(jcState)))
	case state.status == "completed":
		r.status = state.status
	case state.status == "running" && r.hasRun: // it was completing
		r.status = "completed"
	case state.status == "running", state.status == "pending":
		r.status = "unfinished"
	default:
		r.outcome(state.status)
	}
	switch {
	case !started && r.status == "cancelled":
		r.skip("cancelled-before-start", "cancelled, and it has no start: it never ran")
	case !started || state.status == "pending":
		r.skip("never-started", "it has no start: it never ran")
	case !r.hasRun:
		r.skip("still-running", "it has no end, so its run time is not known")
	}
	if r.tally != nil && j.env.log != nil {
		j.env.log.count(r, state)
	}
}

// stamp reads an instant that may be missing.
func (j *jobcompReader) stamp(r *row, k int) (s stamp, known bool) {
	b := j.text(k)
	if b == nil {
		return s, false
	}
	s, why := j.clock.read(b)
	if why != "" {
		j.bad(r, k, why)
		return s, false
	}
	r.noteStamp(s, j.at(k), j.keys[k], b)
	return s, true
}

// fillTimes reads the times and says whether the job started.
func (j *jobcompReader) fillTimes(r *row) bool {
	submit, hasSubmit := j.stamp(r, jcSubmit)
	start, hasStart := j.stamp(r, jcStart)
	end, hasEnd := j.stamp(r, jcEnd)
	switch {
	case hasSubmit:
		r.job.Submit, r.hasSubmit = submit.at, true
	case hasStart:
		r.job.Submit, r.hasSubmit = start.at, true
		r.note("no-submit", j.at(jcStart), "the log does not say when it was submitted; it is submitted when it started, at %s s", seconds(start.at))
	}
	if limit, known, why := slurmLength(j.text(jcLimit), event.Minute); why != "" {
		j.bad(r, jcLimit, why)
		return false
	} else if known {
		r.job.TimeLimit, r.job.HasLimit = limit, true
	}
	if !hasStart {
		r.busy, r.hasBusy = 0, true
		return false
	}
	r.start, r.hasStart = start.from(r.job.Submit), true
	switch {
	case r.start < r.job.Submit:
		r.note("start-before-submit", j.at(jcStart), "starts %s s before its submission; its wait is unknown", seconds(r.job.Submit-r.start))
	case hasSubmit:
		r.setWait(r.start - r.job.Submit)
	}
	if hasEnd {
		if r.end, r.hasEnd = end.from(r.start), true; r.end < r.start {
			r.reject("time-backwards", j.at(jcEnd), "ends at %s s, before its start at %s s", seconds(r.end), seconds(r.start))
			return true
		}
		r.setRun(r.end - r.start)
		r.checkLimit(j.at(jcEnd))
	}
	return true
}

// count reads a number that may be missing.
func (j *jobcompReader) count(r *row, k int, otherwise int64) int64 {
	b := j.text(k)
	if b == nil {
		return otherwise
	}
	v, why := whole(b)
	switch {
	case why != "":
	case v < 0:
		why = "negative"
	case v > math.MaxInt32:
		why = "out-of-range"
	}
	if why != "" {
		j.bad(r, k, why)
		return otherwise
	}
	return v
}

// fillSize reads the resources.
func (j *jobcompReader) fillSize(r *row) {
	nodes, procs := j.count(r, jcNodes, 1), j.count(r, jcProcs, 0)
	var size Resources
	var err error
	k, each := jcTres, int64(1)
	if j.text(jcTres) != nil {
		size, err = ParseTRES(clean(j.text(jcTres)))
	} else if j.text(jcGres) != nil {
		k, each = jcGres, max(nodes, 1)
		size, err = ParseGRES(clean(j.text(jcGres)))
	}
	if err == nil && (size.GPUs > math.MaxInt32/each || size.Slices > math.MaxInt32/each) {
		err = fmt.Errorf("%d GPUs of each of %d nodes are more than counts can hold", size.GPUs, each)
	}
	if err != nil {
		r.reject("bad-quantity", j.at(k), "%s: %s", j.keys[k], err)
		return
	}
	if j.env.log != nil && r.tally != nil {
		j.env.log.tracked = j.env.log.tracked || size.Known
	}
	if size.Warning != "" {
		r.note("gpu-count", j.at(k), "%s", size.Warning)
	}
	r.setGPUs(size.GPUs * each)
	if r.slices, r.hasSlices = size.Slices*each, size.Known; r.slices > 0 {
		r.note("mig-slices", j.at(k), "asks for %d MIG instances, which are no GPUs; the job is replayed without them", r.slices)
	}
	r.job.CPUMilli, r.job.Memory = size.CPUMilli, size.Memory
	if r.job.CPUMilli == 0 {
		r.job.CPUMilli = procs * 1000
	}
}
