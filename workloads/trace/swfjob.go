package trace

import (
	"math"

	"gpusim/sim/event"
)

// fill implements reader.
func (s *swfReader) fill(r *row) {
	r.id, r.idColumn = s.field(swfJob), s.at(swfJob)
	if n := len(s.fields); n < len(swfColumns) {
		r.reject("too-few-fields", int64(len(s.rec)+1), "%d fields where a record has %d: %s (field %d) is missing", n, len(swfColumns), swfColumns[n], n+1)
		return
	} else if n > len(swfColumns) {
		r.reject("too-many-fields", s.at(len(swfColumns)), "more than the %d fields of a record", len(swfColumns))
		return
	}
	j, w := &r.job, s.env.words
	j.User, j.Tenant, j.Queue = w.of(s.word(swfUser)), w.of(s.word(swfGroup)), w.of(s.word(swfQueue))
	r.name = s.word(swfExecutable)
	if _, why := whole(r.id); why != "" {
		s.bad(r, swfJob, why)
		return
	}
	if !s.known(swfSubmit) {
		s.bad(r, swfSubmit, "missing")
		return
	}
	submit, why := length(s.field(swfSubmit), 9)
	if why != "" {
		s.bad(r, swfSubmit, why)
		return
	}
	j.Submit, r.hasSubmit = submit, true
	procs, ok := s.processors(r)
	if !ok {
		return
	}
	run, hasRun := s.time(r, swfRun)
	if hasRun {
		r.setRun(run)
	}
	wait, hasWait := s.time(r, swfWait)
	if limit, ok := s.time(r, swfLimit); ok && limit > 0 {
		j.TimeLimit, j.HasLimit = limit, true
		r.checkLimit(s.at(swfRun))
	}
	if hasWait && hasRun {
		r.setWait(wait)
	}
	s.fillMemory(r, procs)
	if s.known(swfBefore) && r.fate == "" {
		r.note("dependency-ignored", s.at(swfBefore), "follows job %s; dependencies of a log are part of its submission times and are not followed", s.field(swfBefore))
	}
	s.fillStatus(r, procs)
}

// time reads a time that may be unknown.
func (s *swfReader) time(r *row, i int) (event.Time, bool) {
	if !s.known(i) {
		return 0, false
	}
	v, why := length(s.field(i), 9)
	if why != "" {
		s.bad(r, i, why)
		return 0, false
	}
	return v, true
}

// processors reads the size; 0 where there is none.
func (s *swfReader) processors(r *row) (int64, bool) {
	for _, i := range []int{swfAlloc, swfAsked} {
		if !s.known(i) {
			continue
		}
		n, why := whole(s.field(i))
		switch {
		case why != "":
		case n < 0:
			why = "negative"
		case n > math.MaxInt32:
			why = "out-of-range"
		}
		if why != "" {
			s.bad(r, i, why)
			return 0, false
		}
		if n == 0 {
			continue
		}
		if s.env.opt.Processors == "cpus" {
			r.setGPUs(0)
			r.job.CPUMilli = n * 1000
		} else {
			r.setGPUs(n)
		}
		return n, true
	}
	return 0, true
}

// fillMemory reads the memory that was asked for.
func (s *swfReader) fillMemory(r *row, procs int64) {
	if !s.known(swfMemory) {
		return
	}
	kib, why := decimal(s.field(swfMemory), 0)
	switch {
	case why != "":
	case kib < 0:
		why = "negative"
	case procs > 0 && kib > math.MaxInt64/1024/procs:
		why = "out-of-range"
	}
	if why != "" {
		s.bad(r, swfMemory, why)
		return
	}
	r.job.Memory = kib * 1024 * procs
}

// fillStatus decides whether there is anything to replay, and how it ends.
func (s *swfReader) fillStatus(r *row, procs int64) {
	status := string(s.field(swfStatus))
	r.recorded = status
	if status == "5" && (!r.hasRun || r.run == 0 && procs == 0) {
		r.skip("cancelled-before-start", "cancelled, and it has no run time")
		return
	}
	if procs == 0 {
		r.reject("no-gpus", s.at(swfAlloc), "no processors: allocated (field 5) is %s, asked (field 8) is %s", s.field(swfAlloc), s.field(swfAsked))
		return
	}
	if !r.hasRun {
		r.skip("missing", "the run time (field 4) is not known")
		return
	}
	switch status {
	case "1":
		r.status = "completed"
	case "0":
		r.outcome("failed")
	case "5":
		r.outcome("cancelled")
	case "2", "3":
		r.partial, r.status = true, "completed"
	case "4":
		r.partial = true
		r.outcome("failed")
	case "-1":
	default:
		r.note("unknown-state", s.at(swfStatus), "status %s is not one of -1 to 5; the job is taken to complete", quoted([]byte(status)))
	}
	if s.maxProcs > 0 && procs > s.maxProcs && r.fate == "" {
		r.tooBig = true
		r.add("too-large", Rejected, r.line, s.at(swfAlloc), "%d processors, and the header's MaxProcs is %d; only a larger cluster can run it", procs, s.maxProcs)
	}
}
