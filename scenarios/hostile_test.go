package scenarios

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const oneNode = `apiVersion: gpusim/v1
kind: Scenario
name: t
cluster: {nodes: [{name: n, gpu: A100-SXM4-80GB, gpus: 4}]}
`

// wrong expects a text to be refused with all these words.
func wrong(t *testing.T, text string, words ...string) {
	t.Helper()
	_, err := Parse("t.yaml", ".", []byte(text), nil)
	if err == nil {
		t.Errorf("no error for\n%s", text)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("no %q in: %v", w, err)
		}
	}
}

func TestEveryPlacementServesAShapeOfOneGPU(t *testing.T) {
	for _, rule := range []string{"first-fit", "best-fit", "worst-fit", "random", "pack", "spread", "consolidate"} {
		for _, shape := range []string{"nodes: 1", "gpus_per_node: 1", "max_nodes: 1"} {
			out := run(t, oneNode+"workload: {jobs: [{id: a, duration: 10s, gpus: 1, "+shape+"}]}\npolicy: {placement: "+rule+"}\n", "")
			if out.Result.Completed != 1 {
				t.Errorf("%s, %s: %d completed", rule, shape, out.Result.Completed)
			}
		}
	}
}

func TestLengthsOfTimeHaveARange(t *testing.T) {
	for _, key := range []string{"submit", "duration", "time_limit", "deadline"} {
		job := map[string]string{"duration": "1s", key: "27000d"}
		text := "workload: {jobs: [{id: a, gpus: 1"
		for k, v := range job {
			text += ", " + k + ": " + v
		}
		wrong(t, oneNode+text+"}]}\n", "73 years", key, "t.yaml:5:")
	}
	for _, key := range []string{"interval", "cost", "restart", "min_run", "grace"} {
		wrong(t, oneNode+"workload: {jobs: [{id: a, gpus: 1, duration: 1s}]}\npolicy: {preemption: {name: checkpoint, "+key+": 27000d}}\n", "73 years", key)
	}
}

func TestNothingWhereAMappingBelongs(t *testing.T) {
	const workload = "workload: {jobs: [{id: a, duration: 1s, gpus: 1}]}\n"
	head := strings.Split(oneNode, "cluster")[0]
	wrong(t, oneNode+"workload: {jobs: [null, 5, [a]]}\n", "t.yaml:5:", "jobs[0] must be a mapping", "jobs[1] must", "jobs[2] must")
	wrong(t, oneNode+"workload: {trace: 5}\n", "workload.trace must be a mapping")
	wrong(t, head+"cluster: {nodes: [null]}\n"+workload, "cluster.nodes[0] must be a mapping")
	wrong(t, head+"cluster: {trace: 5}\n"+workload, "cluster.trace must be a mapping")
	wrong(t, head+"cluster: {nodes: [{name: n, gpus: 1}], partitions: {p: null}, reservations: [null]}\n"+workload, "partitions.p must be", "reservations[0] must be")
}

func TestExplicitNothingIsNoDefault(t *testing.T) {
	const job = "workload: {jobs: [{id: a, duration: 1s, gpus: 1"
	for policy, words := range map[string]string{
		"order: ''": "empty", "order: {name: ''}": "needs a name",
		"order: {name: las, quantum: 0s}":                                "quantum 0s is not above zero",
		"order: {name: gittins, services: [5], quantum: 0s}":             "quantum 0s is not above zero",
		"order: {name: priority, ageing: 0s}":                            "ageing 0s is not above zero",
		"order: {name: tiresias, queues: [1e-10]}":                       "rise by a nanosecond",
		"order: {name: tiresias, queues: [0.0000000011, 0.00000000112]}": "rise by a nanosecond",
	} {
		wrong(t, oneNode+job+"}]}\npolicy: {"+policy+"}\n", "t.yaml:6:", words)
	}
	wrong(t, oneNode+job+", array: ''}]}\n", "array is empty")
	for _, set := range []string{"partitions: {p: {nodes: []}}", "partitions: {p: {labels: {}}}", "reservations: [{name: r, start: 0s, end: 1s, nodes: []}]"} {
		wrong(t, strings.Replace(oneNode, "cluster: {", "cluster: {"+set+", ", 1)+job+"}]}\n", "is empty")
	}
}

func TestDefaultsOfOrdersAreWrittenOut(t *testing.T) {
	for order, want := range map[string]string{
		"las": "quantum: 1h", "{name: gittins, services: [5]}": "quantum: 1h",
		"{name: tiresias, queues: [5]}": "ties: first-start", "fair": "half_life: 7d",
	} {
		s, err := Parse("t.yaml", ".", []byte(oneNode+"workload: {jobs: []}\npolicy: {order: "+order+"}\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := s.Resolved(); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: no %q in %s (%v)", order, want, b, err)
		}
	}
}

func TestNumbersThatOverflow(t *testing.T) {
	job := func(keys string) string { return oneNode + "workload: {jobs: [{id: a, duration: 1s, " + keys + "}]}\n" }
	wrong(t, job("gpus: 1, array: 9223372036854775800-9223372036854775807:5"), "t.yaml:5:", "not a list of element numbers")
	wrong(t, job("gpus: 1, array: '0-600000,600001-1200000'"), "more than a million elements")
	wrong(t, job("gpus_per_node: 2147483648, nodes: 8589934592"), "more than 100,000,000 GPUs")
	wrong(t, job("gpus_per_node: 4000000000, nodes: 4000000000"), "more than 100,000,000 GPUs")
	wrong(t, job("gpus: 0, gpus_per_node: 2147483648, nodes: 8589934592"), "are not 0 GPUs")
	wrong(t, strings.Replace(job("gpus: 1"), "gpus: 4", "gpus: 1000000, count: 10000000", 1), "t.yaml:4:", "grows beyond")
}

// Many mistakes of one kind are told in a time that grows with their number.
func TestManyUnknownDependencies(t *testing.T) {
	var b strings.Builder
	b.WriteString(oneNode + "workload:\n  jobs:\n")
	for i := range 9000 {
		fmt.Fprintf(&b, "  - {id: j%d, duration: 1s, gpus: 1, depends_on: k%d}\n", i, i)
	}
	begin := time.Now()
	wrong(t, b.String(), "did you mean j0?", "k8999")
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
}

// endless is a source without an end.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestASourceOfZeroBytesIsNotReadForEver(t *testing.T) {
	_, err := Load("-", endless(0), nil)
	if err == nil || !strings.Contains(err.Error(), "zero byte") {
		t.Errorf("error %v", err)
	}
}

func TestEveryOptionOfATraceHasItsOwnPosition(t *testing.T) {
	_, err := Parse("t.yaml", ".", []byte(oneNode+"workload: {trace: {format: native, path: nofile, scale: {submit: -1}, pending: x, attempts: last}}\n"), nil)
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) < 3 {
		t.Errorf("%d lines: %v", len(lines), err)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "t.yaml:5:") {
			t.Errorf("no position: %s", l)
		}
	}
}

// A key that would be refused is not offered to one who misspells another.
func TestKnownKeysAreServed(t *testing.T) {
	_, err := Parse("t", ".", []byte("apiVersion: gpusim/v1\nkind: Scenario\nname: t\ncluster: {nodes: [{name: n, gpus: 1}]}\nworkload: {jobs: []}\npolicy: {quata: x}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), "known: backfill") || strings.Contains(err.Error(), "quota") {
		t.Errorf("%v", err)
	}
}
