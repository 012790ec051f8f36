package trace

import (
	"math"

	"gpusim/workloads"
)

// piece is a part of a job that is handed on as a job of its own.
type piece struct{ gpus, share int }

// piecesMost is how many pieces a job may be handed on in.
const piecesMost = 1 << 20

// fill implements reader.
func (p *paiReader) fill(r *row) {
	if i := p.col[paiName]; i < len(p.fields) {
		r.id, r.idColumn = trim(p.field(i)), p.at(i)
	}
	if !p.well(r) {
		return
	}
	if len(r.id) == 0 {
		p.bad(r, p.col[paiName], "missing")
		return
	}
	job := p.env.pai.jobs[string(r.id)]
	if job != nil && r.tally != nil {
		job.listed = true
	}
	r.job.User = p.env.words.of(p.text(paiUser))
	status := p.text(paiStatus)
	r.recorded = p.env.words.of(status)
	submit, known := p.instant(r, paiStart)
	if known {
		r.job.Submit, r.hasSubmit = submit, true
	}
	end, hasEnd := p.instant(r, paiEnd)
	if job != nil {
		p.fillSize(r, job)
	}
	if r.fate != "" {
		return
	}
	if job != nil && job.hasStart {
		r.start, r.hasStart = job.start, true
		switch {
		case !r.hasSubmit:
		case r.start < r.job.Submit:
			r.note("start-before-submit", p.at(p.col[paiStart]), "its first task starts %s s before its submission; its wait is unknown", seconds(r.job.Submit-r.start))
		default:
			r.setWait(r.start - r.job.Submit)
		}
	} else {
		r.busy, r.hasBusy = 0, true
	}
	running := string(status) == "Running"
	if hasEnd && !running {
		if r.end, r.hasEnd = end, true; r.hasStart && end < r.start || r.hasSubmit && end < r.job.Submit {
			r.status = "failed"
			r.reject("time-backwards", p.at(p.col[paiEnd]), "ends at %s s, before its start", seconds(end))
			return
		}
		if r.hasStart {
			r.setRun(r.end - r.start)
		}
	}
	p.fillStatus(r, job)
}

// fillStatus decides whether there is anything to replay.
func (p *paiReader) fillStatus(r *row, job *paiJob) {
	column := p.at(p.col[paiStatus])
	switch r.recorded {
	case "Terminated":
		r.status = "completed"
	case "Failed":
		r.outcome("failed")
	case "Running", "Waiting":
		r.status = "unfinished"
	case "":
	default:
		r.note("unknown-state", column, "%s is not a known status; the job is taken to complete", quoted(p.text(paiStatus)))
	}
	switch {
	case job == nil && p.env.pai.path == "":
		r.skip("missing", "there is no task table, so nothing is known of what it asks for")
	case r.recorded == "Waiting", job != nil && !job.hasStart:
		r.skip("never-started", "none of its tasks was launched")
	case !r.hasSubmit:
		r.reject("missing", p.at(p.col[paiStart]), "start_time, its submission, is not known")
	case job == nil:
		r.reject("missing", r.idColumn, "no task of it is listed, so nothing is known of what it asks for")
	case !r.hasRun:
		r.status = "unfinished"
		r.skip("still-running", "it has no end, so its run time is not known")
	}
}

// fillSize works out what the tasks ask for together.
func (p *paiReader) fillSize(r *row, job *paiJob) {
	if job.reason != "" {
		r.reject(job.reason, 0, "%s", job.message)
		return
	}
	if job.assumed != "" {
		r.note("missing", 0, "%s", job.assumed)
	}
	r.job.CPUMilli, r.job.Memory = job.cpu, job.memory
	var whole, shared, each, most int64
	for _, k := range job.parts {
		each = k.milli
		if k.milli < 1000 {
			shared += k.count
			continue
		}
		gpus := (k.milli + 999) / 1000
		whole += gpus * k.count
		most = max(most, gpus)
		if k.milli%1000 != 0 {
			r.note("bad-quantity", 0, "each of %d instances asks for %s GPUs; it is given %d whole ones", k.count, fixed(k.milli, 3), gpus)
		}
	}
	if whole+shared > math.MaxInt32 || shared > piecesMost {
		r.reject("out-of-range", 0, "its tasks ask for more GPUs than counts can hold")
		return
	}
	r.setGPUs(whole + shared)
	r.gpuMilli = job.gpu
	if l := p.env.words.list([]byte(job.types)); whole+shared > 0 && l.key != "" {
		r.job.GPUTypes, r.typesKey = l.types, l.key
	}
	if job.misc && whole+shared > 0 {
		r.note("unknown-gpu", 0, "gpu_type MISC is no name of a model; any will do, unless the option map gives it one")
	}
	switch {
	case shared == 1 && whole == 0:
		r.setShare(each)
	case shared > 0:
		r.pieces = job.pieces(whole)
		r.note("split", 0, "%d instances share GPUs: it is handed on as %d jobs, %s.1 and on, which start when each finds room", shared, len(r.pieces), clean(r.id))
	case len(job.parts) == 1 && job.parts[0].count == 1:
		r.job.Nodes = 1 // an instance is never split
	case len(job.parts) == 1 && most > 1:
		r.job.GPUsPerNode = int(most)
	}
}

// pieces are the jobs that a job is handed on as.
func (j *paiJob) pieces(whole int64) []piece {
	var list []piece
	if whole > 0 {
		list = append(list, piece{int(whole), 1000})
	}
	for _, k := range j.parts {
		for range k.count {
			if k.milli < 1000 {
				list = append(list, piece{1, int(k.milli)})
			}
		}
	}
	return list
}

// handed is how many jobs a row is handed on as.
func (r *row) handed() int64 { return max(1, int64(len(r.pieces))) }

// cut makes the pieces of a job; CPUs and memory go with the GPUs.
func (r *row) cut(whole *workloads.Job) []*workloads.Job {
	all := 0
	for _, x := range r.pieces {
		all += x.gpus * x.share
	}
	jobs := make([]*workloads.Job, len(r.pieces))
	for i, x := range r.pieces {
		j := *whole
		j.ID += "." + string(fixed(int64(i+1), 0))
		j.GPUs, j.Share = x.gpus, x.share
		j.CPUMilli = share(whole.CPUMilli, x.gpus*x.share, all)
		j.Memory = share(whole.Memory, x.gpus*x.share, all)
		jobs[i] = &j
	}
	return jobs
}
