package trace

import (
	"math"
	"strings"

	"gpusim/sim/event"
	"gpusim/workloads/document"
)

// fill implements reader.
func (k *kubeReader) fill(r *row) {
	o := &k.objects[k.i-1]
	r.id = []byte(o.id)
	totals := k.env.kube
	if r.tally == nil {
		totals = nil
	}
	if totals != nil {
		totals.kinds[o.kind]++
	}
	switch {
	case o.err != nil:
		k.damaged(r, o.err)
	case o.kind == "" || o.node.Kind != document.Map:
		k.fail(r, o.node, "damaged-line", "it has no kind, so it is no object of Kubernetes")
	case o.kind != "Pod" && o.kind != "Job":
		r.skip("not-a-job", "%s: only Pods and Jobs are read", o.title())
	case o.name == "":
		k.fail(r, o.node.At("metadata"), "missing", "it has no name (metadata.name)")
	case o.first > 0:
		k.fail(r, o.node.Get("metadata").At("name"), "duplicate-id", "the same kind, namespace and name as document %d, on line %d", k.objects[o.first-1].document, k.objects[o.first-1].line)
	case o.part:
		r.skip("step-row", "%s is a part of a Job of this file, which counts as a whole", o.title())
	default:
		k.object(r, o)
		if totals != nil && r.fate != Rejected {
			totals.gpus.add(uint64(r.job.GPUs), 1)
			totals.slices.add(uint64(r.slices), 1)
			totals.cpu.add(uint64(r.job.CPUMilli), 1)
			totals.memory.add(uint64(r.job.Memory), 1)
		}
	}
}

// object reads a Pod or a Job.
func (k *kubeReader) object(r *row, o *kubeObject) {
	meta, spec := o.node.Get("metadata"), o.node.Get("spec")
	w := k.env.words
	r.job.Tenant = w.of([]byte(o.space))
	r.job.Queue = w.of([]byte(kubeText(meta.Get("labels").Get("kueue.x-k8s.io/queue-name"))))
	r.recorded = kubeText(o.node.Get("status").Get("phase"))
	pods, limit := int64(1), spec.Get("activeDeadlineSeconds")
	if o.kind == "Job" {
		var ok bool
		if pods, ok = k.gang(r, spec); !ok {
			return
		}
		if limit == nil {
			limit = spec.Get("template").Get("spec").Get("activeDeadlineSeconds")
		}
		spec = spec.Get("template").Get("spec")
	}
	if limit != nil {
		d, why := length([]byte(kubeText(limit)), 9)
		if why != "" {
			k.fail(r, limit, why, "activeDeadlineSeconds is %s: %s", quoted([]byte(kubeText(limit))), explain(why))
			return
		}
		r.job.TimeLimit, r.job.HasLimit = d, true
	}
	ask, ok := k.podAsk(r, spec)
	if !ok {
		return
	}
	for _, v := range ask {
		if pods > 0 && v > math.MaxInt64/pods || ask[askGPU] > math.MaxInt32/max(pods, 1) {
			k.fail(r, spec, "out-of-range", "its %d pods ask for more than counts can hold", pods)
			return
		}
	}
	r.setGPUs(ask[askGPU] * pods)
	r.slices, r.hasSlices, r.hasSize = ask[askSlices]*pods, true, true
	r.job.CPUMilli, r.job.Memory = ask[askCPU]*pods, ask[askMemory]*pods
	switch {
	case o.kind == "Pod" && ask[askGPU] > 0:
		r.job.Nodes = 1 // a pod is never split
	case ask[askGPU] > 1:
		r.job.GPUsPerNode = int(ask[askGPU])
	}
	if r.slices > 0 {
		r.note("mig-slices", 0, "%s asks for %d MIG instances, which are no GPUs; it is replayed without them", o.title(), r.slices)
	}
	k.fillPlace(r, spec)
	if r.fate == "" {
		k.fillTimes(r, o)
	}
}

// gang is how many pods of a Job run at once.
func (k *kubeReader) gang(r *row, spec *document.Node) (int64, bool) {
	count := func(key string, otherwise int64) (int64, bool) {
		n := spec.Get(key)
		if n == nil || n.Kind == document.Null {
			return otherwise, true
		}
		v, why := whole([]byte(kubeText(n)))
		switch {
		case why != "":
		case v < 0:
			why = "negative"
		case v > math.MaxInt32:
			why = "out-of-range"
		}
		if why != "" {
			k.fail(r, n, why, "%s is %s: %s", key, quoted([]byte(kubeText(n))), explain(why))
		}
		return v, why == ""
	}
	pods, ok := count("parallelism", 1)
	if !ok {
		return 0, false
	}
	all, ok := count("completions", pods)
	if !ok {
		return 0, false
	}
	if pods == 0 {
		r.skip("never-started", "%s: parallelism is 0, so no pod of it runs", k.objects[k.i-1].title())
		return 0, false
	}
	if pods > all && all > 0 {
		pods = all
	}
	if all > pods {
		r.note("waves", 0, "%s: %d completions with %d pods at a time; it is replayed as one gang of %d for its run time", k.objects[k.i-1].title(), all, pods, pods)
	}
	return pods, true
}

// annotation is what the object says under a key of the option annotations.
func (k *kubeReader) annotation(r *row, o *kubeObject, what string) (text string, wanted, ok bool) {
	key, wanted := k.env.opt.Annotations[what]
	if !wanted {
		return "", false, true
	}
	list := o.node.Get("metadata").Get("annotations")
	n := list.Get(key)
	if kubeText(n) == "" {
		k.fail(r, o.node.At("metadata"), "missing", "it has no annotation %q, which the option annotations names for %s", key, what)
		return "", true, false
	}
	return kubeText(n), true, true
}

// stamp reads an instant of the object; known is false where there is none.
func (k *kubeReader) stamp(r *row, n *document.Node, name string) (at event.Time, known bool) {
	if n == nil || n.Kind == document.Null || kubeText(n) == "" {
		return 0, false
	}
	s, why := k.clock.read([]byte(kubeText(n)))
	if why != "" {
		k.fail(r, n, why, "%s is %s: write it as 2026-01-02T15:04:05Z", name, quoted([]byte(kubeText(n))))
		return 0, false
	}
	return s.at, true
}

// fillTimes reads when the object was submitted and how long it ran.
func (k *kubeReader) fillTimes(r *row, o *kubeObject) {
	text, wanted, ok := k.annotation(r, o, "submit")
	if !ok {
		return
	}
	created := o.node.Get("metadata").Get("creationTimestamp")
	switch at, known := k.stamp(r, created, "creationTimestamp"); {
	case r.fate != "":
		return
	case wanted:
		at, err := k.head.instant(text)
		if err != nil {
			k.fail(r, o.node.Get("metadata").At("annotations"), "bad-time", "the annotation for submit: %s", err)
			return
		}
		r.job.Submit = at
	case known:
		r.job.Submit = at
	}
	r.hasSubmit = true
	text, wanted, ok = k.annotation(r, o, "duration")
	if !ok {
		return
	}
	status := o.node.Get("status")
	ended := k.fillStatus(r, o, status)
	if r.fate != "" {
		return
	}
	if wanted {
		d, fine := duration(strings.TrimSpace(text))
		if !fine {
			k.fail(r, o.node.Get("metadata").At("annotations"), "bad-time", "the annotation for duration is %s: write it as 90s, 1h30m or a number of seconds", quoted([]byte(text)))
			return
		}
		r.setRun(d)
		k.end(r)
		return
	}
	recorded := status != nil && status.Kind == document.Map && len(status.Keys) > 0
	switch {
	case r.hasStart && ended:
		r.setRun(r.end - r.start)
		k.end(r)
	case r.hasStart && k.hasReport && k.report >= r.start:
		r.status = "unfinished"
		r.setRun(k.report - r.start)
	case r.hasStart && r.status != "":
		r.skip("still-running", "%s has no end; the option report_time can give it one", o.title())
	case recorded && r.recorded != "" && r.status != "":
		r.skip("never-started", "%s: nothing says when it started", o.title())
	case recorded && r.status == "unfinished":
		r.skip("never-started", "%s had not started", o.title())
	default:
		r.job.Duration = forever
		r.note("no-duration", 0, "%s says no run time: it never leaves; the option annotations can name one", o.title())
	}
}

// end sets how the job ends.
func (k *kubeReader) end(r *row) {
	if r.status == "failed" {
		r.outcome(r.status)
	}
	r.checkLimit(0)
}

// fillStatus reads what became of the object, and says whether its end is
// known.
func (k *kubeReader) fillStatus(r *row, o *kubeObject, status *document.Node) (ended bool) {
	start, hasStart := k.stamp(r, status.Get("startTime"), "startTime")
	var end event.Time
	later := func(n *document.Node, name string) {
		if at, known := k.stamp(r, n, name); known {
			end, ended = max(end, at), true
		}
	}
	if o.kind == "Job" {
		later(status.Get("completionTime"), "completionTime")
		r.recorded = ""
		for _, c := range kubeItems(status.Get("conditions")) {
			if kubeText(c.Get("status")) != "True" {
				continue
			}
			switch r.recorded = kubeText(c.Get("type")); r.recorded {
			case "Complete":
				r.status = "completed"
			case "Failed":
				r.status = "failed"
				later(c.Get("lastTransitionTime"), "lastTransitionTime")
			}
		}
		if hasStart && r.status == "" {
			r.status = "unfinished"
		}
	} else {
		for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
			for _, c := range kubeItems(status.Get(list)) {
				later(c.Get("state").Get("terminated").Get("finishedAt"), "finishedAt")
			}
		}
		switch r.recorded {
		case "Succeeded":
			r.status = "completed"
		case "Failed":
			r.status = "failed"
		case "Running", "Pending":
			r.status, ended = "unfinished", false
		case "":
		default:
			r.note("unknown-state", 0, "%s: phase %s is not known", o.title(), quoted([]byte(r.recorded)))
		}
	}
	if r.fate != "" || !hasStart {
		return false
	}
	r.start, r.hasStart = start, true
	if start < r.job.Submit {
		r.note("start-before-submit", 0, "%s started %s s before its submission; its wait is unknown", o.title(), seconds(r.job.Submit-start))
	} else if o.kind == "Pod" { // a Job's startTime is when it was noticed
		r.setWait(start - r.job.Submit)
	}
	if !ended {
		return false
	}
	if end < start {
		k.fail(r, status, "time-backwards", "ends at %s s, before its start at %s s", seconds(end), seconds(start))
		return false
	}
	r.end, r.hasEnd = end, true
	return true
}
