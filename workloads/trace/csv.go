package trace

import (
	"fmt"
	"io"
	"strings"
)

// The csv format is any table with a header and a job a row. The option columns
// says which column holds what: columns: {id: jobid, submit: timestamp,
// duration: duration, gpus: num_gpus}. What is not mapped is looked for under
// its own name, but for names that often mean something else (onlyMapped);
// submit, gpus, and duration or start and end must be found.
// Without an id the number of the row is the job's id. Columns that nothing
// maps are noted (unknown-column).
//
// Keys: id, name, user, tenant, queue, partition, kind, submit, start, end,
// duration, gpus, gpu_fraction, gpu_type, gpus_per_node, nodes, max_nodes,
// cpus (cores), memory (bytes, or with a unit: 80GiB), time_limit, priority,
// wait, status.
//
// The option time_format says how submit, start and end are written; where it
// is a unit (seconds, milliseconds, ...) lengths are in it too, otherwise
// lengths are seconds. Stamps without an offset are in timezone (UTC if not
// given). Sentinels, status and reasons are those of the native format, and:
// bad-time, time-backwards (end before start); noted: start-before-submit,
// ambiguous-time and no-such-time (around clock changes).
func csvFormat() Format {
	return Format{
		Name:   "csv",
		Doc:    "any table of jobs with a header; the option columns says which column holds what",
		Sample: "jobs.csv",
		extra:  []string{"columns", "time_format", "timezone"},
		names:  []string{"gpu_type", "user", "tenant", "queue", "partition", "kind"},
		open:   openCSV,
	}
}

// onlyMapped are the keys that count only if the option columns names them.
var onlyMapped = []string{"start", "end", "partition", "nodes", "max_nodes", "wait", "mig"}

func openCSV(r io.Reader, e *env) (reader, error) {
	clock, err := newClockFormat(e.opt.TimeFormat, e.opt.Timezone)
	if err != nil {
		return nil, err
	}
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	c := &jobTable{table: t, env: e, clock: clock}
	for i, key := range jobColumns {
		name, mapped := e.opt.Columns[key]
		if !mapped {
			if name = key; contains(onlyMapped, key) {
				c.col[i] = -1
				continue
			}
		}
		c.col[i] = t.column(name)
		if mapped && c.col[i] < 0 {
			return nil, noColumn(t, name)
		}
	}
	for _, i := range []int{colSubmit, colGPUs} {
		if c.col[i] < 0 {
			return nil, unmapped(t, jobColumns[i])
		}
	}
	if c.col[colDuration] < 0 && (c.col[colStart] < 0 || c.col[colEnd] < 0) {
		return nil, unmapped(t, "duration")
	}
	c.finish()
	c.head.clock = clock.clock(e.opt.Timezone != "")
	if clock.layout != "" {
		c.head.hasOrigin, c.head.zone, c.head.layout = true, clock.zone, clock.layout
	}
	return c, nil
}

// unmapped is the error of a table that nothing says how to read.
func unmapped(t *table, key string) error {
	return &placeError{line: t.lineNo, column: 1, message: fmt.Sprintf(
		"which column is %s? name it with the option columns: {%s: NAME} (the header has: %s)", key, key, strings.Join(t.header, ", "))}
}

// clock states what the times mean.
func (f *clockFormat) clock(byOption bool) Clock {
	const unix = "1970-01-01T00:00:00Z"
	switch {
	case f.layout == "":
		return Clock{}
	case f.zoned:
		return newClock(unix, "", "stamps")
	case byOption:
		return newClock(unix, f.zone.loc.String(), "option")
	}
	return newClock(unix, f.zone.loc.String(), "format default")
}
