package trace

import (
	"fmt"
	"unicode/utf8"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// Action says what became of a record, or of a detail of it.
type Action string

// The actions. A record that is no job has exactly one issue that is rejected
// (it is wrong) or skipped (it is right, but no job to replay); what is
// repaired or noted is still used.
const (
	Rejected Action = "rejected"
	Skipped  Action = "skipped"
	Repaired Action = "repaired"
	Noted    Action = "noted"
)

// row is what a format makes of one record.
type row struct {
	job  workloads.Job // on the trace's clock, without ID and Name
	id   []byte
	name []byte
	fate Action // Rejected, Skipped, or "" for a job
	line int64
	path string
	rec  []byte // for the column of a byte that is not UTF-8

	noID     bool  // ids are made up (unique): no search for duplicates
	partial  bool  // part of a job whose own record has the same id
	repeat   int32 // > 0: the n-th job of this id
	idColumn int64
	tooBig   bool // larger than the machine the trace says it is from

	// What the log recorded.
	hasSubmit        bool
	start, end       event.Time
	hasStart, hasEnd bool
	wait             event.Time
	hasWait          bool
	run, busy        event.Time // last end - first start; time on GPUs
	hasRun, hasBusy  bool
	gpuMilli         int64 // asked
	hasGPUs          bool
	pieces           []piece // nil: handed on as one job
	slices           int64   // MIG instances asked for
	hasSlices        bool
	hasSize          bool // CPUs and memory are known, also those of 0
	gpuTime          wide // thousandths of a GPU times nanoseconds
	hasGPUTime       bool
	status           string // completed, failed, cancelled, unfinished, or ""
	recorded         string // the log's own word
	typesKey         string // the list of GPU types as one word

	issues []rowIssue
	tally  *tally
}

// rowIssue is an issue of one record. The message is there only if somebody
// will read it.
type rowIssue struct {
	reason  string
	action  Action
	line    int64
	column  int64 // 0 = none
	message string
}

// reset makes the row ready for the record on line.
func (r *row) reset(path string, line int64, rec []byte) {
	issues, tally := r.issues[:0], r.tally
	*r = row{line: line, path: path, rec: rec, issues: issues, tally: tally}
	r.job.Share = 1000
}

// add notes an issue; the message is put together only if it will be shown.
func (r *row) add(reason string, action Action, line, column int64, format string, args ...any) {
	i := rowIssue{reason: reason, action: action, line: line, column: column}
	if r.tally == nil || r.tally.wants(reason, action) {
		i.message = fmt.Sprintf(format, args...)
	}
	r.issues = append(r.issues, i)
}

// reject sets the record aside as wrong, skip as nothing to replay. The first
// verdict stands.
func (r *row) reject(reason string, column int64, format string, args ...any) {
	r.verdict(reason, Rejected, column, format, args...)
}

func (r *row) skip(reason string, format string, args ...any) {
	r.verdict(reason, Skipped, 0, format, args...)
}

func (r *row) verdict(reason string, action Action, column int64, format string, args ...any) {
	if r.fate != "" {
		return
	}
	r.fate = action
	r.add(reason, action, r.line, column, format, args...)
}

// note says something about a record that is used all the same.
func (r *row) note(reason string, column int64, format string, args ...any) {
	r.add(reason, Noted, r.line, column, format, args...)
}

// checkEncoding counts a record with bytes that are not UTF-8; they are
// replaced where the text is used.
func (r *row) checkEncoding() {
	if utf8.Valid(r.rec) {
		return
	}
	line, column := r.line, int64(1)
	for i := 0; i < len(r.rec); {
		c, size := utf8.DecodeRune(r.rec[i:])
		if c == utf8.RuneError && size == 1 {
			r.add("encoding", Repaired, line, column, "byte 0x%02X is not UTF-8; it is replaced by U+FFFD (is the file in Latin-1?)", r.rec[i])
			return
		}
		column += int64(size)
		if c == '\n' {
			line, column = line+1, 1
		}
		i += size
	}
}

// setRun gives the job its length and, if the start is known, its end.
func (r *row) setRun(d event.Time) {
	r.job.Duration = d
	r.run, r.hasRun = d, true
	r.busy, r.hasBusy = d, true
}

// setWait notes what the log says the job waited; it needs the submission.
func (r *row) setWait(w event.Time) {
	r.wait, r.hasWait = w, true
	r.job.RecordedWait, r.job.HasRecordedWait = w, true
	r.start, r.hasStart = r.job.Submit+w, true
	if r.hasRun {
		r.end, r.hasEnd = r.start+r.run, true
	}
}

// setGPUs notes the GPUs asked for.
func (r *row) setGPUs(n int64) {
	r.job.GPUs = int(n)
	r.gpuMilli, r.hasGPUs = n*1000, true
}

// setShare makes the job ask for a part of one GPU.
func (r *row) setShare(milli int64) {
	r.job.GPUs, r.job.Share = 1, int(milli)
	r.gpuMilli, r.hasGPUs = milli, true
}

// outcome sets how the job ends; it needs the length.
func (r *row) outcome(status string) {
	r.status = status
	switch status {
	case "failed":
		r.job.Outcome, r.job.OutcomeAfter = workloads.OutcomeFail, r.job.Duration
	case "cancelled":
		r.job.Outcome, r.job.OutcomeAfter = workloads.OutcomeCancel, r.job.Duration
	}
}

// account works out the GPU time of a job whose GPUs did not change.
func (r *row) account() {
	if r.hasGPUs && r.hasBusy && !r.hasGPUTime {
		r.gpuTime.add(uint64(r.gpuMilli), uint64(r.busy))
		r.hasGPUTime = true
	}
}

// checkLimit notes a run beyond the user's own limit.
func (r *row) checkLimit(column int64) {
	if r.job.HasLimit && r.hasRun && r.run > r.job.TimeLimit {
		r.note("limit-exceeded", column, "ran %s s against a limit of %s s; the run time is kept", seconds(r.run), seconds(r.job.TimeLimit))
	}
}
