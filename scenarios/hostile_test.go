package scenarios

import (
	"strings"
	"testing"
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
