package trace

import (
	"fmt"
	"io"

	"gpusim/workloads"
)

// numbering gives numbers to names, from 1 in order of appearance; no name is
// -1.
type numbering struct {
	of    map[string]int64
	names []string
}

func (n *numbering) number(name string) int64 {
	if name == "" {
		return -1
	}
	v, known := n.of[name]
	if !known {
		n.names = append(n.names, name)
		v = int64(len(n.names))
		n.of[name] = v
	}
	return v
}

// writeSWF writes the Standard Workload Format; a processor is a GPU.
func writeSWF(t *Trace, w io.Writer) error {
	users, groups, programs, queues := &numbering{of: map[string]int64{}}, &numbering{of: map[string]int64{}}, &numbering{of: map[string]int64{}}, &numbering{of: map[string]int64{}}
	var jobs, left, shares int64
	err := eachJob(t, func(j *workloads.Job) error { // once for the header
		if j.GPUs == 0 {
			left++
			return nil
		}
		jobs++
		if j.Share < 1000 {
			shares++
		}
		users.number(j.User)
		groups.number(j.Tenant)
		programs.number(j.Name)
		queues.number(j.Queue)
		return nil
	})
	if err != nil {
		return err
	}
	if err := t.swfHeader(w, jobs, left, shares); err != nil {
		return err
	}
	for _, list := range []struct {
		what string
		*numbering
	}{{"user", users}, {"group", groups}, {"executable", programs}, {"queue", queues}} {
		for i, name := range list.names {
			if _, err := fmt.Fprintf(w, ";%s %d = %q\n", list.what, i+1, name); err != nil {
				return err
			}
		}
	}
	n := int64(0)
	return eachJob(t, func(j *workloads.Job) error {
		if j.GPUs == 0 {
			return nil
		}
		n++
		wait, limit, memory, status := Decimal("-1"), Decimal("-1"), int64(-1), 1
		if j.HasRecordedWait {
			wait = seconds(j.RecordedWait)
		}
		if j.HasLimit {
			limit = seconds(j.TimeLimit)
		}
		if j.Memory > 0 {
			memory = j.Memory / 1024 / int64(j.GPUs)
		}
		switch j.Outcome {
		case workloads.OutcomeFail:
			status = 0
		case workloads.OutcomeCancel:
			status = 5
		}
		_, err := fmt.Fprintf(w, "%d %s %s %s %d -1 -1 %d %s %d %d %d %d %d %d -1 -1 -1\n", n, seconds(j.Submit), wait, seconds(runLength(j)), j.GPUs, j.GPUs, limit, memory, status,
			users.number(j.User), groups.number(j.Tenant), programs.number(j.Name), queues.number(j.Queue))
		return err
	})
}

// swfHeader writes what is known of all jobs.
func (t *Trace) swfHeader(w io.Writer, jobs, left, shares int64) error {
	lines := []string{"; Version: 2.2", "; Conversion: gpusim, from the format " + t.format.Name, fmt.Sprintf("; MaxJobs: %d", jobs), fmt.Sprintf("; MaxRecords: %d", jobs)}
	if t.about.hasOrigin && t.opt.Scale.Submit == nil {
		start := t.about.origin
		if !t.scale.keep {
			start += t.tally.first
		}
		if start >= 0 {
			lines = append(lines, "; UnixStartTime: "+string(seconds(start)))
		}
	}
	lines = append(lines, "; Note: a processor is a GPU")
	if left > 0 {
		lines = append(lines, fmt.Sprintf("; Note: %d jobs without GPUs are left out", left))
	}
	if shares > 0 {
		lines = append(lines, fmt.Sprintf("; Note: %d jobs that share a GPU are written with a whole one", shares))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return err
		}
	}
	return nil
}
