package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const lifeScenario = `
apiVersion: gpusim/v1
kind: Scenario
name: lives
horizon: 10h
cluster:
  nodes:
    - {name: n0, gpus: 8}
workload:
  jobs:
    - {id: long, user: ada, tenant: t1, submit: 0s, duration: 1h20m, gpus: 2}
    - {id: wide, user: bob, submit: 0s, duration: 1h, gpus: 8, time_limit: 2h, priority: 3}
    - {id: after, submit: 10m, duration: 30m, gpus: 1, depends_on: [wide, long]}
    - {id: huge, submit: 0s, duration: 1h, gpus: 9}
    - {id: fails, submit: 3h, duration: 1h, gpus: 1, outcome: {fail_after: 10m}}
    - {id: orphan, submit: 0s, duration: 1h, gpus: 1, depends_on: [fails]}
    - {id: sweep, submit: 4h, duration: 30m, gpus: 1, array: "0-3%2"}
    - {id: late, submit: 9h, duration: 3h, gpus: 8}
    - {id: never, submit: 9h30m, duration: 1h, gpus: 1}
`

// live runs a scenario and returns the run folder.
func live(t *testing.T, text string, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	gpusimWith(t, text, append([]string{"run", "-", "-o", dir, "--quiet"}, args...)...).must(t)
	return dir
}

func TestExplainTellsLives(t *testing.T) {
	for _, format := range []string{"csv", "arrow", "parquet"} {
		dir := live(t, lifeScenario, "--format", format)
		for job, words := range map[string][]string{
			"long":    {"job long of lives (seed 1): completed", "at 0s by ada, tenant t1", "ran        0s to 1h20m (1h20m), attempt 1 on n0:0-1", "GPU time 2.7 GPU h productive"},
			"wide":    {"by bob, priority 3", "8 GPUs, time limit 2h", "waited     0s to 1h20m (1h20m)\n    0s to 1h20m: wants 8 GPUs, 6 were free (no-free-gpus)", "completed at 2h20m", "waited 1h20m, ran 1h, completion 2h20m after submission, slowdown 2.33"},
			"after":   {"held       10m to 2h20m (2h10m): waits for wide, long", "ran        2h20m to 2h50m"},
			"huge":    {"rejected when it was submitted, because it can never run on this cluster: ", "9 GPUs", "GPUs"},
			"fails":   {"failed at 3h10m, as its record says", "the job failed by itself"},
			"orphan":  {"held       0s to 3h10m (3h10m): waits for fails", "cancelled at 3h10m: a job it depends on did not complete (dependency)"},
			"sweep_3": {"4h to 4h30m: as many elements of its array as may run at once are in the queue or running (array-throttle)"},
			"late":    {"still running when the run ended at 10h (its horizon)", "the run reached its horizon"},
			"never":   {"waited     9h30m to 10h (30m)", "wants 1 GPU, 0 were free (no-free-gpus)", "still waiting for its first start when the run ended at 10h (its horizon)"},
		} {
			r := gpusim(t, "explain", job, "--run", dir).must(t)
			r.says(t, r.out, words...)
		}
	}
}

func TestExplainJSON(t *testing.T) {
	doc := gpusim(t, "explain", "wide", "--run", live(t, lifeScenario), "--output", "json").object(t)
	same(t, "status", at(t, doc, "status"), "completed")
	same(t, "request", at(t, doc, "request"), "8 GPUs")
	same(t, "reason", at(t, doc, "waits", 0, "reasons", 0, "reason"), "no-free-gpus")
	same(t, "from", at(t, doc, "waits", 0, "reasons", 0, "from_s"), 0)
	same(t, "to", at(t, doc, "waits", 0, "reasons", 0, "to_s"), 4800)
	same(t, "total", at(t, doc, "reasons", 0, "total_s"), 4800)
	same(t, "attempt", at(t, doc, "attempts", 0, "productive_gpu_s"), 28800)
	same(t, "slowdown", at(t, doc, "totals", "bounded_slowdown"), 8400.0/3600)
	same(t, "held", at(t, doc, "held"), nil)
}

// The reasons of a life cover its waiting, preempted or not.
func TestExplainCoversAllWaiting(t *testing.T) {
	for _, name := range []string{"quickstart", "golden/019-preempt-suspend", "golden/023-tiresias-discretised-2dlas", "golden/014-array-throttle-and-dependency", "golden/021-preempt-grace-time"} {
		dir := filepath.Join(t.TempDir(), "out")
		gpusim(t, "run", name, "-o", dir, "--quiet").must(t)
		data, err := os.ReadFile(filepath.Join(dir, "jobs.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
			id, _, _ := strings.Cut(line, ",")
			doc := gpusim(t, "explain", id, "--run", dir, "--output", "json").object(t)
			wait, _ := at(t, doc, "totals", "wait_s").(float64)
			sum := 0.0
			for _, r := range at(t, doc, "reasons").([]any) {
				if _, ok := r.(map[string]any)["reason"]; !ok {
					t.Errorf("%s: %s waits without a reason:\n%s", name, id, gpusim(t, "explain", id, "--run", dir).out)
				}
				sum += at(t, r, "total_s").(float64)
			}
			same(t, name+": waits of "+id, sum, wait)
		}
	}
}

func TestExplainRefuses(t *testing.T) {
	dir := live(t, lifeScenario)
	gpusim(t, "explain", "wid", "--run", dir).refused(t, `the run has no job "wid"`, "did you mean wide?")
	gpusim(t, "explain", "sweep", "--run", dir).refused(t, "sweep_0, sweep_1, sweep_2")
	gpusim(t, "explain", "zzzzzzzz", "--run", dir).refused(t, `the run has no job "zzzzzzzz"`)
	gpusim(t, "explain", "wide", "--run", t.TempDir()).refused(t, "it is not a run folder")
	gpusim(t, "explain", "wide", "--run", filepath.Join(dir, "none")).refused(t, "none")
	gpusim(t, "explain", "wide").refused(t, "--run DIR")
	gpusim(t, "explain", "--run", dir).refused(t, "explain needs one JOB")
	gpusim(t, "explain", "wide", "--run", dir, "--output", "csv").refused(t, "use table or json")
}

func TestExplainWithoutSomeTables(t *testing.T) {
	r := gpusim(t, "explain", "wide", "--run", live(t, lifeScenario, "--set", "reports.tables=[jobs]")).must(t)
	r.says(t, r.out, "8 GPUs, time limit 2h", "started    at 1h20m", "completed at 2h20m", "no table attempts", "no table decisions", "reports.tables")

	dir := live(t, lifeScenario, "--set", "reports.tables=[attempts]")
	r = gpusim(t, "explain", "wide", "--run", dir).must(t)
	r.says(t, r.out, "ran        1h20m to 2h20m", "no table jobs", "the job completed")
	gpusim(t, "explain", "wid", "--run", dir).refused(t, "did you mean wide?")

	dir = live(t, lifeScenario, "--set", "reports.tables=[decisions]")
	gpusim(t, "explain", "wide", "--run", dir).refused(t, "jobs", "attempts")
}
