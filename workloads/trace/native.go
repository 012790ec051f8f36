package trace

import (
	"fmt"
	"io"
	"strings"
)

// The native format is the jobs table of a run folder (jobs.csv), so that the
// jobs of any run are a trace.
//
// Columns, by name and in any order: job_id, submit_s, run_s and gpus must be
// there. Read where present: name, user, tenant, queue, partition, kind,
// gpu_type (several joined by |), gpu_fraction (a share of one GPU),
// gpus_per_node, num_nodes, max_nodes, cpus, memory_bytes, time_limit_s,
// priority, recorded_wait_s, status. The other columns of a run folder tell
// what became of the job in that run and are not part of its description; they
// are noted (unused-column), unknown ones too (unknown-column).
//
// Sentinels: an empty cell is an absent value. A time limit or a wait of -1 is
// none. submit_s may be negative under shift: zero.
//
// status: completed, failed (the job fails after run_s) and cancelled (after
// run_s) are replayed; rejected is skipped as never-started, unfinished as
// still-running; an empty run_s is a job that never ran (never-started,
// cancelled-before-start).
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing,
// not-a-number, out-of-range, negative, bad-quantity, unsupported (a MIG
// profile), duplicate-id, never-started, still-running, cancelled-before-start;
// noted: out-of-order, limit-exceeded, unknown-state, unknown-column,
// unused-column; repaired: encoding.
func nativeFormat() Format {
	return Format{
		Name:   "native",
		Doc:    "the jobs table of a run folder (jobs.csv): job_id, submit_s, run_s, gpus",
		Sample: "jobs.csv",
		names:  []string{"gpu_type", "user", "tenant", "queue", "partition", "kind"},
		open:   openNative,
	}
}

// nativeColumns are the columns of a run folder, in the order of the constants.
var nativeColumns = [colCount]string{"job_id", "name", "user", "tenant", "queue", "partition", "kind", "submit_s", "", "",
	"run_s", "gpus", "gpu_fraction", "gpu_type", "gpus_per_node", "num_nodes", "max_nodes", "cpus", "memory_bytes", "time_limit_s",
	"priority", "recorded_wait_s", "status", "mig"}

// resultColumns tell what became of a job in a run.
var resultColumns = []string{"group", "eligible_s", "start_s", "end_s", "wait_s", "jct_s", "reason", "attempts", "preemptions",
	"productive_gpu_s", "lost_gpu_s", "overhead_gpu_s", "degraded_gpu_s", "nodes"}

func openNative(r io.Reader, e *env) (reader, error) {
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	n := &jobTable{table: t, env: e}
	if n.clock, err = newClockFormat("", ""); err != nil {
		return nil, err
	}
	for c, name := range nativeColumns {
		n.col[c] = -1
		if name != "" {
			n.col[c] = t.column(name)
		}
	}
	for _, c := range []int{colID, colSubmit, colDuration, colGPUs} {
		if n.col[c] < 0 {
			return nil, noColumn(t, nativeColumns[c])
		}
	}
	n.finish()
	for i, x := range n.head.notes {
		name := strings.TrimSuffix(strings.TrimPrefix(x.message, `column "`), `" is not read`)
		if contains(resultColumns, name) {
			n.head.notes[i].reason = "unused-column"
			n.head.notes[i].message = fmt.Sprintf("column %q tells what became of the job in a run; it is not read", name)
		}
	}
	return n, nil
}

// noColumn is the error of a column that must be there.
func noColumn(t *table, name string) error {
	hint := ""
	if len(t.header) == 1 && strings.ContainsAny(t.header[0], ";\t|") {
		hint = "; fields must be separated by commas"
	} else if looksLikeData(t) {
		hint = "; the first line looks like data, not like a header"
	} else {
		hint = nearest(name, t.header)
	}
	return &placeError{line: t.lineNo, column: 1, message: fmt.Sprintf("no column %q in the header (it has: %s)%s", name, cutList(t.header), hint)}
}

func looksLikeData(t *table) bool {
	for i := range t.fields {
		if _, why := decimal(t.field(i), 0); why == "" {
			return true
		}
	}
	return false
}

// cutList joins names up to a readable length.
func cutList(names []string) string {
	s := strings.Join(names, ", ")
	if len(s) > 300 {
		s = clean([]byte(s[:300])) + ", ..."
	}
	return s
}
