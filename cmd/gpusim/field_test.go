package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// inspectField inspects a field case as JSON with all rows.
func inspectField(t *testing.T, path, format string, more ...string) map[string]any {
	t.Helper()
	return gpusim(t, append([]string{"trace", "inspect", path, "--format", format, "--jobs", "--output", "json"}, more...)...).object(t)
}

// issueCounts lists reason, action, count and first line of each issue.
func issueCounts(t *testing.T, doc any) map[string]any {
	t.Helper()
	m := map[string]any{}
	for _, i := range at(t, doc, "issues").([]any) {
		m[at(t, i, "reason").(string)+" "+at(t, i, "action").(string)] = []any{at(t, i, "count"), at(t, i, "at", 0, "line")}
	}
	return m
}

// jobRow finds a row by id.
func jobRow(t *testing.T, doc any, id string) map[string]any {
	t.Helper()
	for _, r := range at(t, doc, "jobs").([]any) {
		if at(t, r, "id") == id {
			return r.(map[string]any)
		}
	}
	t.Fatalf("there is no row of %s", id)
	return nil
}

// jobIs compares some figures of a row; "" stands for those left out.
func jobIs(t *testing.T, doc any, id string, columns string, want ...any) {
	t.Helper()
	row := jobRow(t, doc, id)
	for i, c := range strings.Fields(columns) {
		same(t, id+" "+c, at(t, row, c), want[i])
	}
}

func TestFieldSentinels(t *testing.T) {
	path := field(t, "01-swf-sentinels", "trace.swf")
	doc := inspectField(t, path, "swf")
	same(t, "issues", issueCounts(t, doc), map[string]any{
		"no-gpus rejected": []any{1, 13}, "too-large rejected": []any{1, 16}, "duplicate-id rejected": []any{1, 19},
		"too-few-fields rejected": []any{1, 20}, "out-of-range rejected": []any{1, 21}, "cancelled-before-start skipped": []any{1, 10},
		"out-of-order noted": []any{1, 12}, "limit-exceeded noted": []any{1, 17},
	})
	same(t, "records", []any{at(t, doc, "records"), at(t, doc, "accepted")}, []any{12, 6})
	same(t, "GPU-seconds", at(t, doc, "gpu_s"), 5484)
	same(t, "clock", at(t, doc, "clock"), map[string]any{"origin": "2023-11-14T22:13:20Z", "timezone": "UTC", "stated_by": "header"})
	jobIs(t, doc, "6", "gpus time_limit_s limit_exceeded", 8, nil, nil)
	jobIs(t, doc, "8", "run_s time_limit_s limit_exceeded", 500, 100, true)
	jobIs(t, doc, "9", "run_s gpu_s", 20.5, 164)
	gpusim(t, "trace", "inspect", path, "--format", "swf", "--opt", "strict=true").refused(t, "trace.swf:13", "no-gpus")
	r := gpusim(t, "trace", "inspect", path, "--format", "swf").must(t)
	r.says(t, r.out, "duplicate-id", "line 19, id 1: ", "line 9", "6 accepted, 6 set aside")

	next := gpusim(t, nextWords(t, doc)...).must(t)
	next.says(t, next.out, "trace  (seed 1)", "7 submitted: 5 completed, 1 failed, 1 rejected", "set aside 1 record rejected: duplicate-id")
}

// nextWords is the suggested command, without the name of the program.
func nextWords(t *testing.T, doc any) []string {
	t.Helper()
	return shellSplit(t, at(t, doc, "next").(string))[1:]
}

func TestFieldAttempts(t *testing.T) {
	path := field(t, "02-philly-attempts")
	doc := inspectField(t, path, "philly")
	same(t, "zone", at(t, doc, "clock", "timezone"), "America/Los_Angeles")
	columns := "gpus wait_s run_s busy_s gpu_s"
	const stem = "application_1500000000001_"
	jobIs(t, doc, stem+"0001", columns, 2, 30, 3600, 3600, 7200)
	jobIs(t, doc, stem+"0002", columns, 8, 60, 7267, 7260, 58080)
	jobIs(t, doc, stem+"0003", "fate gpus gpu_s", "skipped", nil, 0)
	jobIs(t, doc, stem+"0005", "fate run_s busy_s gpu_s", "skipped", nil, nil, nil)
	jobIs(t, doc, stem+"0006", "wait_s busy_s gpu_s", nil, 3600, 3600)
	jobIs(t, doc, stem+"0007", "wait_s run_s busy_s gpu_s", 3600, 10800, 7200, 43200)
	jobIs(t, doc, stem+"0009", columns, 1, 600, 1200, 1200, 1200)
	jobIs(t, doc, stem+"0010", "fate run_s", "rejected", nil)
	jobIs(t, doc, stem+"0001#2", columns, 1, 3600, 600, 600, 600)
	jobIs(t, doc, stem+"0012", columns, 2, 3600, 18000, 18000, 36000)
	issues := issueCounts(t, doc)
	for _, want := range []string{"no-attempts skipped", "no-start skipped", "still-running skipped", "time-backwards rejected", "duplicate-id noted"} {
		if _, ok := issues[want]; !ok {
			t.Errorf("no issue %s in %v", want, issues)
		}
	}
	gpusim(t, nextWords(t, doc)...).must(t)
}

func TestFieldPhases(t *testing.T) {
	nodes, err := filepath.Abs(field(t, "05-openb-phases", "nodes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	on := file(t, "cluster.yaml", "apiVersion: gpusim/v1\nkind: Scenario\nname: nodes\ncluster: {trace: {format: openb-nodes, path: "+nodes+"}}\nworkload: {jobs: []}\n")
	doc := inspectField(t, field(t, "05-openb-phases", "pods.csv"), "openb", "--on", on)
	for id, want := range map[string]any{
		"tp-01": []string{"tn-0", "tn-1"}, "tp-02": []string{"tn-0"}, "tp-03": []string{"tn-0"}, "tp-04": []string{"tn-1"},
		"tp-05": []string{"tn-0", "tn-1"}, "tp-06": []string{"tn-0", "tn-1"}, "tp-07": []string{"tn-0", "tn-1", "tn-2"}, "tp-08": []string{},
		"tp-09": []string{"tn-0"}, "tp-10": []string{}, "tp-11": []string{}, "tp-12": []string{},
	} {
		same(t, id+" eligible", at(t, jobRow(t, doc, id), "eligible_nodes"), want)
	}
	for id, word := range map[string]string{"tp-08": "A10", "tp-10": "CPU", "tp-11": "16 GPUs"} {
		if notes := text(at(t, jobRow(t, doc, id), "notes")); !strings.Contains(notes, word) {
			t.Errorf("%s: notes %s do not name %s", id, notes, word)
		}
	}
	same(t, "mean wait", at(t, doc, "wait_s"), map[string]any{"mean": 7, "known": 5})
	same(t, "cluster", at(t, doc, "cluster"), map[string]any{"nodes": 3, "gpus": 10, "usable_gpus": 10, "out_of_service": []any{}})
	runNext(t, doc, 5)
	doc = inspectField(t, field(t, "05-openb-phases", "pods.csv"), "openb", "--opt", "pending=1h", "--opt", "limit=5")
	runNext(t, doc, 5)
	doc = inspectField(t, nodes, "openb-nodes")
	r := gpusim(t, nextWords(t, doc)...).must(t)
	r.says(t, r.out, "3 nodes, 10 GPUs")
}

func TestFieldMakespanOrigin(t *testing.T) {
	path := field(t, "14-makespan-origin", "jobs.csv")
	doc := inspectField(t, path, "native")
	same(t, "GPU-seconds", at(t, doc, "gpu_s"), 2210)
	same(t, "first submission", at(t, doc, "first_submit_s"), 1000)
	same(t, "last end", at(t, doc, "last_end_s"), nil) // the table tells no end
	runNext(t, doc, 4)
	doc = inspectField(t, path, "native", "--opt", "shift=keep", "--on", "quickstart")
	runNext(t, doc, 4)
}

func TestFieldNothingCanRun(t *testing.T) {
	path := field(t, "15-nothing-can-run", "jobs.csv")
	on := file(t, "one.yaml", "apiVersion: gpusim/v1\nkind: Scenario\nname: one\ncluster: {nodes: [{name: n, gpus: 8}]}\nworkload: {jobs: []}\n")
	doc := inspectField(t, path, "native", "--on", on)
	for i, gpus := range []string{"16", "9", "64"} {
		row := at(t, doc, "jobs", i)
		same(t, "eligible", at(t, row, "eligible_nodes"), []any{})
		if notes := text(at(t, row, "notes")); !strings.Contains(notes, gpus+" GPUs are wanted") {
			t.Errorf("notes of %s GPUs: %s", gpus, notes)
		}
	}
	same(t, "waits", at(t, doc, "wait_s"), map[string]any{"mean": nil, "known": 0})
	r := gpusim(t, nextWords(t, doc)...).must(t)
	r.says(t, r.out, "3 submitted: 0 completed, 3 rejected")
	r.says(t, r.err, "warning")
	if strings.Contains(r.out, "NaN") {
		t.Error("NaN in the summary")
	}
	runNext(t, inspectField(t, path, "native"), 3) // without --on: on nodes that hold them
}
