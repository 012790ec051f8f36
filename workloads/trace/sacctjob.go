package trace

import (
	"bytes"
	"math"

	"gpusim/sim/event"
)

// fill implements reader.
func (s *sacctReader) fill(r *row) {
	if i := s.col[saID]; i < len(s.fields) {
		r.id, r.idColumn = trim(s.field(i)), s.at(i)
	}
	have, want := len(s.fields), len(s.header)
	if have == want+1 && len(s.field(want)) == 0 {
		have-- // the bar at the end of sacct -p
	}
	switch {
	case have < want:
		r.reject("too-few-fields", int64(len(s.rec)+1), "%d fields where the header has %d: %s is missing", have, want, s.header[have])
		return
	case have > want:
		r.reject("too-many-fields", s.at(want), "more fields than the %d of the header; does a job name hold a bar?", want)
		return
	case len(r.id) == 0:
		s.bad(r, saID, "missing")
		return
	case bytes.IndexByte(r.id[bytes.IndexByte(r.id, ']')+1:], '.') >= 0:
		r.skip("step-row", "%s is a step; its job counts as a whole", cutText(r.id))
		return
	}
	j, w := &r.job, s.env.words
	j.User, j.Tenant, j.Queue = w.of(s.text(saUser)), w.of(s.text(saAccount)), w.of(s.text(saPartition))
	r.name = s.text(saName)
	state := s.states.of(s.text(saState))
	r.recorded = w.of(s.text(saState))
	array, waits, ok := parseArray(r.id)
	if !ok {
		r.reject("bad-quantity", r.idColumn, "%s: the list of array elements cannot be read; write it as 123_[1-10%%2]", cutText(r.id))
		return
	}
	s.fillTimes(r, state.status == "pending")
	s.fillSize(r)
	if r.fate != "" {
		return
	}
	if bytes.IndexByte(r.id, '+') >= 0 {
		r.note("het-job", r.idColumn, "%s is a part of a job of several kinds of resources; each part is a job here", cutText(r.id))
	}
	if waits && r.job.GPUs > 0 && array.elements > math.MaxInt32/int64(r.job.GPUs) {
		r.reject("out-of-range", r.idColumn, "%d elements of %d GPUs each are beyond what counts can hold", array.elements, r.job.GPUs)
		return
	}
	s.fillState(r, state, array, waits)
	if r.tally != nil && s.env.log != nil {
		s.count(r, state, array, waits)
	}
}

// stamp reads an instant that may be missing.
func (s *sacctReader) stamp(r *row, c int) (x stamp, known bool) {
	b := s.text(c)
	if b == nil {
		return x, false
	}
	x, why := s.clock.read(b)
	if why != "" {
		s.bad(r, c, why)
		return x, false
	}
	r.noteStamp(x, s.at(s.col[c]), s.header[s.col[c]], b)
	return x, true
}

// span reads a length of time, from the first column that has one.
func (s *sacctReader) span(r *row, columns ...struct {
	c    int
	bare event.Time
}) (d event.Time, known bool, c int) {
	for _, k := range columns {
		b := s.text(k.c)
		if b == nil {
			continue
		}
		d, known, why := slurmLength(b, k.bare)
		if why != "" {
			s.bad(r, k.c, why)
			return 0, false, k.c
		}
		return d, known, k.c
	}
	return 0, false, 0
}

type sacctSpan = struct {
	c    int
	bare event.Time
}

// fillTimes reads when the job was submitted, started and ended. The start of a
// job that waits is a plan, and no start.
func (s *sacctReader) fillTimes(r *row, waits bool) {
	submit, known := s.stamp(r, saSubmit)
	if !known {
		s.bad(r, saSubmit, "missing")
		return
	}
	r.job.Submit, r.hasSubmit = submit.at, true
	start, hasStart := s.stamp(r, saStart)
	end, hasEnd := s.stamp(r, saEnd)
	if limit, known, c := s.span(r, sacctSpan{saLimitRaw, event.Minute}, sacctSpan{saLimit, event.Minute}); known {
		r.job.TimeLimit, r.job.HasLimit = limit, true
		defer func() { r.checkLimit(s.at(s.col[c])) }()
	}
	elapsed, hasElapsed, column := s.span(r, sacctSpan{saElapsedRaw, event.Second}, sacctSpan{saElapsed, event.Second})
	if !hasStart || waits {
		r.busy, r.hasBusy = 0, true
		return
	}
	r.start, r.hasStart = start.from(r.job.Submit), true
	if r.start < r.job.Submit {
		r.note("start-before-submit", s.at(s.col[saStart]), "starts %s s before its submission; its wait is unknown", seconds(r.job.Submit-r.start))
	} else {
		r.setWait(r.start - r.job.Submit)
	}
	switch {
	case hasEnd:
		r.end, r.hasEnd = end.from(r.start), true
		if r.end < r.start {
			r.reject("time-backwards", s.at(s.col[saEnd]), "ends at %s s, before its start at %s s", seconds(r.end), seconds(r.start))
			return
		}
		r.setRun(r.end - r.start)
		if hasElapsed && (elapsed > r.run+event.Second || elapsed < r.run-event.Second) {
			r.note("duration-mismatch", s.at(s.col[column]), "%s is %s s, but end - start is %s s, which is used (was the job suspended?)", s.header[s.col[column]], seconds(elapsed), seconds(r.run))
		}
	case s.hasReport && s.report >= r.start:
		r.setRun(s.report - r.start) // so far
	case hasElapsed:
		r.setRun(elapsed)
	}
}

// fillSize reads the resources.
func (s *sacctReader) fillSize(r *row) {
	size, c, ok := s.resources(r)
	if !ok {
		return
	}
	if size.Known && s.env.log != nil && r.tally != nil {
		s.env.log.tracked = true
	}
	nodes := int64(1)
	if c == saReqGRES || c == saAllocGRES {
		if n, known := s.amount(r, saNodes, saAllocNodes, saReqNodes); known {
			nodes = n / 1000
		}
	}
	if size.GPUs > math.MaxInt32/max(nodes, 1) || size.Slices > math.MaxInt32/max(nodes, 1) {
		s.bad(r, c, "out-of-range")
		return
	}
	r.setGPUs(size.GPUs * nodes)
	r.slices, r.hasSlices = size.Slices*nodes, size.Known
	if size.Warning != "" {
		r.note("gpu-count", s.at(s.col[c]), "%s", size.Warning)
	}
	if r.slices > 0 {
		r.note("mig-slices", s.at(s.col[c]), "asks for %d MIG instances, which are no GPUs; the job is replayed without them", r.slices)
	}
	r.job.CPUMilli, r.job.Memory = size.CPUMilli, size.Memory
	if r.job.CPUMilli == 0 {
		r.job.CPUMilli, _ = s.amount(r, saAllocCPUs, saCPUs, saReqCPUs)
	}
	s.fillMemory(r)
	if asked := s.text(saReq); asked != nil && c != saReq {
		if again, err := ParseTRES(string(asked)); err == nil {
			size.Models = again.Models
		}
	}
	s.fillTypes(r, size.Models)
}

// resources reads the first column that says something, and which it was.
func (s *sacctReader) resources(r *row) (size Resources, c int, ok bool) {
	for _, c := range []int{saAlloc, saReq, saAllocGRES, saReqGRES} {
		b := s.text(c)
		if b == nil {
			continue
		}
		parse := ParseTRES
		if c == saAllocGRES || c == saReqGRES {
			parse = ParseGRES
		}
		size, err := parse(string(b))
		if err != nil {
			r.reject("bad-quantity", s.at(s.col[c]), "%s: %s", s.header[s.col[c]], err)
			return size, c, false
		}
		return size, c, true
	}
	return Resources{}, 0, true
}

// amount reads the first of some counts that is there, in thousandths.
func (s *sacctReader) amount(r *row, columns ...int) (int64, bool) {
	for _, c := range columns {
		b := s.text(c)
		if b == nil {
			continue
		}
		v, why := decimal(b, 3)
		switch {
		case why != "":
		case v < 0:
			why = "negative"
		case v > math.MaxInt32*1000:
			why = "out-of-range"
		}
		if why != "" {
			s.bad(r, c, why)
			return 0, false
		}
		return v, true
	}
	return 0, false
}

// fillMemory reads ReqMem where the resources do not say: 4G, 4Gc (a CPU), 4Gn
// (a node).
func (s *sacctReader) fillMemory(r *row) {
	b := s.text(saReqMem)
	if b == nil || r.job.Memory > 0 || r.fate != "" {
		return
	}
	each := int64(1000)
	switch b[len(b)-1] {
	case 'c':
		each, b = r.job.CPUMilli, b[:len(b)-1]
	case 'n':
		if n, known := s.amount(r, saNodes, saAllocNodes, saReqNodes); known {
			each = n
		}
		b = b[:len(b)-1]
	}
	v, why := slurmBytes(b, 1<<20)
	if why == "" && each > 0 && v > math.MaxInt64/each {
		why = "out-of-range"
	}
	if why != "" {
		s.bad(r, saReqMem, why)
		return
	}
	r.job.Memory = v * each / 1000
}

// fillTypes binds the job to the models it names.
func (s *sacctReader) fillTypes(r *row, models []ModelCount) {
	if len(models) == 0 || r.job.GPUs == 0 {
		return
	}
	var key []byte
	for i, m := range models {
		if i > 0 {
			key = append(key, '|')
		}
		key = append(key, m.Model...)
	}
	l := s.env.words.list(key)
	r.job.GPUTypes, r.typesKey = l.types, l.key
}

// fillState decides whether there is anything to replay.
func (s *sacctReader) fillState(r *row, state slurmState, array arrayID, waits bool) {
	switch {
	case !state.known:
		r.note("unknown-state", s.at(s.col[saState]), "%s is not a known state; the job is taken to complete", quoted(s.field(s.col[saState])))
	case state.status == "completed":
		r.status = state.status
	case state.status == "running" && state.word == "COMPLETING" && r.hasEnd:
		r.status = "completed"
	case state.status == "running", state.status == "pending":
		r.status = "unfinished"
	default:
		r.outcome(state.status)
	}
	each := r.job.GPUs
	if waits {
		r.setGPUs(array.elements * int64(each))
	}
	switch {
	case waits && !r.hasStart && r.status != "cancelled":
		more := ""
		if array.cut {
			more = " or more (the list is cut short)"
		}
		limit := "all at once"
		if array.throttle > 0 {
			limit = "at most " + string(fixed(array.throttle, 0)) + " at once"
		}
		r.skip("pending-array", "%d elements%s of %d GPUs each had not started; %s may run", array.elements, more, each, limit)
	case !r.hasStart && r.status == "cancelled":
		r.skip("cancelled-before-start", "cancelled, and it has no start: it never ran")
	case !r.hasStart:
		r.skip("never-started", "it has no start: it never ran")
	case r.status == "unfinished" && r.hasRun && (s.env.opt.Unfinished == "until" || s.hasReport && s.env.opt.Unfinished == ""):
		r.hasEnd = false // it is replayed for the time it had run by then
	case r.status == "unfinished", !r.hasRun:
		r.hasEnd, r.status = false, "unfinished"
		r.skip("still-running", "it had not ended; the options report_time or unfinished can give it an end")
	}
}
