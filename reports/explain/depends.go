package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gpusim/reports/folder"
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

// throttled reports whether the job is an element of an array that limits how
// many run at once.
func (f *facts) throttled(l *Life, run *folder.Run) bool {
	if len(l.Waits) == 0 {
		return false
	}
	w := &l.Waits[0]
	if len(w.Reasons) > 0 && w.Reasons[0].From <= w.From {
		return false // no gap to explain
	}
	n := l.written(run)
	if n == nil {
		return false
	}
	a := n.Get("array")
	return a != nil && strings.Contains(a.Text, "%")
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
	array := l.Job
	if i := strings.LastIndexByte(l.Job, '_'); i > 0 && strings.Trim(l.Job[i+1:], "0123456789") == "" {
		array = l.Job[:i]
	}
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
