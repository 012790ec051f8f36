package trace

import (
	"bytes"
	"io"
)

// The slurm-jobcomp format is the job completion log of Slurm (JobCompType
// filetxt), a job a line:
//
//	JobId=7 UserId=ann(1001) GroupId=lab(50) Name=train JobState=COMPLETED
//	Partition=gpu TimeLimit=60 StartTime=2026-01-01T00:00:00
//	EndTime=2026-01-01T01:00:00 NodeList=n[1-2] NodeCnt=2 ProcCnt=16 WorkDir=/w
//
// and behind that, by version: Gres, Tres, Account, QOS, WcKey, Cluster,
// SubmitTime, EligibleTime, ArrayJobId, ArrayTaskId, HetJobId, HetJobOffset,
// DerivedExitCode, ExitCode, ReservationName. Keys may come in any order; a
// value may hold blanks (Name, WorkDir) and ends where the next known key
// begins. JobId, JobState, StartTime and EndTime must be there.
//
// The number behind a user's name is dropped. The account is the tenant, the
// partition the queue. TimeLimit is minutes, 1-02:03:04, UNLIMITED or
// Partition_Limit; times are local (timezone, UTC if not given); Unknown and
// None are missing values. A log without SubmitTime does not say when a job was
// submitted: its start is taken (noted: no-submit), and its wait is unknown.
// GPUs come from Tres (of the job) or Gres (of a node, times NodeCnt); a log
// with neither is one of CPU jobs of ProcCnt cores. An element of an array is
// ARRAY_TASK; an id that comes again was requeued and is kept as ID#2. Jobs
// without a start (cancelled in the queue) are skipped.
//
// Reasons: missing, not-a-job (a line without JobId), not-a-number, negative,
// out-of-range, bad-time, bad-quantity, time-backwards, duplicate-key; skipped:
// never-started, cancelled-before-start, still-running; noted: no-submit,
// duplicate-id, gpu-count, mig-slices, limit-exceeded, start-before-submit,
// out-of-order, unknown-state, unknown-gpu (nothing in the file speaks of
// GPUs), ambiguous-time, no-such-time; repaired: encoding.
func jobcompFormat() Format {
	return Format{
		Name:     "slurm-jobcomp",
		Doc:      "job completion log of Slurm (JobId=... UserId=... StartTime=... EndTime=...)",
		Sample:   "slurm_jobcomp.log",
		extra:    []string{"timezone"},
		names:    []string{"gpu_type", "user", "tenant", "queue"},
		repeat:   true,
		open:     openJobcomp,
		prepare:  func(t *Trace) error { t.env.log = newLogTotals(); return nil },
		describe: describeJobcomp,
	}
}

const (
	jcID = iota
	jcUser
	jcGroup
	jcName
	jcState
	jcPartition
	jcLimit
	jcStart
	jcEnd
	jcNodeList
	jcNodes
	jcProcs
	jcDir
	jcGres
	jcTres
	jcAccount
	jcSubmit
	jcEligible
	jcArray
	jcTask
	jcRest // keys from here on only end the value before them
)

func jobcompKeys() []string {
	return []string{"JobId", "UserId", "GroupId", "Name", "JobState", "Partition", "TimeLimit", "StartTime", "EndTime", "NodeList", "NodeCnt", "ProcCnt", "WorkDir",
		"Gres", "Tres", "Account", "SubmitTime", "EligibleTime", "ArrayJobId", "ArrayTaskId",
		"ReservationName", "QOS", "WcKey", "Cluster", "HetJobId", "HetJobOffset", "PackJobId", "PackJobOffset", "DerivedExitCode", "ExitCode", "Reservation", "BlockID", "NodeCount"}
}

type jobcompReader struct {
	in      *lines
	env     *env
	keys    []string
	byKey   map[string]int
	rec     []byte
	fields  [jcRest]span // zero: not there
	twice   int          // key that stands twice, -1 if none
	id      []byte
	clock   *anyStamp
	states  stateWords
	head    about
	waiting bool
	err     error
}

func openJobcomp(r io.Reader, e *env) (reader, error) {
	clock, head, err := newAnyStamp(e.opt.Timezone, "UTC")
	if err != nil {
		return nil, err
	}
	j := &jobcompReader{in: newLines(r), env: e, keys: jobcompKeys(), byKey: map[string]int{}, clock: clock, states: newStateWords(), head: head, waiting: true}
	for i, k := range j.keys {
		j.byKey[k] = i
	}
	j.head.has = fields{status: true, tenant: true, queue: true, gpuType: true}
	if j.err = j.advance(); j.err != nil && j.err != io.EOF {
		return nil, j.err
	}
	if j.err == io.EOF && j.in.n == 0 {
		return nil, &placeError{message: "the file is empty: no record"}
	}
	return j, nil
}

func (j *jobcompReader) about() about { return j.head }

func (j *jobcompReader) columns() []string { return j.keys[:jcRest] }

func (j *jobcompReader) value(column string) []byte {
	if i, ok := j.byKey[column]; ok && i < jcRest {
		return j.text(i)
	}
	return nil
}

func (j *jobcompReader) line() int64 { return j.in.n }

func (j *jobcompReader) lines() int64 { return j.in.n }

func (j *jobcompReader) bytes() []byte { return j.rec }

func (j *jobcompReader) next() error {
	if j.waiting {
		j.waiting = false
		return j.err
	}
	return j.advance()
}

// advance goes to the next line that is not blank.
func (j *jobcompReader) advance() error {
	for {
		rec, err := j.in.next()
		if err != nil {
			return err
		}
		if j.rec = rec; len(trim(rec)) > 0 {
			j.cut()
			return nil
		}
	}
}

// cut finds the values: each ends where a blank and a known key follow.
func (j *jobcompReader) cut() {
	j.fields, j.twice = [jcRest]span{}, -1
	key, from := -1, 0
	done := func(to int) {
		switch {
		case key < 0 || key >= jcRest:
		case j.fields[key].from > 0:
			j.twice = key
		default:
			j.fields[key] = span{start: from, from: from, to: to}
		}
	}
	for at := 0; at < len(j.rec); {
		n := bytes.IndexByte(j.rec[at:], '=')
		if n < 0 {
			break
		}
		eq := at + n
		word := at + bytes.LastIndexByte(j.rec[at:eq], ' ') + 1
		if i, known := j.byKey[string(j.rec[word:eq])]; known {
			done(word)
			key, from = i, eq+1
		}
		at = eq + 1
	}
	done(len(j.rec))
}

// text is the value of a key; nil where it is missing or says nothing.
func (j *jobcompReader) text(k int) []byte {
	s := j.fields[k]
	if b := trim(j.rec[s.from:s.to]); !absent(b) {
		return b
	}
	return nil
}

func (j *jobcompReader) at(k int) int64 { return int64(j.fields[k].from + 1) }

func (j *jobcompReader) bad(r *row, k int, why string) {
	r.reject(why, j.at(k), "%s is %s: %s", j.keys[k], quoted(j.text(k)), explain(why))
}

// describeJobcomp adds what the log says as a whole.
func describeJobcomp(t *Trace, rep *Report) {
	t.env.log.describe(rep)
	rep.Facts.set("gpus_tracked", t.env.log.tracked)
	if !t.env.log.tracked && rep.Records > 0 {
		rep.remark("unknown-gpu", rep.path(t), "no line speaks of GPUs (Tres, Gres): either no job had one, or the log does not record them")
	}
}
