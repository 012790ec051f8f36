package trace

import (
	"fmt"
	"strings"
	"testing"

	"gpusim/sim/event"
	"gpusim/workloads"
)

func TestKubernetes(t *testing.T) {
	opt := Options{Annotations: map[string]string{"submit": "x/submit", "duration": "x/duration"}}
	tr := mustOpen(t, "kubernetes", "testdata/objects.yaml", opt)
	rep := tr.Report()
	is(t, "records", rep.Records, int64(12))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "step-row", Skipped, 1, 34)
	counted(t, rep, "missing", Rejected, 1, 35)
	counted(t, rep, "bad-time", Rejected, 2, 36)
	counted(t, rep, "bad-quantity", Rejected, 1, 38)
	counted(t, rep, "not-a-job", Skipped, 1, 41)
	counted(t, rep, "duplicate-key", Rejected, 1, 45)
	counted(t, rep, "damaged-line", Rejected, 2, 48)
	counted(t, rep, "limit-exceeded", Noted, 1, 2)
	counted(t, rep, "unknown-column", Noted, 1, 15)
	counted(t, rep, "mig-slices", Noted, 1, 0)
	counted(t, rep, "waves", Noted, 1, 0)
	jobs := all(t, tr)
	is(t, "times", times(jobs), "b@0+90.5 team/a@10+3600 b2@1767225590+120")
	b := byID(t, jobs, "b")
	is(t, "gang", fmt.Sprint(b.GPUs, b.GPUsPerNode, b.CPUMilli), "6 2 15000")
	a := byID(t, jobs, "team/a")
	is(t, "place", fmt.Sprintf("%v %v %d %d %s %s", a.GPUTypes, a.NodeSelector, a.Nodes, a.Priority, a.Queue, a.Tenant), "[H100] [{zone z1}] 1 5 q team")
	is(t, "memory", a.Memory, int64(1<<30))
	is(t, "limit", a.TimeLimit, 10*event.Minute)
	is(t, "failed", byID(t, jobs, "b2").Outcome, workloads.OutcomeFail)
}

func TestKubernetesStatus(t *testing.T) {
	const list = `{"kind": "List", "items": [
 {"kind": "Pod", "metadata": {"name": "done", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"containers": [{"name": "c"}]},
  "status": {"phase": "Succeeded", "startTime": "2026-01-01T00:00:05Z", "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-01-01T00:01:05Z"}}}]}},
 {"kind": "Pod", "metadata": {"name": "runs", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"containers": [{"name": "c"}]},
  "status": {"phase": "Running", "startTime": "2026-01-01T00:00:10Z"}},
 {"kind": "Pod", "metadata": {"name": "waits", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"containers": [{"name": "c"}]}, "status": {"phase": "Pending"}},
 {"kind": "Pod", "metadata": {"name": "back", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"containers": [{"name": "c"}]},
  "status": {"phase": "Failed", "startTime": "2026-01-01T00:00:10Z", "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-01-01T00:00:05Z"}}}]}},
 {"kind": "Job", "metadata": {"name": "job", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"template": {"spec": {"containers": [{"name": "c"}]}}},
  "status": {"startTime": "2026-01-01T00:00:10Z", "conditions": [{"type": "Failed", "status": "True", "lastTransitionTime": "2026-01-01T00:00:40Z"}]}}
]}
{"kind": "Pod", "metadata": {"name": "shape", "creationTimestamp": null}, "spec": {"containers": [{"name": "c"}]}, "status": {}}
`
	tr := open(t, "kubernetes", list, Options{})
	rep := tr.Report()
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "still-running", Skipped, 1, 4)
	counted(t, rep, "never-started", Skipped, 1, 6)
	counted(t, rep, "time-backwards", Rejected, 1, 0)
	counted(t, rep, "no-duration", Noted, 1, 12)
	jobs := all(t, tr)
	is(t, "done", byID(t, jobs, "done").Duration, event.Minute)
	is(t, "wait", byID(t, jobs, "done").RecordedWait, 5*event.Second)
	is(t, "job", fmt.Sprint(byID(t, jobs, "job").Duration, byID(t, jobs, "job").Outcome), fmt.Sprint(30*event.Second, workloads.OutcomeFail))
	is(t, "shape", byID(t, jobs, "shape").Duration, forever)
	tr = open(t, "kubernetes", list, Options{ReportTime: "2026-01-01T01:00:10Z"})
	is(t, "runs so far", byID(t, all(t, tr), "runs").Duration, event.Hour)
}

func TestKubernetesList(t *testing.T) {
	const list = "kind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n  spec: {containers: [{name: c}]}\n" +
		"- kind: Pod\n  metadata: {name: b}\n  spec: {containers: [{name: c, name: d}]}\n- kind: Pod\n  metadata: {name: e}\n  spec: {containers: [{name: c}]}\n"
	rep := open(t, "kubernetes", list, Options{}).Report()
	is(t, "accepted", rep.Accepted, int64(2))
	counted(t, rep, "duplicate-key", Rejected, 1, 8)
	is(t, "which", rep.Issue("duplicate-key", Rejected).At[0].ID, "b")
	rep = open(t, "kubernetes", list+"items: []\n", Options{}).Report()
	is(t, "the list itself is damaged", rep.Accepted, int64(0))
	counted(t, rep, "duplicate-key", Rejected, 1, 8)
}

func TestFieldKubernetes(t *testing.T) {
	tr := mustOpen(t, "kubernetes", shared(t, "field", "21-k8s-quantities", "objects.yaml"), Options{})
	rep := tr.Report()
	is(t, "accepted", rep.Accepted, int64(4))
	rows, err := tr.JobRows(nil)
	if err != nil {
		t.Fatal(err)
	}
	slices := func(r JobRow) int64 {
		if r.Slices == nil {
			return 0
		}
		return *r.Slices
	}
	want := map[string]string{"q1": "0.5 1073741824 1 0", "q2": "1.5 1128974848 0 2", "q3": "4 2097152 4 0", "q9": "0.25 0 0 0"}
	for _, r := range rows {
		if r.Fate != Accepted {
			continue
		}
		memory := int64(0)
		if r.Memory != nil {
			memory = *r.Memory
		}
		is(t, r.ID, fmt.Sprintf("%s %d %s %d", r.CPUs, memory, r.GPUs, slices(r)), want[r.ID])
	}
	for _, w := range []struct {
		reason string
		action Action
		count  int64
		part   string
	}{
		{"bad-quantity", Rejected, 3, "Pod q4"}, {"out-of-range", Rejected, 1, "Pod q7"}, {"negative", Rejected, 1, "Pod q8"},
		{"not-a-job", Skipped, 1, "ConfigMap not-a-pod"}, {"duplicate-id", Rejected, 1, "Pod q1"}, {"duplicate-key", Rejected, 1, "Pod q10"},
	} {
		counted(t, rep, w.reason, w.action, w.count, 0)
		for _, p := range rep.Issue(w.reason, w.action).At {
			if !strings.Contains(p.Message, "document ") || p.Line == nil || p == rep.Issue(w.reason, w.action).At[0] && !strings.Contains(p.Message, w.part) {
				t.Errorf("%s: %s", w.reason, mustJSON(t, p))
			}
		}
	}
	facts := mustJSON(t, rep.Facts)
	for _, part := range []string{`"gpus_asked":5`, `"slices_asked":2`, `"cpu_milli_asked":6250`} {
		if !strings.Contains(facts, part) {
			t.Errorf("the facts %s lack %s", facts, part)
		}
	}
}

func TestKubeQuantity(t *testing.T) {
	for text, want := range map[string]string{
		"500m": "500", "0.5": "500", "1e3m": "1000", "2": "2000", "1E3": "1000000", "1E": "out-of-range", "1k": "1000000", "0.0001": "1", "1u": "1", "+1": "1000", "1.5.2": "not-a-number",
		"": "missing", "-1": "negative", "-0": "0", "1gb": "bad-quantity", "1K": "bad-quantity", "m": "not-a-number", "1e999": "out-of-range", "1e99": "out-of-range", ".5": "500", "5.": "5000",
		"99999999999999999999": "out-of-range", "1Ki": "1024000", "0x10": "bad-quantity", "NaN": "not-a-number",
	} {
		v, _, why := kubeQuantity(text, 3)
		if why == "" {
			why = fmt.Sprint(v)
		}
		is(t, text, why, want)
	}
}

func BenchmarkKubernetes(b *testing.B) {
	var s strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&s, "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p%d\n  annotations: {x/submit: \"%d\", x/duration: 1h}\nspec:\n  containers:\n  - name: c\n    resources:\n      requests: {cpu: 500m, memory: 1Gi}\n      limits: {nvidia.com/gpu: %d}\n", i, i, 1<<(i%4))
	}
	bench(b, "kubernetes", s.String(), Options{Annotations: map[string]string{"submit": "x/submit", "duration": "x/duration"}})
}
