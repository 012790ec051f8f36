package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpusim/sim/slow"
)

// seedsEach is how many scenes are drawn for every way to schedule.
const seedsEach = 12

// TestSlowRandom lets the engine and the oracle play the same random scenes.
func TestSlowRandom(t *testing.T) {
	ran, waited := 0, 0
	for i, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			for k := range seedsEach {
				seed := uint64(i*1000 + k)
				t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
					s := drawScene(seed, v.rules(draw{rand.New(rand.NewPCG(seed, 0x77))}), v.kind)
					if s.rules.Order == "tiresias" {
						divisible(&s)
					}
					for _, o := range slow.Run(s.nodes, s.jobs, s.rules) {
						if o.Status != "rejected" && !o.NeverArrived {
							ran++
						}
						if o.Waited > 0 {
							waited++
						}
						if o.Status == "unfinished" && s.rules.Horizon == slow.None {
							t.Errorf("%s is never done, and nothing stops the run", o.ID)
						}
					}
					if d := s.differ(t); d != "" {
						s = s.shrink(t)
						t.Errorf("%s\n%s", s.differ(t), s)
					}
				})
			}
		})
	}
	t.Logf("%d jobs, %d of them waited", ran, waited)
	if 10*waited < 3*ran {
		t.Errorf("only %d of %d jobs wait: the scenes are too easy", waited, ran)
	}
}

// shrink drops jobs as long as the two still differ.
func (s scene) shrink(t *testing.T) scene {
	for again, tries := true, 0; again && tries < 500; {
		again = false
		for i := len(s.jobs) - 1; i >= 0; i-- {
			tries++
			small := s
			small.jobs = slices.Delete(slices.Clone(s.jobs), i, i+1)
			if small.differ(t) != "" {
				s, again = small, true
			}
		}
	}
	return s
}

// String writes a scene the way a person would want to read a failure.
func (s scene) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rules %+v\nnodes %+v\n", s.rules, s.nodes)
	for _, j := range s.jobs {
		fmt.Fprintf(&b, "  %s submit %d duration %d gpus %d", j.ID, j.Submit, j.Duration, j.GPUs)
		for _, f := range []struct {
			name    string
			is, not int
		}{{"limit", j.Limit, slow.None}, {"fail", j.FailAfter, slow.None}, {"priority", j.Priority, 0}, {"per_node", j.PerNode, 0},
			{"nodes", j.Nodes, 0}, {"max_nodes", j.MaxNodes, 0}, {"cpu", j.CPU, 0}, {"throttle", j.Throttle, 0}} {
			if f.is != f.not {
				fmt.Fprintf(&b, " %s %d", f.name, f.is)
			}
		}
		if j.Partition+j.Array != "" || len(j.DependsOn) > 0 {
			fmt.Fprintf(&b, " partition %q array %q after %v", j.Partition, j.Array, j.DependsOn)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
