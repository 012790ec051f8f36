package trace

import (
	"math/big"
	"sort"

	"gpusim/sim/event"
)

// samples is how many places of an issue are kept; the count is exact.
const samples = 20

// tally adds up what one reading finds.
type tally struct {
	records, accepted int64
	jobs              int64 // handed out: accepted, and those too large for the trace's machine
	issues            map[issueKey]*Issue
	has               fields

	first, lastSubmit, lastEnd event.Time
	anyJob, anyEnd             bool
	previous                   event.Time // submission of the record before
	anyPrevious                bool
	lastJob                    event.Time // submission of the job before
	unsorted                   bool

	waits  wide
	waited int64
	gpu    wide

	status, queue counts
	gpus          map[int64]int64
	tenants       map[string]*use
	types         map[string]*use

	longest event.Time // run time of the longest job
}

// use is a count of jobs and their GPU time.
type use struct {
	jobs int64
	gpu  wide
}

type issueKey struct {
	reason string
	action Action
}

func newTally() *tally {
	return &tally{issues: map[issueKey]*Issue{}, status: counts{}, queue: counts{}, gpus: map[int64]int64{}, tenants: map[string]*use{}, types: map[string]*use{}}
}

// wants says whether another place of an issue would be shown.
func (t *tally) wants(reason string, action Action) bool {
	i := t.issues[issueKey{reason, action}]
	return i == nil || len(i.At) < samples
}

// issue counts one issue.
func (t *tally) issue(file, id string, i rowIssue) {
	k := issueKey{i.reason, i.action}
	is := t.issues[k]
	if is == nil {
		is = &Issue{Reason: i.reason, Action: i.action, At: []Place{}}
		t.issues[k] = is
	}
	is.Count++
	if len(is.At) < samples {
		is.At = append(is.At, Place{File: file, Line: number(i.line), Column: number(i.column), ID: id, Message: i.message})
	}
}

func number(v int64) *int64 {
	if v == 0 {
		return nil
	}
	return &v
}

// order notes a record that was submitted before the one above it.
func (t *tally) order(r *row) {
	if !r.hasSubmit {
		return
	}
	if t.anyPrevious && r.job.Submit < t.previous {
		r.note("out-of-order", 0, "submitted at %s s, the record before it at %s s; jobs are put in order of time", seconds(r.job.Submit), seconds(t.previous))
	}
	t.previous, t.anyPrevious = r.job.Submit, true
}

// row counts one record.
func (t *tally) row(r *row) {
	t.records++
	if len(r.issues) > 0 {
		id := cutText(r.id)
		for _, i := range r.issues {
			t.issue(r.path, id, i)
		}
	}
	if r.fate != "" {
		return
	}
	submit := r.job.Submit
	if !t.anyJob || submit < t.first {
		t.first = submit
	}
	if t.anyJob && submit < t.lastJob {
		t.unsorted = true
	}
	if !t.anyJob || submit > t.lastSubmit {
		t.lastSubmit = submit
	}
	t.lastJob = submit
	t.anyJob = true
	t.jobs += r.handed()
	t.longest = max(t.longest, r.job.Duration)
	if r.tooBig { // the machine of the trace cannot hold it; a larger one may
		return
	}
	t.accepted++
	if r.hasEnd && (!t.anyEnd || r.end > t.lastEnd) {
		t.lastEnd, t.anyEnd = r.end, true
	}
	if r.hasWait {
		t.waits.add(uint64(r.wait), 1)
		t.waited++
	}
	t.gpu.plus(r.gpuTime)
	t.gpus[r.gpuMilli]++
	if t.has.status {
		t.status[r.status]++
	}
	if t.has.queue {
		t.queue[r.job.Queue]++
	}
	if t.has.tenant {
		count(t.tenants, r.job.Tenant, r.gpuTime)
	}
	count(t.types, r.typesKey, r.gpuTime)
}

func count(m map[string]*use, key string, gpu wide) {
	u := m[key]
	if u == nil {
		u = &use{}
		m[key] = u
	}
	u.jobs++
	u.gpu.plus(gpu)
}

// report fills in what was added up.
func (t *tally) report(rep *Report) {
	rep.Records, rep.Accepted = t.records, t.accepted
	rep.Issues = t.sortedIssues()
	rep.GPUSeconds = t.gpu.gpuSeconds()
	rep.total = t.gpu
	rep.Wait.Known = t.waited
	if t.waited > 0 {
		mean := t.waits.big()
		rep.Wait.Mean = ratio(mean, new(big.Int).Mul(big.NewInt(t.waited), big.NewInt(int64(event.Second))), 9)
	}
	if t.anyJob {
		rep.FirstSubmit, rep.LastSubmit = seconds(t.first), seconds(t.lastSubmit)
		rep.SubmitSpan = seconds(t.lastSubmit - t.first)
	}
	if t.anyEnd {
		rep.LastEnd, rep.Span = seconds(t.lastEnd), seconds(t.lastEnd-t.first)
	}
	gpus := counts{}
	for milli, n := range t.gpus {
		gpus[string(fixed(milli, 3))] = n
	}
	rep.JobsBy.GPUs = gpus.table(true)
	if t.has.status {
		rep.JobsBy.Status = t.status.table(false)
	}
	if t.has.queue {
		rep.JobsBy.Queue = t.queue.table(false)
	}
	if t.has.tenant {
		rep.JobsBy.Tenant, rep.GPUSecondsBy.Tenant = uses(t.tenants)
	}
	if t.has.gpuType {
		rep.JobsBy.GPUType, rep.GPUSecondsBy.GPUType = uses(t.types)
	}
	for _, k := range sortedKeys(t.types) {
		rep.loads = append(rep.loads, typeLoad{k, t.types[k].gpu})
	}
}

func uses(m map[string]*use) (jobs, gpu Table) {
	jobs, gpu = Table{}, Table{}
	for _, k := range sortedKeys(m) {
		jobs = append(jobs, Entry{k, fixed(m[k].jobs, 0)})
		gpu = append(gpu, Entry{k, m[k].gpu.gpuSeconds()})
	}
	return jobs, gpu
}

// sortedIssues puts what was set aside first, then by reason.
func (t *tally) sortedIssues() []Issue {
	rank := map[Action]int{Rejected: 0, Skipped: 1, Repaired: 2, Noted: 3}
	list := make([]Issue, 0, len(t.issues))
	for _, i := range t.issues {
		list = append(list, *i)
	}
	sort.Slice(list, func(a, b int) bool {
		if ra, rb := rank[list[a].Action], rank[list[b].Action]; ra != rb {
			return ra < rb
		}
		return list[a].Reason < list[b].Reason
	})
	return list
}
