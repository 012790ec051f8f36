package explain

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"gpusim/hardware/units"
	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/sim/event"
)

// facts are columns of jobs that only serve to put the request in words.
type facts struct {
	gpus, gpuType, cpus, memory string
}

var errFound = errors.New("found")

// columns finds columns of a table by name and remembers where they are.
type columns map[string]int

func (c columns) of(r table.Row, name string) int {
	i, ok := c[name]
	if !ok {
		i = r.Column(name)
		c[name] = i
	}
	return i
}

func (c columns) text(r table.Row, name string) string {
	if i := c.of(r, name); i >= 0 {
		return r.Text(i)
	}
	return ""
}

func (c columns) int(r table.Row, name string) *int64 {
	if i := c.of(r, name); i >= 0 {
		if v, ok := r.Int(i); ok {
			return &v
		}
	}
	return nil
}

func (c columns) seconds(r table.Row, name string) *Seconds {
	if i := c.of(r, name); i >= 0 {
		if v, ok := r.Seconds(i); ok {
			s := Seconds(v)
			return &s
		}
	}
	return nil
}

func zero(v *int64) int64 {
	if v == nil {
		return 0
	}
	return *v
}

// number is a cell as a JSON number; an absent one is 0.
func (c columns) number(r table.Row, name string) json.Number {
	if t := c.text(r, name); t != "" {
		return json.Number(t)
	}
	return "0"
}

// readJob reads the job's row and reports whether there is a table of jobs.
func (l *Life) readJob(run *folder.Run, makespan *json.Number) (bool, error) {
	c := columns{}
	first := true
	err := run.Scan("jobs", func(r table.Row) error {
		if first && makespan != nil {
			if s := c.seconds(r, "submit_s"); s != nil {
				if d, err := units.ParseDuration(makespan.String()); err == nil {
					end := event.Time(*s) + d
					l.runEnd = &end
				}
			}
		}
		first = false
		if c.text(r, "job_id") != l.Job {
			return nil
		}
		l.Name, l.User, l.Tenant = c.text(r, "name"), c.text(r, "user"), c.text(r, "tenant")
		l.Queue, l.Partition, l.Kind = c.text(r, "queue"), c.text(r, "partition"), c.text(r, "kind")
		l.Submit, l.Eligible = c.seconds(r, "submit_s"), c.seconds(r, "eligible_s")
		l.Start, l.End = c.seconds(r, "start_s"), c.seconds(r, "end_s")
		l.TimeLimit, l.Priority = c.seconds(r, "time_limit_s"), zero(c.int(r, "priority"))
		l.Status, l.Reason = c.text(r, "status"), c.text(r, "reason")
		if g := c.int(r, "group"); g != nil {
			l.group = *g
		}
		l.facts = facts{c.text(r, "gpus"), c.text(r, "gpu_type"), c.text(r, "cpus"), c.text(r, "memory_bytes")}
		t := &l.Totals
		t.Wait, t.Run, t.JCT = c.seconds(r, "wait_s"), c.seconds(r, "run_s"), c.seconds(r, "jct_s")
		t.Attempts, t.Preemptions = zero(c.int(r, "attempts")), zero(c.int(r, "preemptions"))
		t.Productive, t.Lost, t.Overhead = c.number(r, "productive_gpu_s"), c.number(r, "lost_gpu_s"), c.number(r, "overhead_gpu_s")
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return true, nil
	case err != nil:
		return false, l.lacks(err, "jobs", "when the job was submitted, why it waited and how it ended is not known, only where it ran")
	}
	return true, l.unknown(run, true)
}

// readAttempts reads the stretches on GPUs and reports whether there is a table
// of them.
func (l *Life) readAttempts(run *folder.Run) (bool, error) {
	c := columns{}
	err := run.Scan("attempts", func(r table.Row) error {
		if c.text(r, "job_id") != l.Job {
			return nil
		}
		a := Attempt{Number: zero(c.int(r, "attempt")), Reason: c.text(r, "reason"), Nodes: c.text(r, "nodes"), GPUIndex: c.text(r, "gpu_index"),
			GPUs: c.number(r, "gpus"), Productive: c.number(r, "productive_gpu_s"), Lost: c.number(r, "lost_gpu_s"), Overhead: c.number(r, "overhead_gpu_s")}
		if s, e := c.seconds(r, "start_s"), c.seconds(r, "end_s"); s != nil && e != nil {
			a.Start, a.End = *s, *e
		}
		if i := c.of(r, "mean_rate"); i >= 0 {
			if v, ok := r.Float(i); ok {
				a.MeanRate = &v
			}
		}
		a.Text = stopSentence(a.Reason)
		l.Attempts = append(l.Attempts, a)
		return nil
	})
	if err != nil {
		return false, l.lacks(err, "attempts", "where and how often the job ran is known only from the table jobs")
	}
	slices.SortStableFunc(l.Attempts, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
	return true, nil
}

// unknown is the error for a job that is not in the run.
func (l *Life) unknown(run *folder.Run, readable bool) error {
	if !readable {
		return errors.New("the run wrote neither the table jobs nor attempts (reports.tables left them out): nothing is known of any job")
	}
	const keep = 3
	type near struct {
		id   string
		dist int
	}
	var best []near
	jobs := 0
	word := strings.ToLower(l.Job)
	look := func(r table.Row) error {
		jobs++
		id := r.Text(r.Column("job_id"))
		if d := distance(word, strings.ToLower(id)); d >= 0 && !slices.ContainsFunc(best, func(n near) bool { return n.id == id }) {
			best = append(best, near{id, d})
			slices.SortStableFunc(best, func(a, b near) int { return cmp.Compare(a.dist, b.dist) })
			best = best[:min(len(best), keep)]
		}
		return nil
	}
	err := run.Scan("jobs", look)
	if errors.Is(err, folder.ErrNoTable) {
		err = run.Scan("attempts", look)
	}
	if err != nil {
		return err
	}
	e := NotFound{Job: l.Job, Jobs: jobs}
	for _, n := range best {
		e.Near = append(e.Near, n.id)
	}
	return e
}

// distance is how far an id is from a word, -1 if it is not like it. An element
// of the array that the word names is near.
func distance(word, id string) int {
	if rest, ok := strings.CutPrefix(id, word+"_"); ok && strings.Trim(rest, "0123456789") == "" {
		return 0
	}
	limit := 1 + len(word)/4
	if d := len(word) - len(id); d > limit || -d > limit {
		return -1
	}
	if d := levenshtein.ComputeDistance(word, id); d <= limit {
		return d
	}
	return -1
}
