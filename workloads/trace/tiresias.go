package trace

import "io"

// The tiresias format is the job list of the Tiresias simulator (NSDI 2019;
// SymbioticLab/Tiresias, simulator/60_job.csv): a table with the columns, by
// name,
//
//	job_id, num_gpu
//	submit_time   seconds
//	duration      run time in seconds once all GPUs are held
//	model_name    the job's name
//	iterations, interval   not read: the simulator replays times, and interval
//	              only repeats the distance to the next submission
//
// of which job_id, num_gpu, submit_time and duration must be there. There are
// no sentinels and no states: every job completes.
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing,
// not-a-number, out-of-range, negative, bad-quantity, duplicate-id; skipped:
// never-started (no duration); noted: out-of-order, unknown-column; repaired:
// encoding.
func tiresiasFormat() Format {
	return Format{
		Name:   "tiresias",
		Doc:    "job list of the Tiresias simulator (60_job.csv)",
		Sample: "60_job.csv",
		open:   openTiresias,
	}
}

func openTiresias(r io.Reader, e *env) (reader, error) {
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	j := &jobTable{table: t, env: e}
	if j.clock, err = newClockFormat("", ""); err != nil {
		return nil, err
	}
	for c := range j.col {
		j.col[c] = -1
	}
	for _, m := range []struct {
		c    int
		name string
	}{{colID, "job_id"}, {colGPUs, "num_gpu"}, {colSubmit, "submit_time"}, {colDuration, "duration"}} {
		if j.col[m.c] = t.column(m.name); j.col[m.c] < 0 {
			return nil, noColumn(t, m.name)
		}
	}
	j.col[colName] = t.column("model_name")
	j.finish("iterations", "interval")
	return j, nil
}
