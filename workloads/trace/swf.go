package trace

import (
	"bytes"
	"io"
)

// The swf format is the Standard Workload Format of the Parallel Workloads
// Archive, version 2.2: 18 numbers a line, separated by blanks or tabs; lines
// that begin with a semicolon are comments, of which those of the form
// "; Key: value" before the first record are the header.
//
// Fields: 1 job, 2 submit, 3 wait, 4 run, 5 processors allocated, 6 CPU time
// used, 7 memory used (KiB a processor), 8 processors asked, 9 time asked (the
// limit), 10 memory asked (KiB a processor), 11 status, 12 user, 13 group, 14
// executable, 15 queue, 16 partition, 17 job before, 18 think time. -1 is "not
// known" everywhere. Times are seconds from UnixStartTime of the header.
//
// A processor is a GPU, or with processors: cpus a core of a job without GPUs.
// Allocated processors count, asked ones where those are unknown. The group is
// the tenant, the executable the name. Fields 6 and 7 are not needed, 16 is no
// partition of the simulated cluster, and 17 and 18 are noted
// (dependency-ignored) but not followed.
//
// status: 1 completed; 0 failed (after its run time); 5 cancelled: after its run
// time, or cancelled-before-start (skipped) where it has none; 2, 3 and 4 are
// parts of a job that was suspended: a part whose job has a record above is
// skipped (step-row), another one is a job (4 fails). Other words are
// unknown-state.
//
// Reasons: too-few-fields, too-many-fields, not-a-number, out-of-range,
// negative, bad-quantity, missing (no submission; a run time that is not known
// is skipped), no-gpus (no processors in both fields), duplicate-id, too-large
// (more than MaxProcs of the header: counted as rejected here, handed on all
// the same because a larger cluster may hold it); noted: out-of-order,
// limit-exceeded, unknown-state, dependency-ignored.
func swfFormat() Format {
	return Format{
		Name:   "swf",
		Doc:    "Standard Workload Format (Parallel Workloads Archive); a processor is a GPU unless processors: cpus",
		Sample: "*.swf",
		extra:  []string{"processors"},
		names:  []string{"user", "tenant", "queue"},
		open:   openSWF,
	}
}

// swfColumns are the names of the fields, for where and for messages.
var swfColumns = [...]string{"job", "submit", "wait", "run", "processors", "cpu_time", "memory_used", "processors_asked",
	"time_limit", "memory_asked", "status", "user", "group", "executable", "queue", "partition", "preceding_job", "think_time"}

// The fields that are read.
const (
	swfJob, swfSubmit, swfWait, swfRun, swfAlloc          = 0, 1, 2, 3, 4
	swfAsked, swfLimit, swfMemory, swfStatus              = 7, 8, 9, 10
	swfUser, swfGroup, swfExecutable, swfQueue, swfBefore = 11, 12, 13, 14, 16
)

type swfReader struct {
	in       *lines
	env      *env
	rec      []byte
	lineNo   int64
	fields   []span
	head     about
	maxProcs int64
	waiting  bool // the first record has been read already
	err      error
}

func openSWF(r io.Reader, e *env) (reader, error) {
	s := &swfReader{in: newLines(r), env: e}
	s.head.has = fields{status: true, tenant: true, queue: true}
	s.err = s.advance(true)
	if s.err != nil && s.err != io.EOF {
		return nil, s.err
	}
	if s.err == io.EOF && s.in.n == 0 {
		return nil, &placeError{message: "the file is empty: no header and no record"}
	}
	s.waiting = true
	return s, nil
}

func (s *swfReader) next() error {
	if s.waiting {
		s.waiting = false
		return s.err
	}
	return s.advance(false)
}

// advance goes to the next line with data; comments of the header are read.
func (s *swfReader) advance(header bool) error {
	for {
		rec, err := s.in.next()
		if err != nil {
			return err
		}
		s.rec, s.lineNo = rec, s.in.n
		if i := bytes.IndexByte(rec, '\r'); i >= 0 && s.lineNo == 1 && i < len(rec)-1 {
			return &placeError{line: 1, column: int64(i + 1), message: "lines end with a bare carriage return; save the file with line feeds"}
		}
		body := trim(rec)
		if len(body) == 0 {
			continue
		}
		if body[0] == ';' {
			if header {
				s.comment(body[1:])
			}
			continue
		}
		if s.cut(); len(s.fields) > 0 {
			return nil
		}
	}
}

// cut finds the fields between blanks.
func (s *swfReader) cut() {
	s.fields = s.fields[:0]
	rec := s.rec
	for i := 0; i < len(rec) && len(s.fields) <= len(swfColumns); {
		if rec[i] == ' ' || rec[i] == '\t' || rec[i] == '\r' {
			i++
			continue
		}
		from := i
		for i < len(rec) && rec[i] != ' ' && rec[i] != '\t' && rec[i] != '\r' {
			i++
		}
		s.fields = append(s.fields, span{start: from, from: from, to: i})
	}
}

// comment takes in a line of the header.
func (s *swfReader) comment(b []byte) {
	key, value, ok := bytes.Cut(b, []byte{':'})
	key, value = trim(key), trim(value)
	if !ok || len(key) == 0 || len(value) == 0 || len(key) > 40 {
		return
	}
	name, said := clean(key), clean(value)
	switch name {
	case "MaxProcs":
		if n, why := whole(value); why == "" && n > 0 {
			s.maxProcs = n
		}
	case "UnixStartTime":
		if t, why := instant(value, 9); why == "" && t >= 0 {
			s.head.origin, s.head.hasOrigin = t, true
			s.head.clock.Origin = text(utcStamp(t))
			s.head.clock.StatedBy = text("header")
		}
	case "TimeZoneString":
		s.head.clock.Timezone = text(said)
		s.head.clock.StatedBy = text("header")
		if z, err := newZone(said); err == nil {
			s.head.zone = z
		}
	}
	for i := range s.head.facts { // a key that stands again goes on
		if s.head.facts[i].Key == name {
			s.head.facts[i].Value = s.head.facts[i].Value.(string) + "\n" + said
			return
		}
	}
	s.head.facts.set(name, said)
}

func (s *swfReader) about() about { return s.head }

func (s *swfReader) columns() []string { return swfColumns[:] }

func (s *swfReader) value(column string) []byte {
	for i, name := range swfColumns {
		if name == column && i < len(s.fields) {
			return s.field(i)
		}
	}
	return nil
}

func (s *swfReader) line() int64 { return s.lineNo }

func (s *swfReader) lines() int64 { return s.in.n }

func (s *swfReader) bytes() []byte { return s.rec }

func (s *swfReader) field(i int) []byte { return s.rec[s.fields[i].from:s.fields[i].to] }

func (s *swfReader) at(i int) int64 { return int64(s.fields[i].start + 1) }

// known says whether a field holds a value, not -1.
func (s *swfReader) known(i int) bool {
	b := s.field(i)
	if len(b) < 2 || b[0] != '-' {
		return true
	}
	v, why := decimal(b, 3)
	return why != "" || v != -1000
}

// word is a field that names something, "" where it is not known.
func (s *swfReader) word(i int) []byte {
	if !s.known(i) {
		return nil
	}
	return s.field(i)
}

func (s *swfReader) bad(r *row, i int, why string) {
	r.reject(why, s.at(i), "%s (field %d) is %s: %s", swfColumns[i], i+1, quoted(s.field(i)), explain(why))
}
