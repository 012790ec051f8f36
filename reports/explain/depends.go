package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/sim/event"
	"gpusim/workloads/document"
)

// maxScenario is how large a scenario may be to be searched for what a job
// depends on; more would take much memory for few words.
const maxScenario = 16 << 20

// hold words the time in which dependencies kept the job out of the queue.
func (l *Life) hold(run *folder.Run) {
	if l.Submit == nil || l.Status == "rejected" || l.Eligible != nil && *l.Eligible <= *l.Submit {
		return
	}
	h := &Hold{From: *l.Submit, To: l.Eligible}
	if n := l.written(run); n != nil {
		if d := n.Get("depends_on"); d != nil {
			if d.Kind == document.Scalar {
				h.Needs = append(h.Needs, d.Text)
			}
			for _, i := range d.Items {
				h.Needs = append(h.Needs, i.Text)
			}
		}
	}
	h.Text, _ = find(waiting(), "dependency")
	if len(h.Needs) > 0 {
		h.Text = "waits for " + listed(h.Needs)
	}
	if l.Status == "cancelled" && l.End != nil {
		h.To = l.End
	}
	l.Held = h
}

// listed shortens a long list.
func listed(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// throttle is how many elements of the job's array may be in the queue or run
// at once; 0 = any number, or the job is no element.
func (l *Life) throttle(run *folder.Run) int {
	if arrayOf(l.Job) == "" {
		return 0
	}
	n := l.written(run)
	if n == nil || n.Get("array") == nil {
		return 0
	}
	_, most, _ := strings.Cut(n.Get("array").Text, "%")
	k, err := strconv.Atoi(strings.TrimSpace(most))
	if err != nil {
		return 0
	}
	return k
}

// turn returns when an element of a throttled array joined the queue; false if
// it did so at once. Elements take their turns in order, each when one that
// went before ends, so the m-th waits for the (m-k)-th end.
func (l *Life) turn(run *folder.Run) (Seconds, bool, error) {
	k := l.throttle(run)
	if k == 0 {
		return 0, false, nil
	}
	c := columns{}
	array, before, found := arrayOf(l.Job), 0, false
	var ends []Seconds
	err := run.Scan("jobs", func(r table.Row) error {
		id := c.text(r, "job_id")
		if arrayOf(id) != array {
			return nil
		}
		if found = found || id == l.Job; !found {
			before++
		}
		if end := c.seconds(r, "end_s"); end != nil {
			ends = append(ends, *end)
		}
		return nil
	})
	if err != nil || before < k {
		return 0, false, err
	}
	slices.Sort(ends)
	if before-k >= len(ends) {
		return Seconds(event.Never), true, nil
	}
	return ends[before-k], true, nil
}

// arrayOf is the array that an id like array_12 is an element of.
func arrayOf(id string) string {
	i := strings.LastIndexByte(id, '_')
	if i < 1 || i == len(id)-1 || strings.Trim(id[i+1:], "0123456789") != "" {
		return ""
	}
	return id[:i]
}

// written finds the job, or the array it is an element of, in the scenario;
// nil if it is not written there.
func (l *Life) written(run *folder.Run) *document.Node {
	path := filepath.Join(run.Dir(), "scenario.yaml")
	if info, err := os.Stat(path); err != nil || info.Size() > maxScenario {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	n, err := document.Parse(path, data)
	if err != nil || n.Get("workload") == nil || n.Get("workload").Get("jobs") == nil {
		return nil
	}
	array := arrayOf(l.Job)
	for _, j := range n.Get("workload").Get("jobs").Items {
		id := j.Get("id")
		if id != nil && (id.Text == l.Job || id.Text == array && j.Get("array") != nil) {
			return j
		}
	}
	return nil
}

// words is the request as far as the table of jobs tells it.
func (f *facts) words(l *Life) string {
	if f.gpus == "" {
		return ""
	}
	s := f.gpus + " GPUs"
	switch {
	case f.gpus == "1":
		s = "1 GPU"
	case strings.HasPrefix(f.gpus, "0."):
		s = f.gpus + " of a GPU"
	case f.gpus == "0":
		s = "no GPU"
	}
	if f.cpus != "" {
		s += ", " + f.cpus + " CPU cores"
	}
	if f.memory != "" {
		s += ", " + f.memory + " bytes of memory"
	}
	var where []string
	if l.Partition != "" {
		where = append(where, "partition "+l.Partition)
	}
	if l.Start == nil && f.gpuType != "" {
		where = append(where, "GPU "+strings.ReplaceAll(f.gpuType, "|", " or "))
	}
	if len(where) > 0 {
		s += " (" + strings.Join(where, ", ") + ")"
	}
	return s
}
