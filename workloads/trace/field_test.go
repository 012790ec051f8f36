package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpusim/sim/event"
)

// shared is the path of a file in the folder "shared" beside the repository.
// Without that folder the test is left out, but not where CI says that it must
// be there.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(root)
		if up == root {
			t.Fatal("no go.mod above the test")
		}
		root = up
	}
	path := filepath.Join(append([]string{root, "..", "shared", "data"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must have the shared data: %v", err)
		}
		t.Skipf("the shared data is not here: %v", err)
	}
	return path
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mustOpen(t testing.TB, format, path string, opt Options) *Trace {
	t.Helper()
	tr, err := Open(format, []string{path}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// counted checks the count of an issue, and on which line it was met first.
func counted(t testing.TB, rep *Report, reason string, action Action, count, line int64) {
	t.Helper()
	i := rep.Issue(reason, action)
	if i.Count != count {
		t.Errorf("%s %s: %d, want %d", reason, action, i.Count, count)
		return
	}
	if count > 0 && line > 0 && (i.At[0].Line == nil || *i.At[0].Line != line) {
		t.Errorf("%s %s: %v, want line %d", reason, action, mustJSON(t, i.At[0]), line)
	}
}

func is(t testing.TB, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestFieldSWF(t *testing.T) {
	path := shared(t, "field", "01-swf-sentinels", "trace.swf")
	tr := mustOpen(t, "swf", path, Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(12))
	is(t, "accepted", rep.Accepted, int64(6))
	is(t, "gpu_s", rep.GPUSeconds, Decimal("5484"))
	is(t, "first submission", rep.FirstSubmit, Decimal("0"))
	is(t, "last end", rep.LastEnd, Decimal("550"))
	counted(t, rep, "cancelled-before-start", Skipped, 1, 10)
	counted(t, rep, "out-of-order", Noted, 1, 12)
	counted(t, rep, "no-gpus", Rejected, 1, 13)
	counted(t, rep, "too-large", Rejected, 1, 16)
	counted(t, rep, "limit-exceeded", Noted, 1, 17)
	counted(t, rep, "duplicate-id", Rejected, 1, 19)
	counted(t, rep, "too-few-fields", Rejected, 1, 20)
	counted(t, rep, "out-of-range", Rejected, 1, 21)
	if m := rep.Issue("duplicate-id", Rejected).At[0].Message; !strings.Contains(m, "line 9") || !strings.Contains(m, "line 19") {
		t.Errorf("the duplicate names its lines as %q", m)
	}
	var ids []string
	for _, j := range all(t, tr) {
		ids = append(ids, j.ID)
		switch j.ID {
		case "6":
			is(t, "processors of 6", j.GPUs, 8)
			is(t, "limit of 6", j.HasLimit, false)
		case "8":
			is(t, "length of 8", j.Duration, 500*event.Second)
			is(t, "limit of 8", j.TimeLimit, 100*event.Second)
		case "9":
			is(t, "length of 9", j.Duration, 20500*event.Millisecond)
		}
	}
	is(t, "jobs, the one that is too large for 64 among them", strings.Join(ids, " "), "1 4 3 6 7 8 9")

	_, err := Open("swf", []string{path}, Options{Strict: true})
	if err == nil || !strings.Contains(err.Error(), path+":13:11") || !strings.Contains(err.Error(), "field 5") {
		t.Errorf("strict: %v", err)
	}
}

func TestFieldPhilly(t *testing.T) {
	dir := shared(t, "field", "02-philly-attempts")
	tr := mustOpen(t, "philly", dir, Options{Inspect: true})
	rep := tr.Report()
	is(t, "accepted", rep.Accepted, int64(8))
	is(t, "gpu_s", rep.GPUSeconds, Decimal("178680"))
	is(t, "clock", *rep.Clock.Timezone+", "+*rep.Clock.StatedBy, "America/Los_Angeles, format default")
	counted(t, rep, "no-attempts", Skipped, 1, 0)
	counted(t, rep, "no-start", Skipped, 1, 0)
	counted(t, rep, "still-running", Skipped, 1, 0)
	counted(t, rep, "time-backwards", Rejected, 1, 0)
	counted(t, rep, "duplicate-id", Noted, 1, 0)
	is(t, "cluster", mustJSON(t, rep.Cluster), `{"nodes":8,"gpus":58,"usable_gpus":58,"out_of_service":[]}`)

	rows, err := tr.JobRows(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{ // id, GPUs, wait, run, busy, GPU-seconds
		{"0001", "2", "30", "3600", "3600", "7200"},
		{"0002", "8", "60", "7267", "7260", "58080"},
		{"0003", "", "", "", "", "0"},
		{"0004", "", "", "", "", "0"},
		{"0005", "1", "60", "", "", ""},
		{"0006", "1", "", "", "3600", "3600"},
		{"0007", "8", "3600", "10800", "7200", "43200"},
		{"0008", "16", "600", "1800", "1800", "28800"},
		{"0009", "1", "600", "1200", "1200", "1200"},
		{"0010", "1", "7200", "", "", ""},
		{"0001#2", "1", "3600", "600", "600", "600"},
		{"0012", "2", "3600", "18000", "18000", "36000"},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, w := range want {
		r := rows[i]
		got := []string{strings.TrimPrefix(r.ID, "application_1500000000001_"), string(r.GPUs), string(r.Wait), string(r.Run), string(r.Busy), string(r.GPUSeconds)}
		is(t, "row "+w[0], strings.Join(got, ","), strings.Join(w, ","))
	}
	u := mustJSON(t, rep.Facts)
	for _, part := range []string{`"gpus":7,"mean":87.142857`, `"time_s":1509870600,"machine":"m1"`, `"time_s":1509874200,"machine":"m1"`, `"gpus":2,"mean":60`, `"missing":1`} {
		if !strings.Contains(u, part) {
			t.Errorf("the facts %s lack %s", u, part)
		}
	}
}

func TestFieldOpenb(t *testing.T) {
	pods := shared(t, "field", "05-openb-phases", "pods.csv")
	list := mustOpen(t, "openb-nodes", shared(t, "field", "05-openb-phases", "nodes.csv"), Options{})
	nodes, err := list.Nodes()
	if err != nil {
		t.Fatal(err)
	}
	var c Cluster
	for _, n := range nodes {
		c.Nodes = append(c.Nodes, Node{n.Name, n.GPUs, n.Model, n.CPUMilli, n.Memory})
	}
	tr := mustOpen(t, "openb", pods, Options{})
	rep := tr.Report()
	is(t, "accepted", rep.Accepted, int64(5))
	is(t, "wait", rep.Wait, WaitMean{"7", 5})
	counted(t, rep, "never-started", Skipped, 5, 6)
	counted(t, rep, "time-backwards", Rejected, 1, 10)
	counted(t, rep, "out-of-range", Rejected, 1, 13)
	counted(t, rep, "no-gpus", Rejected, 1, 14)
	for _, f := range rep.Facts {
		if f.Key == "gpu_milli_asked" {
			is(t, "asked", f.Value, int64(28370))
		}
	}
	rows, err := tr.JobRows(&c)
	if err != nil {
		t.Fatal(err)
	}
	eligible := map[string]string{
		"tp-01": "tn-0 tn-1", "tp-02": "tn-0", "tp-03": "tn-0", "tp-04": "tn-1", "tp-05": "tn-0 tn-1", "tp-06": "tn-0 tn-1",
		"tp-07": "tn-0 tn-1 tn-2", "tp-08": "", "tp-09": "tn-0", "tp-10": "", "tp-11": "", "tp-12": "",
	}
	notes := map[string]string{"tp-08": "A10", "tp-10": "CPU", "tp-11": "16"}
	runs := map[string]Decimal{"tp-01": "5000", "tp-02": "4900", "tp-03": "90", "tp-04": "490", "tp-07": "495"}
	for _, r := range rows {
		if want, ok := eligible[r.ID]; ok {
			if r.Eligible == nil {
				t.Errorf("%s: no list of nodes", r.ID)
			}
			is(t, "nodes for "+r.ID, strings.Join(r.Eligible, " "), want)
		}
		if n := notes[r.ID]; !strings.Contains(strings.Join(r.Notes, "; "), n) {
			t.Errorf("%s: %v does not say %s", r.ID, r.Notes, n)
		}
		is(t, "run of "+r.ID, r.Run, runs[r.ID])
	}
	jobs := all(t, tr)
	is(t, "order", jobs[1].ID+" "+jobs[2].ID, "tp-03 tp-02")
	is(t, "share", jobs[1].Share, 460)
	is(t, "types", strings.Join(jobs[len(jobs)-1].GPUTypes, "|"), "V100M16|V100M32")
}

func TestFieldNative(t *testing.T) {
	rep := mustOpen(t, "native", shared(t, "field", "14-makespan-origin", "jobs.csv"), Options{}).Report()
	is(t, "gpu_s", rep.GPUSeconds, Decimal("2210"))
	is(t, "first submission", rep.FirstSubmit, Decimal("1000"))
	for _, opt := range []Options{{}, {Shift: "keep"}} {
		tr := mustOpen(t, "native", shared(t, "field", "14-makespan-origin", "jobs.csv"), opt)
		jobs := all(t, tr)
		is(t, "span", jobs[3].Submit-jobs[0].Submit, 4000*event.Second)
	}
	rep = mustOpen(t, "native", shared(t, "field", "15-nothing-can-run", "jobs.csv"), Options{}).Report()
	is(t, "accepted", rep.Accepted, int64(3))
}

func TestFieldBytes(t *testing.T) {
	dir := shared(t, "field", "22-broken-bytes")
	good := map[string]struct {
		jobs int64
		gpu  Decimal
	}{
		"bom-crlf.csv": {4, "535.5"}, "bom-crlf.csv.gz": {4, "535.5"}, "bom-crlf.csv.zst": {4, "535.5"},
		"two-members.csv.gz": {2, ""}, "named-gz-but-plain.csv.gz": {1, "400"}, "latin1.csv": {1, "400"}, "nul.csv": {2, "500"},
		"odd-numbers.csv": {4, "4900"}, "no-newline-at-end.csv": {2, "500"}, "header-only.csv": {0, "0"}, "shuffled-header.csv": {1, "400"},
	}
	for name, want := range good {
		rep := mustOpen(t, "native", filepath.Join(dir, name), Options{}).Report()
		is(t, name, rep.Accepted, want.jobs)
		if want.gpu != "" {
			is(t, name, rep.GPUSeconds, want.gpu)
		}
	}
	bad := map[string]string{
		"truncated.csv.gz": "unexpected end", "bad-checksum.csv.gz": "checksum", "utf16.csv": "UTF-16", "empty.csv": "no header",
		"twice-the-same-column.csv": `"gpus"`, "open-quote.csv": ":2:11:", "pointer.csv": "pointer",
	}
	for name, want := range bad {
		path := filepath.Join(dir, name)
		if _, err := Open("native", []string{path}, Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open("philly", []string{filepath.Join(dir, "deep.json")}, Options{}); err == nil || !strings.Contains(err.Error(), "deeper") {
		t.Errorf("deep.json: %v", err)
	}
	rep := mustOpen(t, "native", filepath.Join(dir, "odd-numbers.csv"), Options{}).Report()
	for _, i := range rep.Issues {
		for _, p := range i.At {
			if i.Action == Rejected && (p.Line == nil || p.Column == nil || p.ID == "") {
				t.Errorf("%s: a place without line, column or id: %s", i.Reason, mustJSON(t, p))
			}
		}
	}
	is(t, "encoding", mustOpen(t, "native", filepath.Join(dir, "latin1.csv"), Options{}).Report().Issue("encoding", Repaired).Count, int64(1))
}

func TestPublicTraces(t *testing.T) {
	rep := mustOpen(t, "openb", shared(t, "traces", "openb", "openb_pod_list_default.csv.gz"), Options{}).Report()
	is(t, "openb pods", rep.Records, int64(8152))
	counted(t, rep, "never-started", Skipped, 897, 0)
	counted(t, rep, "out-of-order", Noted, 0, 0)
	facts := mustJSON(t, rep.Facts)
	for _, part := range []string{`"Failed":1870`, `"Pending":897`, `"Running":5193`, `"Succeeded":192`, `"gpu_milli_asked":6086800`, `"pods_without_gpu":1088`, `"pods_with_one_gpu":6989`, `"pods_with_several_gpus":75`, `"pods_with_a_share":3078`} {
		if !strings.Contains(facts, part) {
			t.Errorf("openb: %s lacks %s", facts, part)
		}
	}
	counted(t, mustOpen(t, "openb", shared(t, "traces", "openb", "openb_pod_list_cpu037.csv.gz"), Options{}).Report(), "out-of-order", Noted, 143, 0)
	shapes := mustOpen(t, "openb", shared(t, "traces", "openb", "openb_pod_list_multigpu30.csv.gz"), Options{Lifetime: "forever"})
	is(t, "openb shapes", shapes.Report().Accepted, int64(8508))

	nodes := mustOpen(t, "openb-nodes", shared(t, "traces", "openb", "openb_node_list_all_node.csv"), Options{}).Report()
	is(t, "openb nodes", mustJSON(t, nodes.Cluster), `{"nodes":1523,"gpus":6212,"usable_gpus":6212,"out_of_service":[]}`)

	rep = mustOpen(t, "swf", shared(t, "traces", "swf", "made3k-user.swf"), Options{}).Report()
	is(t, "swf", rep.Accepted, int64(3000))

	rep = mustOpen(t, "csv", shared(t, "traces", "philly-jobs", "philly_dev_vcs.csv.gz"), Options{TimeFormat: plainLayout,
		Columns: map[string]string{"submit": "timestamp", "duration": "duration", "gpus": "num_gpus", "queue": "cluster"}}).Report()
	is(t, "philly table", rep.Accepted, int64(57584))
	is(t, "philly table", len(rep.JobsBy.Queue), 10)

	rep = mustOpen(t, "csv", shared(t, "traces", "tiresias", "60_job.csv"), Options{
		Columns: map[string]string{"id": "job_id", "submit": "submit_time", "gpus": "num_gpu"}}).Report()
	is(t, "tiresias", rep.GPUSeconds, Decimal("26624"))
	is(t, "tiresias", rep.LastSubmit, Decimal("1779"))
}
