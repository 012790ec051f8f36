package trace

import (
	"fmt"
	"io"
)

// JobRow is one record as `trace inspect --jobs` shows it: every record with an
// id, also one that was set aside (its fate and the notes say why). Times are
// on the trace's clock; what the log does not tell is null.
type JobRow struct {
	ID     string  `json:"id"`
	File   string  `json:"file"`
	Line   int64   `json:"line"`
	Fate   Action  `json:"fate"` // accepted, rejected, skipped
	Submit Decimal `json:"submit_s"`
	Start  Decimal `json:"start_s"`
	End    Decimal `json:"end_s"`
	Wait   Decimal `json:"wait_s"`
	// Run is last end - first start, Busy the time on GPUs: they differ where a
	// job had several attempts.
	Run  Decimal `json:"run_s"`
	Busy Decimal `json:"busy_s"`
	// GPUs is what the job asked: 0.46 for a share of one GPU.
	GPUs       Decimal  `json:"gpus"`
	GPUSeconds Decimal  `json:"gpu_s"`
	Slices     *int64   `json:"slices"` // MIG slices; null where the log knows none
	GPUTypes   []string `json:"gpu_types"`
	CPUs       Decimal  `json:"cpus"`
	Memory     *int64   `json:"memory_bytes"`
	User       *string  `json:"user"`
	Tenant     *string  `json:"tenant"`
	Queue      *string  `json:"queue"`
	// Status is completed, failed, cancelled or unfinished; Recorded the log's
	// own word.
	Status        *string  `json:"status"`
	Recorded      *string  `json:"recorded_status"`
	TimeLimit     Decimal  `json:"time_limit_s"`
	LimitExceeded *bool    `json:"limit_exceeded"`
	Eligible      []string `json:"eligible_nodes"`
	Notes         []string `json:"notes"`
}

// Accepted is the fate of a record that became a job.
const Accepted Action = "accepted"

// JobRows reads the trace again and returns a row for every record with an id,
// in the order of the file. With a cluster each row lists the nodes that could
// hold the job.
func (t *Trace) JobRows(on *Cluster) ([]JobRow, error) {
	rows := []JobRow{}
	c := t.cursor(nil)
	defer c.close()
	fits := map[string]fit{}
	var r row
	for {
		err := c.next(&r)
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		if len(r.id) == 0 {
			continue
		}
		row := r.show(t.about.has)
		switch {
		case on == nil || t.format.Nodes || !r.hasGPUs:
		case r.gpuMilli > 0 && r.job.GPUs == 0: // it asks for what nobody can give
			row.Eligible = []string{}
		default:
			f := on.fit(&r, fits)
			row.Eligible = f.nodes
			if f.why != "" {
				row.Notes = append(row.Notes, f.why)
			}
		}
		rows = append(rows, row)
	}
}

// fit is the answer of Cluster.Eligible, kept for jobs of the same shape.
type fit struct {
	nodes []string
	why   string
}

func (c *Cluster) fit(r *row, known map[string]fit) fit {
	j := &r.job
	key := fmt.Sprint(j.GPUs, j.GPUsPerNode, j.Nodes, j.CPUMilli, j.Memory, r.typesKey)
	f, ok := known[key]
	if !ok {
		f.nodes, f.why = c.Eligible(j)
		known[key] = f
	}
	return f
}

// show turns the row into one for people and scripts.
func (r *row) show(has fields) JobRow {
	j := &r.job
	o := JobRow{ID: r.fullID(), File: r.path, Line: r.line, Fate: r.fate, GPUTypes: append([]string{}, j.GPUTypes...), Notes: []string{}}
	switch {
	case r.tooBig:
		o.Fate = Rejected
	case o.Fate == "":
		o.Fate = Accepted
	}
	if r.hasSubmit {
		o.Submit = seconds(j.Submit)
	}
	if r.hasStart {
		o.Start = seconds(r.start)
	}
	if r.hasEnd {
		o.End = seconds(r.end)
	}
	if r.hasWait {
		o.Wait = seconds(r.wait)
	}
	if r.hasRun {
		o.Run = seconds(r.run)
	}
	if r.hasBusy {
		o.Busy = seconds(r.busy)
	}
	if r.hasGPUs {
		o.GPUs = fixed(r.gpuMilli, 3)
	}
	if r.hasSlices {
		n := r.slices
		o.Slices = &n
	}
	if r.hasGPUTime {
		o.GPUSeconds = r.gpuTime.gpuSeconds()
	}
	if j.CPUMilli > 0 || r.hasSize {
		o.CPUs = fixed(j.CPUMilli, 3)
	}
	if j.Memory > 0 || r.hasSize {
		m := j.Memory
		o.Memory = &m
	}
	o.User, o.Recorded, o.Status = text(j.User), text(r.recorded), text(r.status)
	if has.tenant {
		s := j.Tenant
		o.Tenant = &s
	}
	if has.queue {
		s := j.Queue
		o.Queue = &s
	}
	if j.HasLimit {
		o.TimeLimit = seconds(j.TimeLimit)
		if r.hasRun {
			over := r.run > j.TimeLimit
			o.LimitExceeded = &over
		}
	}
	for _, i := range r.issues {
		o.Notes = append(o.Notes, i.reason+": "+i.message)
	}
	return o
}
