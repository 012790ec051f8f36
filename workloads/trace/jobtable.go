package trace

import (
	"math"
	"strconv"
	"strings"
)

// What a column of a table of jobs can say. The words are the keys of the
// option columns.
const (
	colID = iota
	colName
	colUser
	colTenant
	colQueue
	colPartition
	colKind
	colSubmit
	colStart
	colEnd
	colDuration
	colGPUs
	colFraction
	colGPUType
	colPerNode
	colNodes
	colMaxNodes
	colCPUs
	colMemory
	colLimit
	colPriority
	colWait
	colStatus
	colMIG
	colCount
)

// jobColumns are the keys of the option columns, in the order of the constants.
var jobColumns = [colCount]string{"id", "name", "user", "tenant", "queue", "partition", "kind", "submit", "start", "end",
	"duration", "gpus", "gpu_fraction", "gpu_type", "gpus_per_node", "nodes", "max_nodes", "cpus", "memory", "time_limit",
	"priority", "wait", "status", "mig"}

// jobTable reads a table with a job a row.
type jobTable struct {
	*table
	env    *env
	col    [colCount]int // index of the column, -1 where there is none
	clock  *clockFormat
	head   about
	number []byte // the row's number, where there is no id
}

func (t *jobTable) about() about { return t.head }

// finish sets what follows from the columns found. The columns aside need no
// note although nothing reads them.
func (t *jobTable) finish(aside ...string) {
	used := make(map[int]bool, colCount)
	for _, i := range t.col {
		used[i] = true
	}
	t.head.notes = append(t.head.notes, t.unknown(func(i int) bool { return used[i] || contains(aside, t.header[i]) })...)
	t.head.has = fields{status: t.col[colStatus] >= 0, tenant: t.col[colTenant] >= 0, queue: t.col[colQueue] >= 0, gpuType: t.col[colGPUType] >= 0}
}

// text is the text of a column, without blanks around it; nil without one.
func (t *jobTable) text(c int) []byte {
	if i := t.col[c]; i >= 0 {
		return trim(t.field(i))
	}
	return nil
}

// fill implements reader.
func (t *jobTable) fill(r *row) {
	if i := t.col[colID]; i >= 0 {
		if i < len(t.fields) {
			r.id, r.idColumn = trim(t.field(i)), t.at(i)
		}
	} else {
		r.noID = true
		t.number = strconv.AppendInt(t.number[:0], t.rows, 10)
		r.id = t.number
	}
	if !t.well(r) {
		return
	}
	if len(r.id) == 0 {
		t.bad(r, t.col[colID], "missing")
	}
	r.name = t.text(colName)
	j, w := &r.job, t.env.words
	j.User, j.Tenant, j.Queue = w.of(t.text(colUser)), w.of(t.text(colTenant)), w.of(t.text(colQueue))
	j.Partition, j.Kind = w.of(t.text(colPartition)), w.of(t.text(colKind))
	types := w.list(t.text(colGPUType))
	j.GPUTypes, r.typesKey = types.types, types.key
	t.fillTimes(r)
	t.fillSize(r)
	t.fillShape(r)
	if i := t.col[colPriority]; i >= 0 && len(t.text(colPriority)) > 0 {
		v, why := whole(t.text(colPriority))
		j.Priority = v
		if why != "" {
			t.bad(r, i, why)
		}
	}
	if m := t.text(colMIG); len(m) > 0 {
		t.bad(r, t.col[colMIG], "unsupported")
	}
	t.fillStatus(r)
}

// fillTimes reads the submission, the length, the limit and the wait.
func (t *jobTable) fillTimes(r *row) {
	j := &r.job
	submit, why := t.clock.read(t.field(t.col[colSubmit]))
	if why != "" {
		t.bad(r, t.col[colSubmit], why)
		return
	}
	j.Submit, r.hasSubmit = submit.at, true
	t.noteStamp(r, colSubmit, submit)
	var start, end stamp
	hasStart, hasEnd := t.stamp(r, colStart, &start), t.stamp(r, colEnd, &end)
	if hasStart {
		r.start, r.hasStart = start.from(j.Submit), true
	}
	if hasEnd {
		least := j.Submit
		if hasStart {
			least = r.start
		}
		r.end, r.hasEnd = end.from(least), true
	}
	if hasStart && hasEnd && r.end < r.start {
		r.reject("time-backwards", t.at(t.col[colEnd]), "ends at %s s, before its start at %s s", seconds(r.end), seconds(r.start))
		return
	}
	if i := t.col[colDuration]; i >= 0 {
		if b := t.field(i); len(trim(b)) > 0 {
			d, why := length(b, t.clock.lengthPlaces())
			if why != "" {
				t.bad(r, i, why)
				return
			}
			r.setRun(d)
		}
	} else if hasStart && hasEnd {
		r.setRun(r.end - r.start)
	}
	if i := t.col[colLimit]; i >= 0 {
		if b := trim(t.field(i)); len(b) > 0 && string(b) != "-1" {
			d, why := length(b, t.clock.lengthPlaces())
			if why != "" {
				t.bad(r, i, why)
				return
			}
			j.TimeLimit, j.HasLimit = d, true
			r.checkLimit(t.at(i))
		}
	}
	if i := t.col[colWait]; i >= 0 {
		if b := trim(t.field(i)); len(b) > 0 && string(b) != "-1" {
			d, why := length(b, t.clock.lengthPlaces())
			if why != "" {
				t.bad(r, i, why)
				return
			}
			r.setWait(d)
		}
	} else if hasStart {
		if r.start < j.Submit {
			r.note("start-before-submit", t.at(t.col[colStart]), "starts %s s before its submission; its wait is unknown", seconds(j.Submit-r.start))
		} else {
			r.setWait(r.start - j.Submit)
		}
	}
}

// stamp reads an optional instant.
func (t *jobTable) stamp(r *row, c int, s *stamp) bool {
	i := t.col[c]
	if i < 0 || len(trim(t.field(i))) == 0 {
		return false
	}
	var why string
	*s, why = t.clock.read(t.field(i))
	if why != "" {
		t.bad(r, i, why)
		return false
	}
	t.noteStamp(r, c, *s)
	return true
}

// noteStamp counts local times that clock changes made doubtful.
func (t *jobTable) noteStamp(r *row, c int, s stamp) {
	if s.gap {
		r.note("no-such-time", t.at(t.col[c]), "%s: the clocks were set forward over this time; it is read as if they had not been", quoted(t.text(c)))
	}
	if s.again != s.at {
		r.note("ambiguous-time", t.at(t.col[c]), "%s: the clocks were set back and showed this time twice; it is the first unless that is too early", quoted(t.text(c)))
	}
}

// fillSize reads GPUs, shares, CPUs and memory.
func (t *jobTable) fillSize(r *row) {
	i := t.col[colGPUs]
	n, why := whole(t.field(i))
	switch {
	case why != "":
	case n < 0:
		why = "negative"
	case n > math.MaxInt32:
		why = "out-of-range"
	}
	if why != "" {
		t.bad(r, i, why)
		return
	}
	r.setGPUs(n)
	if i := t.col[colFraction]; i >= 0 && len(trim(t.field(i))) > 0 {
		f, exact, why := exactDecimal(t.field(i), 3)
		switch {
		case why != "":
			t.bad(r, i, why)
		case f < 0:
			t.bad(r, i, "negative")
		case exact && (f == 1000 || f == 0): // a whole GPU, or no share
		case f > 1000 || !exact:
			r.reject("bad-quantity", t.at(i), "a share of %s GPU: write a number between 0 and 1 in steps of 0.001", quoted(t.field(i)))
		case n > 1:
			r.reject("bad-quantity", t.at(i), "a share of %s of each of %d GPUs: only one GPU can be shared by a job", quoted(t.field(i)), n)
		default:
			r.setShare(f)
		}
	}
	if i := t.col[colCPUs]; i >= 0 && len(trim(t.field(i))) > 0 {
		v, why := decimal(t.field(i), 3)
		if why == "" && v < 0 {
			why = "negative"
		}
		r.job.CPUMilli = v
		if why != "" {
			t.bad(r, i, why)
		}
	}
	if i := t.col[colMemory]; i >= 0 && len(trim(t.field(i))) > 0 {
		v, why := size(t.field(i))
		r.job.Memory = v
		if why != "" {
			t.bad(r, i, why)
		}
	}
}

// fillShape reads how the gang may be spread.
func (t *jobTable) fillShape(r *row) {
	for _, f := range []struct {
		c  int
		to *int
	}{{colPerNode, &r.job.GPUsPerNode}, {colNodes, &r.job.Nodes}, {colMaxNodes, &r.job.MaxNodes}} {
		i := t.col[f.c]
		if i < 0 || len(trim(t.field(i))) == 0 {
			continue
		}
		v, why := whole(t.field(i))
		switch {
		case why != "":
		case v < 0:
			why = "negative"
		case v > math.MaxInt32:
			why = "out-of-range"
		}
		if why != "" {
			t.bad(r, i, why)
			continue
		}
		*f.to = int(v)
	}
}

// fillStatus reads how the job ended, which decides whether there is anything
// to replay.
func (t *jobTable) fillStatus(r *row) {
	word := strings.ToLower(string(t.text(colStatus)))
	r.recorded = word
	switch word {
	case "rejected":
		r.skip("never-started", "the job was rejected and never ran")
		return
	case "unfinished", "running":
		r.status = "unfinished"
		r.skip("still-running", "the job had not ended; its run time is not known")
		return
	case "pending", "queued":
		r.skip("never-started", "the job had not started")
		return
	case "", "completed", "complete", "pass", "passed", "success", "succeeded", "ok":
		if word != "" {
			r.status = "completed"
		}
	case "failed", "fail", "failure":
		r.outcome("failed")
	case "cancelled", "canceled", "killed":
		r.outcome("cancelled")
		if !r.hasRun {
			r.skip("cancelled-before-start", "the job was cancelled and never ran")
		}
	default:
		r.note("unknown-state", t.at(t.col[colStatus]), "%s is not a known state; the job is taken to complete", quoted(t.text(colStatus)))
	}
	if !r.hasRun {
		r.skip("never-started", "there is no run time: the job never ran")
	}
}

// size reads bytes: a bare number, or one with a unit (GiB = 2^30, GB = 10^9).
func size(b []byte) (int64, string) {
	b = trim(b)
	scale := int64(1)
	for _, u := range []struct {
		name string
		size int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}} {
		if strings.HasSuffix(string(b), u.name) {
			b, scale = trim(b[:len(b)-len(u.name)]), u.size
			break
		}
	}
	v, why := decimal(b, 3)
	switch {
	case why != "":
		return 0, why
	case v < 0:
		return 0, "negative"
	case v > math.MaxInt64/scale:
		return 0, "out-of-range"
	}
	return v * scale / 1000, ""
}
