package trace

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gpusim/sim/event"
)

// The sacct format is the accounting dump of Slurm: sacct -P with any --format
// (parsable2: a header, fields between bars; a bar at the end, as -p writes it,
// is fine). Columns are found by name in any order and case:
//
//	JobID (or JobIDRaw)   123, 123_4 (an element of an array), 123_[5-9%2] (its
//	                      elements that wait), 123+0 (a part of a het job),
//	                      123.batch and 123.0 (steps)
//	JobName, User, Account (the tenant), Partition (the queue)
//	State                 COMPLETED, CANCELLED by 1001, TIMEOUT, ..., or CD, TO
//	Submit, Start, End    2006-01-02T15:04:05, local (timezone, UTC if not
//	                      given) or with an offset
//	Elapsed, ElapsedRaw   1-02:03:04, or seconds
//	Timelimit, TimelimitRaw   the same, or minutes
//	AllocTRES, ReqTRES    resources; ReqTRES for jobs that were given none
//	AllocGRES, ReqGRES    older: of one node, times NNodes (AllocNodes, ReqNodes)
//	AllocCPUS, NCPUS, ReqCPUS, ReqMem   where there is no TRES
//
// JobID, State, Submit, Start and End (or Elapsed) and one column of resources
// must be there. Unknown, None, N/A, "None assigned" and an empty cell are
// missing values; UNLIMITED and Partition_Limit are no limit.
//
// Steps are part of their job and skipped. A row of waiting array elements is
// skipped as one record (pending-array); its elements, their GPUs and the
// throttle are in the message, the row and the facts. An id that comes again is
// a job that was requeued: another execution, ID#2. Parts of a het job are jobs
// (noted: het-job). A job that was running is skipped as still-running with its
// run time so far (Elapsed); with the option report_time, or unfinished: until,
// it is replayed for the time it had run by then. Models that were asked for
// (ReqTRES) bind the job; MIG instances are counted as slices (noted:
// mig-slices) and are no GPUs.
//
// Reasons: too-few-fields, too-many-fields, missing, bad-time, out-of-range,
// bad-quantity (a resource string), time-backwards; skipped: step-row,
// pending-array, never-started, cancelled-before-start, still-running; noted:
// duplicate-id, het-job, gpu-count (typed and untyped entries differ),
// mig-slices, duration-mismatch, limit-exceeded, start-before-submit,
// out-of-order, unknown-state, unknown-column, unknown-gpu (no resource string
// of the file speaks of GPUs: does the cluster count them?), ambiguous-time,
// no-such-time; repaired: encoding.
func sacctFormat() Format {
	return Format{
		Name:     "sacct",
		Doc:      "accounting of Slurm (sacct -P, any --format)",
		Sample:   "sacct.txt",
		extra:    []string{"timezone", "report_time", "unfinished"},
		names:    []string{"gpu_type", "user", "tenant", "queue"},
		repeat:   true,
		open:     openSacct,
		prepare:  func(t *Trace) error { t.env.log = newLogTotals(); return nil },
		describe: describeSacct,
	}
}

const (
	saID = iota
	saRawID
	saName
	saUser
	saAccount
	saPartition
	saState
	saSubmit
	saStart
	saEnd
	saElapsed
	saElapsedRaw
	saLimit
	saLimitRaw
	saAlloc
	saReq
	saAllocGRES
	saReqGRES
	saNodes
	saAllocNodes
	saReqNodes
	saAllocCPUs
	saCPUs
	saReqCPUs
	saReqMem
	saCount
)

var sacctColumns = [saCount]string{"jobid", "jobidraw", "jobname", "user", "account", "partition", "state", "submit", "start", "end",
	"elapsed", "elapsedraw", "timelimit", "timelimitraw", "alloctres", "reqtres", "allocgres", "reqgres", "nnodes", "allocnodes", "reqnodes",
	"alloccpus", "ncpus", "reqcpus", "reqmem"}

type sacctReader struct {
	in        *lines
	env       *env
	header    []string
	col       [saCount]int
	rec       []byte
	fields    []span
	clock     *anyStamp
	states    stateWords
	head      about
	report    event.Time // when the log was taken
	hasReport bool
}

func openSacct(r io.Reader, e *env) (reader, error) {
	clock, head, err := newAnyStamp(e.opt.Timezone, "UTC")
	if err != nil {
		return nil, err
	}
	s := &sacctReader{in: newLines(r), env: e, clock: clock, states: newStateWords(), head: head}
	if err := s.readHeader(); err != nil {
		return nil, err
	}
	if s.report, s.hasReport, err = reportTime(e.opt, &s.head); err != nil {
		return nil, err
	}
	return s, nil
}

// reportTime reads the option that says when a log was taken.
func reportTime(o Options, a *about) (at event.Time, given bool, err error) {
	text, name := o.ReportTime, "report_time"
	if text == "" && o.Unfinished == "until" {
		text, name = o.Until, "until"
	}
	if text == "" {
		return 0, false, nil
	}
	if at, err = a.instant(text); err != nil {
		return 0, false, fmt.Errorf("option %s: %w", name, err)
	}
	return at, true, nil
}

// readHeader finds the columns.
func (s *sacctReader) readHeader() error {
	for {
		rec, err := s.in.next()
		if err == io.EOF {
			return &placeError{message: "no header: the file is empty"}
		}
		if err != nil {
			return err
		}
		if s.rec = rec; len(trim(rec)) > 0 {
			break
		}
	}
	s.cut()
	fail := func(message string) error { return &placeError{line: s.in.n, column: 1, message: message} }
	if len(s.fields) > headerMost {
		return fail(fmt.Sprintf("the header has more than %d columns; is this the file that was meant?", headerMost))
	}
	for i := range s.fields {
		name := clean(trim(s.field(i)))
		if i == len(s.fields)-1 && name == "" && i > 0 {
			break // the bar at the end of sacct -p
		}
		for j, other := range s.header {
			if strings.EqualFold(other, name) {
				return fail(fmt.Sprintf("column %q stands twice in the header (fields %d and %d); name it once in --format", name, j+1, i+1))
			}
		}
		s.header = append(s.header, name)
	}
	used := map[int]bool{}
	for c, want := range sacctColumns {
		s.col[c] = -1
		for i, name := range s.header {
			if strings.EqualFold(name, want) {
				s.col[c], used[i] = i, true
			}
		}
	}
	if s.col[saID] < 0 {
		s.col[saID] = s.col[saRawID]
	}
	for _, need := range []struct {
		is   bool
		name string
	}{{s.any(saID), "JobID"}, {s.any(saState), "State"}, {s.any(saSubmit), "Submit"}, {s.any(saStart), "Start"}, {s.any(saEnd, saElapsed, saElapsedRaw), "End"},
		{s.any(saAlloc, saReq, saAllocGRES, saReqGRES), "AllocTRES"}} {
		if !need.is {
			hint := "; add it to --format"
			if len(s.header) == 1 {
				hint = "; fields must be separated by bars: sacct -P"
			}
			return fail(fmt.Sprintf("no column %s in the header (it has: %s)%s", need.name, cutList(s.header), hint))
		}
	}
	for i, name := range s.header {
		if !used[i] {
			s.head.notes = append(s.head.notes, note{"unknown-column", s.in.n, s.at(i), fmt.Sprintf("column %q is not read", name)})
		}
	}
	s.head.has = fields{status: true, tenant: s.any(saAccount), queue: s.any(saPartition), gpuType: true}
	return nil
}

// any says whether one of the columns is there.
func (s *sacctReader) any(columns ...int) bool {
	for _, c := range columns {
		if s.col[c] >= 0 {
			return true
		}
	}
	return false
}

// cut finds the fields between bars.
func (s *sacctReader) cut() {
	s.fields = s.fields[:0]
	most := len(s.header) + 16
	if s.header == nil {
		most = headerMost + 1
	}
	from := 0
	for len(s.fields) < most {
		n := bytes.IndexByte(s.rec[from:], '|')
		if n < 0 {
			break
		}
		s.fields = append(s.fields, span{start: from, from: from, to: from + n})
		from += n + 1
	}
	s.fields = append(s.fields, span{start: from, from: from, to: len(s.rec)})
}

func (s *sacctReader) next() error {
	for {
		rec, err := s.in.next()
		if err != nil {
			return err
		}
		if s.rec = rec; len(trim(rec)) > 0 {
			s.cut()
			return nil
		}
	}
}

func (s *sacctReader) about() about { return s.head }

func (s *sacctReader) columns() []string { return s.header }

func (s *sacctReader) value(column string) []byte {
	for i, name := range s.header {
		if name == column && i < len(s.fields) {
			return s.field(i)
		}
	}
	return nil
}

func (s *sacctReader) line() int64 { return s.in.n }

func (s *sacctReader) lines() int64 { return s.in.n }

func (s *sacctReader) bytes() []byte { return s.rec }

func (s *sacctReader) field(i int) []byte { return s.rec[s.fields[i].from:s.fields[i].to] }

func (s *sacctReader) at(i int) int64 { return int64(s.fields[i].start + 1) }

// text is a column's text; nil where it is missing or says nothing.
func (s *sacctReader) text(c int) []byte {
	if i := s.col[c]; i >= 0 && i < len(s.fields) && !absent(s.field(i)) {
		return trim(s.field(i))
	}
	return nil
}

// bad rejects a row because of one column.
func (s *sacctReader) bad(r *row, c int, why string) {
	i := s.col[c]
	r.reject(why, s.at(i), "%s is %s: %s", s.header[i], quoted(s.field(i)), explain(why))
}
