package trace

import (
	"fmt"
	"math"

	"gpusim/sim/event"
)

// phillySpan is an attempt with its times understood.
type phillySpan struct {
	start, end       event.Time
	hasStart, hasEnd bool
	gpus             int64
	backwards        bool
}

// length is the attempt's length; known says whether it has one.
func (s *phillySpan) length() (d event.Time, known bool) {
	if !s.hasStart || !s.hasEnd || s.backwards {
		return 0, false
	}
	return s.end - s.start, true
}

// fill implements reader.
func (p *phillyReader) fill(r *row) {
	rec := &p.rec
	if !none(rec.id) {
		r.id = trim(rec.id)
	}
	if rec.reason != "" {
		line, column := p.array.place(p.array.from + rec.damageAt)
		r.fate = Rejected
		r.add(rec.reason, Rejected, line, column, "%s", rec.damage)
		return
	}
	for _, key := range rec.unknown {
		r.note("unknown-column", 0, "key %q is not read", key)
	}
	if more := rec.unknowns - int64(len(rec.unknown)); more > 0 {
		r.note("unknown-column", 0, "%d more keys of this record are not read", more)
	}
	if len(r.id) == 0 {
		r.reject("missing", 0, "the record has no jobid")
		return
	}
	w := p.env.words
	if !none(rec.user) {
		r.job.User = w.of(trim(rec.user))
	}
	if !none(rec.vc) {
		r.job.Queue = w.of(trim(rec.vc))
		r.job.Tenant = r.job.Queue
	}
	r.recorded = w.of(trim(rec.status))
	if none(rec.submitted) {
		r.reject("missing", 0, "the record has no submitted_time")
		return
	}
	submit, ok := p.time(r, "submitted_time", rec.submitted)
	if !ok {
		return
	}
	r.job.Submit, r.hasSubmit = submit.at, true
	if rec.repeated > 0 {
		r.note("duplicate-gpu", 0, "%d GPUs stand twice in an attempt; they count once", rec.repeated)
	}
	if len(rec.attempts) == 0 {
		r.hasGPUTime = true
		r.skip("no-attempts", "the job has no attempt: it never ran")
		return
	}
	spans, ok := p.spans(r)
	if !ok {
		return
	}
	p.noteMachines(r)
	if p.env.opt.Attempts == "each" {
		p.one(r, spans)
	} else {
		p.whole(r, spans)
	}
}

// time reads a stamp of the log.
func (p *phillyReader) time(r *row, key string, b []byte) (stamp, bool) {
	s, why := p.clock.read(b)
	if why != "" {
		line, column := p.array.place(p.array.from)
		if r.fate == "" {
			r.fate = Rejected
			r.add(why, Rejected, line, column, "%s is %s: write it as %s", key, quoted(b), plainLayout)
		}
		return s, false
	}
	if s.gap {
		r.note("no-such-time", 0, "%s %s: the clocks were set forward over this time; it is read as if they had not been", key, b)
	}
	if s.again != s.at {
		r.note("ambiguous-time", 0, "%s %s: the clocks were set back and showed this time twice; it is the first unless that is too early", key, b)
	}
	return s, true
}

// spans understands the times of all attempts.
func (p *phillyReader) spans(r *row) ([]phillySpan, bool) {
	spans := p.times[:0]
	earliest := r.job.Submit
	for i, a := range p.rec.attempts {
		s := phillySpan{gpus: int64(a.to - a.from)}
		if !none(a.start) {
			t, ok := p.time(r, fmt.Sprintf("start_time of attempt %d", i+1), a.start)
			if !ok {
				return nil, false
			}
			s.start, s.hasStart = t.from(earliest), true
			earliest = max(earliest, s.start)
		}
		if !none(a.end) {
			t, ok := p.time(r, fmt.Sprintf("end_time of attempt %d", i+1), a.end)
			if !ok {
				return nil, false
			}
			from := earliest
			if s.hasStart {
				from = s.start
			}
			s.end, s.hasEnd = t.from(from), true
			s.backwards = s.hasStart && s.end < s.start
			earliest = max(earliest, s.end)
		}
		spans = append(spans, s)
	}
	p.times = spans
	return spans, true
}

// whole decides what the job as a whole was.
func (p *phillyReader) whole(r *row, spans []phillySpan) {
	last := len(spans) - 1
	running := spans[last].hasStart && !spans[last].hasEnd
	if running && p.env.philly.hasEnd && p.env.philly.end >= spans[last].start {
		spans[last].end, spans[last].hasEnd = p.env.philly.end, true
	} else if running {
		defer r.skip("still-running", "the last attempt has no end: the job was running when the log was taken")
	}
	p.size(r, spans)
	var busy event.Time
	var anyStart, anyLength bool
	for i, s := range spans {
		if s.hasStart {
			anyStart = true
		}
		switch d, known := s.length(); {
		case s.backwards:
			p.wait(r, spans[0])
			r.reject("time-backwards", 0, "attempt %d ends at %s s, before its start at %s s", i+1, seconds(s.end), seconds(s.start))
			return
		case known:
			if d > farthest-busy {
				r.reject("out-of-range", 0, "the attempts together run longer than times can say")
				return
			}
			anyLength = true
			busy += d
			r.gpuTime.add(uint64(d), uint64(s.gpus)*1000)
		case !s.hasStart:
			r.note("attempt-no-start", 0, "attempt %d has no start; it does not count", i+1)
		case i < last:
			r.note("attempt-no-end", 0, "attempt %d has no end; it does not count", i+1)
		}
	}
	if !anyStart {
		r.issues = dropReason(r.issues, "attempt-no-start")
		r.hasGPUTime = true
		r.skip("no-start", "no attempt has a start: the job never ran")
		return
	}
	if first, end := spans[0], spans[last]; first.hasStart && end.hasEnd && end.end >= first.start {
		r.run, r.hasRun = end.end-first.start, true
	}
	p.wait(r, spans[0])
	if running && !spans[last].hasEnd {
		r.gpuTime = wide{}
		return
	}
	if !anyLength {
		r.skip("missing", "no attempt has both a start and an end: its length is not known")
		return
	}
	r.busy, r.hasBusy, r.hasGPUTime = busy, true, true
	r.job.Duration = busy
	if r.job.GPUs == 0 {
		r.reject("no-gpus", 0, "no attempt lists a GPU")
		return
	}
	p.status(r, running)
}

func dropReason(issues []rowIssue, reason string) []rowIssue {
	kept := issues[:0]
	for _, i := range issues {
		if i.reason != reason {
			kept = append(kept, i)
		}
	}
	return kept
}

// size takes the GPUs from the first or the last attempt that ran, or failing
// that from one that lists any.
func (p *phillyReader) size(r *row, spans []phillySpan) {
	var ran, any int64
	for _, s := range spans {
		first := p.env.opt.Attempts == "first"
		if s.gpus == 0 {
			continue
		}
		if !first || any == 0 {
			any = s.gpus
		}
		if s.hasStart && (!first || ran == 0) {
			ran = s.gpus
		}
	}
	if ran == 0 {
		ran = any
	}
	if ran > 0 && ran <= math.MaxInt32 {
		r.setGPUs(ran)
	}
}

// wait notes the wait before the first attempt, if its start is known.
func (p *phillyReader) wait(r *row, first phillySpan) {
	if !first.hasStart {
		return
	}
	if first.start < r.job.Submit {
		r.start, r.hasStart = first.start, true
		r.note("start-before-submit", 0, "starts %s s before its submission; its wait is unknown", seconds(r.job.Submit-first.start))
		return
	}
	r.setWait(first.start - r.job.Submit)
}

// status says how the job ended.
func (p *phillyReader) status(r *row, running bool) {
	if running {
		r.status = "unfinished"
		return
	}
	switch r.recorded {
	case "Pass":
		r.status = "completed"
	case "Failed":
		r.outcome("failed")
	case "Killed":
		r.outcome("cancelled")
	default:
		r.note("unknown-state", 0, "status %q is not one of Pass, Failed, Killed; the job is taken to complete", r.recorded)
	}
}

// one makes a job of one attempt.
func (p *phillyReader) one(r *row, spans []phillySpan) {
	k, last := p.each, len(spans)-1
	s := spans[k]
	if last > 0 {
		r.id = fmt.Appendf(nil, "%s.%d", r.id, k+1)
	}
	for i := range k { // submitted when the attempt before it ended
		if spans[i].hasEnd {
			r.job.Submit = max(r.job.Submit, spans[i].end)
		}
	}
	if s.gpus > 0 && s.gpus <= math.MaxInt32 {
		r.setGPUs(s.gpus)
	}
	p.wait(r, s)
	running := k == last && s.hasStart && !s.hasEnd
	if running && p.env.philly.hasEnd && p.env.philly.end >= s.start {
		s.end, s.hasEnd = p.env.philly.end, true
	}
	d, known := s.length()
	switch {
	case s.backwards:
		r.reject("time-backwards", 0, "attempt %d ends at %s s, before its start at %s s", k+1, seconds(s.end), seconds(s.start))
	case !s.hasStart:
		r.skip("no-start", "attempt %d has no start", k+1)
	case running && !known:
		r.skip("still-running", "attempt %d has no end: the job was running when the log was taken", k+1)
	case !known:
		r.skip("missing", "attempt %d has no end: its length is not known", k+1)
	case s.gpus == 0:
		r.reject("no-gpus", 0, "attempt %d lists no GPU", k+1)
	}
	if !known {
		return
	}
	r.setRun(d)
	if r.hasStart {
		r.end, r.hasEnd = r.start+d, true
	}
	if k < last {
		r.outcome("failed")
		return
	}
	p.status(r, running)
}
