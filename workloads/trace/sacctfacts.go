package trace

import "gpusim/sim/event"

// execution is what is kept of a job id: when it was first submitted, when its
// last execution ended, and how many there were.
type execution struct {
	first, end event.Time
	n          int64
}

// requeued is a job with several executions, for the report.
type requeued struct {
	ID         string  `json:"id"`
	Executions int64   `json:"executions"`
	First      Decimal `json:"first_submit_s"`
	End        Decimal `json:"last_end_s"`
	Turnaround Decimal `json:"turnaround_s"`
}

// count adds a row to the totals.
func (s *sacctReader) count(r *row, state slurmState, array arrayID, waits bool) {
	t := s.env.log
	t.count(r, state)
	if waits && !r.hasStart && r.status != "cancelled" {
		t.elements += array.elements
		t.waitingGPUs += int64(r.job.GPUs)
	}
	if !s.env.opt.Inspect || !r.hasStart {
		return
	}
	h := idHash(r.id)
	x, again := t.seen[h]
	if !again {
		x.first = r.job.Submit
	}
	x.first, x.end = min(x.first, r.job.Submit), max(x.end, r.end)
	if x.n++; x.n == 2 && len(t.repeated) < samples {
		t.repeated = append(t.repeated, clean(r.id))
	}
	t.seen[h] = x
}

// describeSacct adds what the log says as a whole.
func describeSacct(t *Trace, rep *Report) {
	log := t.env.log
	log.describe(rep)
	rep.Facts.set("pending_array_elements", log.elements)
	rep.Facts.set("pending_array_gpus", log.waitingGPUs)
	rep.Facts.set("gpus_tracked", log.tracked)
	if !log.tracked && rep.Records > 0 {
		rep.remark("unknown-gpu", rep.path(t), "no resource string speaks of GPUs: either no job had one, or the cluster does not count them (AccountingStorageTRES=gres/gpu)")
	}
	if !t.opt.Inspect {
		return
	}
	list := []requeued{}
	for _, id := range log.repeated {
		x := log.seen[idHash([]byte(id))]
		list = append(list, requeued{id, x.n, seconds(x.first), seconds(x.end), seconds(x.end - x.first)})
	}
	rep.Facts.set("requeued", list)
}

// path is the first file of the trace.
func (r *Report) path(t *Trace) string {
	if len(t.inputs) == 0 {
		return ""
	}
	return t.inputs[0].path
}

// remark adds an issue that concerns the trace as a whole; issues stay in
// order.
func (r *Report) remark(reason, file, message string) {
	x := Issue{Reason: reason, Action: Noted, Count: 1, At: []Place{{File: file, Message: message}}}
	at := len(r.Issues)
	for at > 0 && r.Issues[at-1].Action == Noted && r.Issues[at-1].Reason > reason {
		at--
	}
	r.Issues = append(r.Issues[:at:at], append([]Issue{x}, r.Issues[at:]...)...)
}
