package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"gpusim/policies/backfill"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/preemption"
)

// words lists every policy word with its line.
func words() map[string]map[string]string {
	m := map[string]map[string]string{"order": {}, "backfill": {}, "placement": {}, "preemption": {}}
	for _, e := range order.Table() {
		m["order"][e.Name] = e.Doc
	}
	for _, e := range backfill.Table() {
		m["backfill"][e.Name] = e.Doc
	}
	for _, e := range placement.Table() {
		m["placement"][e.Name] = e.Doc
	}
	for _, e := range preemption.Table() {
		m["preemption"][e.Name] = e.Doc
	}
	return m
}

// Every word of every table has a line that says what it does and a built-in
// scenario that expects something of it.
func TestEveryPolicyHasAScenario(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range BuiltinNames() {
		data, _ := Builtin(name)
		s, err := Parse(name, ".", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Doc.Expect == nil || len(s.Doc.Expect.Jobs) == 0 {
			t.Errorf("%s expects nothing of its jobs", name)
		}
		p := s.Doc.Policy
		for kind, word := range map[string]string{"order": p.Order.Name, "backfill": p.Backfill.Name, "placement": p.Placement.Name, "preemption": p.Preemption.Name} {
			seen[kind+" "+word] = true
		}
		if BuiltinTitle(name) == "" || !strings.HasPrefix(string(data), "# ") {
			t.Errorf("%s has no title", name)
		}
	}
	for kind, table := range words() {
		for word, doc := range table {
			if doc == "" {
				t.Errorf("%s %s has no line", kind, word)
			}
			if !seen[kind+" "+word] {
				t.Errorf("no built-in scenario shows %s %s", kind, word)
			}
		}
	}
}

// Every placement rule tells one node of 16 GPUs from two of 8.
func TestPlacementsTellOneNodeFromTwo(t *testing.T) {
	for word := range words()["placement"] {
		used := map[string]string{}
		for name, nodes := range map[string]string{"one": "[{name: n, gpus: 16}]", "two": "[{name: n, gpus: 8, rack: a}, {name: m, gpus: 8, rack: b}]"} {
			s, err := Parse(word, ".", []byte(fmt.Sprintf(`{apiVersion: gpusim/v1, kind: Scenario, name: t, cluster: {nodes: %s}, policy: {placement: %s},
workload: {jobs: [{id: wide, duration: 1h, gpus: 12}, {id: whole, submit: 2h, duration: 1h, gpus: 12, nodes: 1}]}}`, nodes, word)), nil)
			if err != nil {
				t.Fatal(err)
			}
			out, err := s.Run(RunOptions{Debug: true})
			if err != nil {
				t.Fatal(err)
			}
			used[name] = fmt.Sprintf("%d nodes, %d rejected", len(strings.Fields(out.Recorder.Nodes(0))), out.Summary.Jobs.Rejected)
		}
		if used["one"] != "1 nodes, 0 rejected" || used["two"] != "2 nodes, 1 rejected" {
			t.Errorf("%s: %v", word, used)
		}
	}
}
