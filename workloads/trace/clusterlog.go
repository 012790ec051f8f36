package trace

import (
	"fmt"
	"io"
	"math"

	"gpusim/sim/event"
)

// The helios format is cluster_log.csv of the Helios trace (SenseTime, 2020;
// S-Lab-System-Group/HeliosData), one file a cluster. Columns, by name:
//
//	job_id, user
//	vc         virtual cluster: the job's queue and tenant
//	gpu_num, cpu_num
//	node_num   nodes it ran on; what one log's nodes were does not bind a run
//	state      as in Slurm: COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL
//	submit_time, start_time, end_time   2006-01-02 15:04:05, local (timezone,
//	           UTC if not given) or with an offset
//	duration   run time in seconds
//	queue      time waited in seconds (not the name of a queue)
//
// job_id, gpu_num, submit_time, start_time and end_time must be there. The run
// time is end - start and the wait start - submit; the columns that repeat them
// are compared and a difference of more than one second is counted
// (duration-mismatch, wait-mismatch). An empty cell, None, NaN, null, Unknown
// and N/A mean that nothing is known. Jobs without GPUs are CPU jobs. TIMEOUT
// and NODE_FAIL count as failed; the facts ended_by and gpu_s_by_state keep
// them apart.
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing,
// not-a-number, negative, out-of-range, bad-quantity, bad-time, time-backwards,
// duplicate-id; skipped: never-started, cancelled-before-start, still-running;
// noted: duration-mismatch, wait-mismatch, start-before-submit, out-of-order,
// unknown-state, unknown-column, ambiguous-time, no-such-time; repaired:
// encoding.
func heliosFormat() Format {
	f := clusterLogFormat()
	f.Name, f.Sample = "helios", "cluster_log.csv"
	f.Doc = "job log of the Helios trace (cluster_log.csv of one cluster)"
	f.names = []string{"user", "tenant", "queue"}
	f.folder = findHelios
	return f
}

// findHelios finds the log in the folder of a cluster.
func findHelios(dir string, _ *env) (string, error) {
	if path := findTable(dir, "cluster_log"); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("%s is a folder without cluster_log.csv (.csv.gz or .csv.zst); name the folder of one cluster", dir)
}

// The acme format is the job trace of Acme (Shanghai AI Laboratory;
// InternLM/AcmeTrace): trace_seren.csv and trace_kalos.csv, which may be read
// together, since their stamps carry offsets. It is the helios format without
// vc, and with
//
//	type              what the job is for: its kind
//	mem_per_pod_GB    memory of each of node_num pods (1 GB = 10^9 bytes)
//	gpu_time          duration x gpu_num, not read
//	shared_mem_per_pod, fail_time, stop_time   not read
//
// On Kalos the duration (and with it gpu_time) counts from the submission; the
// run time does not follow it, and every such row is counted as
// duration-mismatch. A job without a start never ran, whatever its duration.
func acmeFormat() Format {
	f := clusterLogFormat()
	f.Name, f.Sample = "acme", "trace_seren.csv"
	f.Doc = "job trace of Acme (trace_seren.csv, trace_kalos.csv)"
	f.names = []string{"user", "kind"}
	return f
}

func clusterLogFormat() Format {
	return Format{
		extra:    []string{"timezone"},
		open:     openClusterLog,
		prepare:  func(t *Trace) error { t.env.log = newLogTotals(); return nil },
		describe: func(t *Trace, rep *Report) { t.env.log.describe(rep) },
	}
}

const (
	clID = iota
	clUser
	clVC
	clGPUs
	clCPUs
	clNodes
	clState
	clSubmit
	clStart
	clEnd
	clDuration
	clQueue
	clType
	clMemory
	clName
	clGPUTime
	clShared
	clFail
	clStop
	clCount
)

var clusterLogColumns = [clCount]string{"job_id", "user", "vc", "gpu_num", "cpu_num", "node_num", "state", "submit_time", "start_time", "end_time",
	"duration", "queue", "type", "mem_per_pod_GB", "jobname", "gpu_time", "shared_mem_per_pod", "fail_time", "stop_time"}

type clusterLog struct {
	*table
	env    *env
	col    [clCount]int
	clock  *anyStamp
	states stateWords
	head   about
}

func openClusterLog(r io.Reader, e *env) (reader, error) {
	clock, head, err := newAnyStamp(e.opt.Timezone, "UTC")
	if err != nil {
		return nil, err
	}
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	c := &clusterLog{table: t, env: e, clock: clock, states: newStateWords(), head: head}
	used := map[int]bool{}
	for i, name := range clusterLogColumns {
		c.col[i] = t.column(name)
		used[c.col[i]] = true
	}
	for _, i := range []int{clID, clGPUs, clSubmit, clStart, clEnd} {
		if c.col[i] < 0 {
			return nil, noColumn(t, clusterLogColumns[i])
		}
	}
	has := c.col[clVC] >= 0
	c.head.has = fields{status: c.col[clState] >= 0, tenant: has, queue: has}
	c.head.notes = t.unknown(func(i int) bool { return used[i] })
	return c, nil
}

func (c *clusterLog) about() about { return c.head }

// text is a column's text; nil where it is missing or says nothing.
func (c *clusterLog) text(k int) []byte {
	if i := c.col[k]; i >= 0 && !absent(c.field(i)) {
		return trim(c.field(i))
	}
	return nil
}

// fill implements reader.
func (c *clusterLog) fill(r *row) {
	if i := c.col[clID]; i < len(c.fields) {
		r.id, r.idColumn = trim(c.field(i)), c.at(i)
	}
	if !c.well(r) {
		return
	}
	if len(r.id) == 0 {
		c.bad(r, c.col[clID], "missing")
	}
	w := c.env.words
	r.job.User, r.job.Queue, r.job.Kind = w.of(c.text(clUser)), w.of(c.text(clVC)), w.of(c.text(clType))
	r.job.Tenant = r.job.Queue
	r.name = c.text(clName)
	c.fillSize(r)
	started := c.fillTimes(r)
	if r.fate == Rejected {
		return
	}
	state := c.fillState(r, started)
	c.compare(r)
	if c.env.log != nil && r.tally != nil {
		c.env.log.count(r, state)
	}
}

// amount reads a number of a column that may be absent.
func (c *clusterLog) amount(r *row, k, places int) (v int64, known bool) {
	b := c.text(k)
	if b == nil {
		return 0, false
	}
	v, exact, why := exactDecimal(b, places)
	switch {
	case why != "":
	case v < 0:
		why = "negative"
	case places == 0 && !exact:
		why = "bad-quantity"
	case v > math.MaxInt32*1000:
		why = "out-of-range"
	}
	if why != "" {
		c.bad(r, c.col[k], why)
	}
	return v, why == ""
}

func (c *clusterLog) fillSize(r *row) {
	gpus, known := c.amount(r, clGPUs, 0)
	switch {
	case !known:
		c.bad(r, c.col[clGPUs], "missing")
		return
	case gpus > math.MaxInt32:
		c.bad(r, c.col[clGPUs], "out-of-range")
		return
	}
	r.setGPUs(gpus)
	r.job.CPUMilli, _ = c.amount(r, clCPUs, 3)
	pods, known := c.amount(r, clNodes, 0)
	if !known {
		pods = 1
	}
	if gb, known := c.amount(r, clMemory, 3); known && pods > 0 {
		if gb > math.MaxInt64/1_000_000/pods {
			c.bad(r, c.col[clMemory], "out-of-range")
			return
		}
		r.job.Memory = gb * 1_000_000 * pods
	}
}

// stamp reads an instant that may be absent.
func (c *clusterLog) stamp(r *row, k int) (s stamp, known bool) {
	b := c.text(k)
	if b == nil {
		return s, false
	}
	s, why := c.clock.read(b)
	if why != "" {
		c.bad(r, c.col[k], why)
		return s, false
	}
	r.noteStamp(s, c.at(c.col[k]), clusterLogColumns[k], b)
	return s, true
}

// fillTimes reads the three stamps and says whether the job started.
func (c *clusterLog) fillTimes(r *row) bool {
	submit, known := c.stamp(r, clSubmit)
	if !known {
		c.bad(r, c.col[clSubmit], "missing")
		return false
	}
	r.job.Submit, r.hasSubmit = submit.at, true
	start, hasStart := c.stamp(r, clStart)
	end, hasEnd := c.stamp(r, clEnd)
	least := r.job.Submit
	if hasStart {
		r.start, r.hasStart = start.from(least), true
		least = r.start
	}
	if hasEnd {
		r.end, r.hasEnd = end.from(least), true
	}
	switch {
	case hasStart && hasEnd && r.end < r.start:
		r.reject("time-backwards", c.at(c.col[clEnd]), "ends at %s s, before its start at %s s", seconds(r.end), seconds(r.start))
	case hasStart && hasEnd:
		r.setRun(r.end - r.start)
	case !hasStart:
		r.busy, r.hasBusy = 0, true // no GPU was ever held
	}
	if !hasStart {
		return false
	}
	if r.start < r.job.Submit {
		r.note("start-before-submit", c.at(c.col[clStart]), "starts %s s before its submission; its wait is unknown", seconds(r.job.Submit-r.start))
	} else {
		r.setWait(r.start - r.job.Submit)
	}
	return true
}

// fillState decides whether there is anything to replay.
func (c *clusterLog) fillState(r *row, started bool) slurmState {
	b := c.text(clState)
	s := c.states.of(b)
	r.recorded = c.env.words.of(b)
	switch {
	case b == nil:
	case !s.known:
		r.note("unknown-state", c.at(c.col[clState]), "%s is not a known state; the job is taken to complete", quoted(b))
	case s.status == "completed":
		r.status = s.status
	case s.status == "running", s.status == "pending":
		r.status = "unfinished"
	default:
		r.outcome(s.status)
	}
	switch {
	case !started && r.status == "cancelled":
		r.skip("cancelled-before-start", "cancelled, and it has no start: it never ran")
	case !started:
		r.skip("never-started", "it has no start: it never ran")
	case !r.hasRun || s.status == "running":
		r.status = "unfinished"
		r.skip("still-running", "it has no end, so its run time is not known")
	}
	return s
}

// compare holds the columns that repeat a time against the stamps.
func (c *clusterLog) compare(r *row) {
	for _, k := range []struct {
		column int
		reason string
		known  bool
		is     event.Time
		what   string
	}{{clDuration, "duration-mismatch", r.hasRun, r.run, "end - start"}, {clQueue, "wait-mismatch", r.hasWait, r.wait, "start - submit"}} {
		b := c.text(k.column)
		if b == nil {
			continue
		}
		said, why := instant(b, 9)
		at := c.at(c.col[k.column])
		switch {
		case why != "":
			r.note(k.reason, at, "%s is %s, which is no time; %s is used", clusterLogColumns[k.column], quoted(b), k.what)
		case k.known && (said > k.is+event.Second || said < k.is-event.Second):
			r.note(k.reason, at, "%s is %s s, but %s is %s s, which is used", clusterLogColumns[k.column], seconds(said), k.what, seconds(k.is))
		case !k.known && !r.hasStart && said > event.Second && k.column == clDuration:
			r.note(k.reason, at, "%s is %s s, but the job never started", clusterLogColumns[k.column], seconds(said))
		}
	}
}
