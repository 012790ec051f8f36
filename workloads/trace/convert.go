package trace

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// Targets are the formats that Convert writes.
func Targets() []string { return []string{"native", "csv", "swf"} }

// Convert writes the jobs of a trace in another format, on the run's clock
// (after shift and scale): native and csv as the jobs table of a run folder,
// swf as 18 fields a job with a header. What a format has no words for is left
// out; Losses says what.
func Convert(t *Trace, to string, w io.Writer) error {
	if !contains(Targets(), to) {
		return fmt.Errorf("trace: convert: %w", unknownWord("cannot write format", to, Targets()))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	write := writeTable
	if to == "swf" {
		write = writeSWF
	}
	if err := write(t, out); err != nil {
		return fmt.Errorf("trace: convert: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("trace: convert: %w", err)
	}
	return nil
}

// Loss is something that a format cannot say, and of how many jobs.
type Loss struct {
	What string `json:"what"`
	Jobs int64  `json:"jobs"`
}

// Losses counts what Convert would leave out.
func Losses(t *Trace, to string) ([]Loss, error) {
	if !contains(Targets(), to) {
		return nil, fmt.Errorf("trace: convert: %w", unknownWord("cannot write format", to, Targets()))
	}
	swf := to == "swf"
	kinds := []struct {
		what string
		is   func(j *workloads.Job) bool
	}{
		{"node selectors", func(j *workloads.Job) bool { return len(j.NodeSelector) > 0 }},
		{"dependencies and arrays", func(j *workloads.Job) bool { return len(j.DependsOn) > 0 || j.Array != "" }},
		{"deadlines and checkpoints", func(j *workloads.Job) bool { return j.HasDeadline || j.Checkpoint != nil }},
		{"jobs without GPUs (left out)", func(j *workloads.Job) bool { return swf && j.GPUs == 0 }},
		{"shares of a GPU (written as a whole one)", func(j *workloads.Job) bool { return swf && j.GPUs > 0 && j.Share < 1000 }},
		{"GPU types", func(j *workloads.Job) bool { return swf && len(j.GPUTypes) > 0 }},
		{"shapes of gangs", func(j *workloads.Job) bool { return swf && (j.GPUsPerNode > 0 || j.Nodes > 0 || j.MaxNodes > 0) }},
		{"CPU cores", func(j *workloads.Job) bool { return swf && j.CPUMilli > 0 }},
		{"priorities", func(j *workloads.Job) bool { return swf && j.Priority != 0 }},
		{"kinds and partitions", func(j *workloads.Job) bool { return swf && (j.Kind != "" || j.Partition != "") }},
		{"ids (replaced by numbers)", func(j *workloads.Job) bool { _, why := whole([]byte(j.ID)); return swf && why != "" }},
	}
	count := make([]int64, len(kinds))
	err := eachJob(t, func(j *workloads.Job) error {
		for i, k := range kinds {
			if k.is(j) {
				count[i]++
			}
		}
		return nil
	})
	var list []Loss
	for i, n := range count {
		if n > 0 {
			list = append(list, Loss{kinds[i].what, n})
		}
	}
	return list, err
}

// eachJob visits the jobs in order.
func eachJob(t *Trace, visit func(j *workloads.Job) error) error {
	src, err := t.Jobs()
	if err != nil {
		return err
	}
	if c, ok := src.(io.Closer); ok {
		defer c.Close()
	}
	for {
		j, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(j); err != nil {
			return err
		}
	}
}

// runLength is the time a job runs, until it ends or is made to.
func runLength(j *workloads.Job) event.Time {
	if j.Outcome != workloads.OutcomeOK {
		return min(j.OutcomeAfter, j.Duration)
	}
	return j.Duration
}

// writeTable writes the native format.
func writeTable(t *Trace, w io.Writer) error {
	out := csv.NewWriter(w)
	var columns []string
	for c, name := range nativeColumns {
		if name != "" && c != colMIG {
			columns = append(columns, name)
		}
	}
	if err := out.Write(columns); err != nil {
		return err
	}
	record := make([]string, 0, len(columns))
	err := eachJob(t, func(j *workloads.Job) error {
		record = record[:0]
		for c, name := range nativeColumns {
			if name != "" && c != colMIG {
				record = append(record, cell(j, c))
			}
		}
		return out.Write(record)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// cell is the text of a column, "" where the job says nothing.
func cell(j *workloads.Job, c int) string {
	number := func(v int64, places int) string {
		if v == 0 {
			return ""
		}
		return string(fixed(v, places))
	}
	switch c {
	case colID:
		return j.ID
	case colName:
		return j.Name
	case colUser:
		return j.User
	case colTenant:
		return j.Tenant
	case colQueue:
		return j.Queue
	case colPartition:
		return j.Partition
	case colKind:
		return j.Kind
	case colSubmit:
		return string(seconds(j.Submit))
	case colDuration:
		return string(seconds(runLength(j)))
	case colGPUs:
		return string(fixed(int64(j.GPUs), 0))
	case colFraction:
		if j.GPUs == 1 && j.Share < 1000 {
			return string(fixed(int64(j.Share), 3))
		}
	case colGPUType:
		return strings.Join(j.GPUTypes, "|")
	case colPerNode:
		return number(int64(j.GPUsPerNode), 0)
	case colNodes:
		return number(int64(j.Nodes), 0)
	case colMaxNodes:
		return number(int64(j.MaxNodes), 0)
	case colCPUs:
		return number(j.CPUMilli, 3)
	case colMemory:
		return number(j.Memory, 0)
	case colLimit:
		if j.HasLimit {
			return string(seconds(j.TimeLimit))
		}
	case colPriority:
		return number(j.Priority, 0)
	case colWait:
		if j.HasRecordedWait {
			return string(seconds(j.RecordedWait))
		}
	case colStatus:
		switch j.Outcome {
		case workloads.OutcomeFail:
			return "failed"
		case workloads.OutcomeCancel:
			return "cancelled"
		}
		return "completed"
	}
	return ""
}
