package scenarios

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpusim/hardware/units"
	"gpusim/reports/summary"
	"gpusim/sim/event"
)

// randomScenario writes a scenario that uses everything at once: every policy
// word, shares of GPUs beside gangs and CPU jobs, partitions that overlap and
// jobs without one, reservations, arrays, dependencies, limits, horizons.
func randomScenario(r *rand.Rand, table map[string][]string) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	some := func(percent int, text string) string {
		if r.IntN(100) < percent {
			return text
		}
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: gpusim/v1\nkind: Scenario\nname: random\nseed: %d\n%s", r.IntN(100), some(20, fmt.Sprintf("horizon: %ds\n", 20+r.IntN(200))))
	b.WriteString("cluster:\n  nodes:\n")
	nodes := 2 + r.IntN(4)
	for i := 0; i < nodes; i++ {
		fmt.Fprintf(&b, "    - {name: n%d, gpu: %s, gpus: %d%s%s, rack: r%d, labels: {p: %s}}\n", i, pick("T4", "L4"), 1+r.IntN(8), some(50, ", cpus: 16"), some(30, ", memory: 64GiB"), r.IntN(2), pick("a", "b"))
	}
	b.WriteString("  partitions:\n    low: {nodes: [n0]}\n    high: {nodes: [n1..n" + fmt.Sprint(nodes-1) + "]}\n" + some(50, "    wide: {nodes: [n0..n1]}\n"))
	wide := strings.Contains(b.String(), "wide:")
	if r.IntN(3) == 0 {
		at := r.IntN(60)
		fmt.Fprintf(&b, "  reservations:\n    - {name: v, start: %ds, end: %ds, nodes: [n%d]%s}\n", at, at+1+r.IntN(80), r.IntN(nodes), some(50, ", tenants: [t0]"))
	}
	how := pick(table["preemption"]...)
	fill := pick(table["backfill"]...)
	switch how {
	case "none":
	case "gang-slices":
		fill, how = "none", "{name: gang-slices, slice: "+fmt.Sprint(3+r.IntN(20))+"s"+some(50, ", switch: 1s")+"}"
	default:
		fill = pick("none", "greedy")
		extra := some(30, ", min_run: 7s") + some(30, ", grace: 4s")
		if how != "cancel" {
			extra += some(30, ", restart: 2s")
		}
		if how == "checkpoint" {
			extra += some(50, ", interval: 5s")
		}
		if how == "checkpoint" || how == "suspend" {
			extra += some(30, ", cost: 1s")
		}
		how = "{name: " + how + extra + "}"
	}
	ord := pick(table["order"]...)
	switch ord {
	case "tiresias":
		ord = "{name: tiresias, queues: [20, 100]" + some(30, ", ties: running-first") + "}"
	case "gittins":
		ord = "{name: gittins, services: [5, 40, 300], quantum: 10s}"
	case "las":
		ord = "{name: las, quantum: 15s}"
	case "priority":
		ord = pick("priority", "{name: priority, ageing: 10s}")
	case "fair":
		ord = pick("fair", "{name: fair, half_life: 30s, by: tenant}")
	}
	fmt.Fprintf(&b, "policy: {order: %s, backfill: %s, placement: %s, preemption: %s, rounds: %s, enforce_time_limits: %v}\n",
		ord, fill, pick(table["placement"]...), how, pick("instant", "event"), r.IntN(2) == 0)
	b.WriteString("workload:\n  jobs:\n")
	jobs := 5 + r.IntN(40)
	for i := 0; i < jobs; i++ {
		size := pick("gpus: 1", "gpus: 2", "gpus: 3", "gpus: 5", "gpus: 8", "gpu_fraction: 0.3", "gpu_fraction: 0.7", "gpus: 0, cpus: 3", "gpus: 4, nodes: 2", "gpus: 2, nodes: 1", "gpus: 4, gpus_per_node: 2", "gpus: 6, max_nodes: 2", "gpus: 30")
		part := pick("", "", ", partition: low", ", partition: high")
		if wide && r.IntN(5) == 0 {
			part = ", partition: wide"
		}
		fmt.Fprintf(&b, "    - {id: j%d, submit: %ds, duration: %ds, %s%s%s%s%s%s%s%s%s, user: u%d, tenant: t%d, priority: %d}\n", i, 3*r.IntN(30), r.IntN(40), size, part,
			some(20, fmt.Sprintf(", time_limit: %ds", r.IntN(50))), some(15, ", gpu_type: T4"), some(15, ", node_selector: {p: a}"),
			some(10, ", outcome: {fail_after: 6s}"), some(10, ", array: \"0-2%1\""), some(15, ", deadline: 20s"),
			some(10, fmt.Sprintf(", depends_on: [j%d]", r.IntN(i+1))), r.IntN(3), r.IntN(2), r.IntN(4))
	}
	return b.String()
}

// TestDebugModeOnRandomScenarios runs everything at once with every index
// recomputed after every round. What is checked is that the indexes, plans,
// accounts and counts agree; sim/slow checks that the decisions are right.
func TestDebugModeOnRandomScenarios(t *testing.T) {
	table := map[string][]string{}
	for kind, ws := range words() {
		table[kind] = sortedWords(ws)
	}
	ran, waited := 0, 0
	for seed := uint64(0); ran < 300; seed++ {
		text := randomScenario(rand.New(rand.NewPCG(seed, 5)), table)
		s, err := Parse("random", ".", []byte(text), nil)
		if err != nil {
			if strings.Contains(err.Error(), "circle") || strings.Contains(err.Error(), "depends_on") {
				continue // a job that depends on itself
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		// Jobs can take turns for ever under some of these; a horizon ends them.
		if s.Doc.Horizon == nil {
			h := units.Duration(2000 * event.Second)
			s.Doc.Horizon = &h
		}
		out, err := s.Run(RunOptions{Debug: true})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		ran++
		j := out.Summary.Jobs
		if j.Submitted != j.Completed+j.Failed+j.Rejected+j.Cancelled+j.Unfinished {
			t.Errorf("seed %d: %+v", seed, j)
		}
		if w, ok := share(out.Summary); ok && w > 0.1 {
			waited++
		}
	}
	if waited < ran/2 {
		t.Errorf("in only %d of %d scenarios more than a tenth of the jobs waited", waited, ran)
	}
}

func share(s *summary.Summary) (float64, bool) {
	if s.Waited == nil {
		return 0, false
	}
	f, err := s.Waited.Float64()
	return f, err == nil
}

func sortedWords(m map[string]string) []string {
	var ws []string
	for w := range m {
		ws = append(ws, w)
	}
	slices.Sort(ws)
	return ws
}
