package sim_test

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"testing"

	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// generated yields made-up jobs: Poisson arrivals at a load, lognormal run
// times, sizes from a list with weights, estimates a factor of 1 to 10 above.
type generated struct {
	n, i    int
	now     float64
	gap     float64
	sizes   []int
	weights []float64
	mu, sd  float64
	exact   bool
	draw    interface {
		ExpFloat64() float64
		NormFloat64() float64
		Float64() float64
	}
}

func generate(n, gpus int, load float64, sizes []int, weights []float64, exact bool) *generated {
	g := &generated{n: n, sizes: sizes, weights: weights, mu: math.Log(600), sd: 1.2, exact: exact, draw: event.Stream(7, "bench", 0)}
	mean := 0.0
	for i, s := range sizes {
		mean += weights[i] * float64(s)
	}
	g.gap = mean * math.Exp(g.mu+g.sd*g.sd/2) / (load * float64(gpus))
	return g
}

func (g *generated) Next() (*workloads.Job, error) {
	if g.i == g.n {
		return nil, io.EOF
	}
	g.i++
	g.now += g.draw.ExpFloat64() * g.gap
	u, size := g.draw.Float64(), g.sizes[len(g.sizes)-1]
	for i, w := range g.weights {
		if u -= w; u < 0 {
			size = g.sizes[i]
			break
		}
	}
	d := event.Time(math.Ceil(math.Exp(g.mu+g.sd*g.draw.NormFloat64()))) * event.Second
	j := &workloads.Job{ID: strconv.Itoa(g.i), Submit: event.Time(g.now) * event.Second, Duration: d, GPUs: size, Share: 1000}
	if !g.exact {
		j.HasLimit, j.TimeLimit = true, event.Time(float64(d)*(1+9*g.draw.Float64()))
	}
	return j, nil
}

var (
	hpcSizes     = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128}
	hpcWeights   = []float64{.2, .1, .02, .15, .02, .15, .02, .14, .02, .1, .02, .05, .01}
	phillySizes  = []int{1, 2, 4, 8, 16, 32}
	phillyWeight = []float64{.75, .1, .06, .06, .02, .01}
)

func benchRun(b *testing.B, jobs, gpus, perNode int, load float64, sizes []int, weights []float64, exact bool, rec assembly.Recipe) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		src := &slice{}
		g := generate(jobs, gpus, load, sizes, weights, exact)
		for {
			j, err := g.Next()
			if err != nil {
				break
			}
			src.jobs = append(src.jobs, j)
		}
		spec := cluster.Spec{}
		for n := 0; n < gpus/perNode; n++ {
			spec.Nodes = append(spec.Nodes, cluster.NodeSpec{Name: fmt.Sprint("n", n), GPUs: perNode, CPUMilli: cluster.Uncounted, Memory: cluster.Uncounted})
		}
		c, err := cluster.New(spec)
		if err != nil {
			b.Fatal(err)
		}
		s, how, err := assembly.Build(rec, policies.Env{Cluster: c, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := sim.Run(sim.Config{Cluster: c, Source: src, Scheduler: s, Preemption: how, Horizon: event.Never}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkEASY256(b *testing.B) {
	benchRun(b, 2000, 256, 256, .95, hpcSizes, hpcWeights, false, recipe("fifo", "easy", "first-fit", "none"))
}

func BenchmarkEASY256Exact(b *testing.B) {
	benchRun(b, 2000, 256, 256, .95, hpcSizes, hpcWeights, true, recipe("fifo", "easy", "first-fit", "none"))
}

func BenchmarkConservative256(b *testing.B) {
	benchRun(b, 2000, 256, 256, .95, hpcSizes, hpcWeights, false, recipe("fifo", "conservative", "first-fit", "none"))
}

func BenchmarkConservative256Exact(b *testing.B) {
	benchRun(b, 2000, 256, 256, .95, hpcSizes, hpcWeights, true, recipe("fifo", "conservative", "first-fit", "none"))
}

func BenchmarkEASY1kGPUs(b *testing.B) {
	benchRun(b, 100000, 1000, 8, .9, phillySizes, phillyWeight, false, recipe("fifo", "easy", "best-fit", "none"))
}

func BenchmarkEASY10kGPUs(b *testing.B) {
	benchRun(b, 100000, 10000, 8, .9, phillySizes, phillyWeight, false, recipe("fifo", "easy", "best-fit", "none"))
}

func BenchmarkSRTF256(b *testing.B) {
	benchRun(b, 20000, 256, 8, .95, phillySizes, phillyWeight, true, recipe("srtf", "greedy", "best-fit", "checkpoint"))
}

// BenchmarkLongQueue measures what a queue a hundred times longer costs a job.
func BenchmarkLongQueue(b *testing.B) {
	for _, n := range []int{2000, 200000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchRun(b, n, 256, 8, 1000, phillySizes, phillyWeight, false, recipe("fifo", "easy", "best-fit", "none"))
		})
	}
}
