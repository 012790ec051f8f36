package order

import (
	"fmt"
	"math"
	"sort"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// GittinsConfig gives the distribution of service that the index is taken of.
type GittinsConfig struct {
	Services []float64       `yaml:"services" required:"true" doc:"sample of the GPU-seconds that jobs need in all, from history"`
	Quantum  *units.Duration `yaml:"quantum,omitempty" doc:"GPU time of one step: the index looks one step ahead, and a running job is ranked again after each (default 1h of one GPU)"`
}

// Defaults writes out what was left out.
func (c *GittinsConfig) Defaults() { orElse(&c.Quantum, event.Hour) }

// gittins is the two-dimensional Gittins index: the job most likely to finish
// soon, for the service it has had, goes first.
//
//	index(a) = P(S - a <= D | S > a) / E[min(S - a, D) | S > a]
//
// with attained service a (GPU time in all attempts, in whole steps of D), the
// sample S and the step D; key = -index. A job that has had more than every job
// of the sample goes last. It knows the sample, not the job.
//
// Source: Tiresias (Gu et al., NSDI 2019), section 3.3, with the textbook
// definition; the authors' simulator sums the sampled values themselves instead
// of what is left of them. Cost: O(log sample) a job, a round a step.
type gittins struct {
	quantum event.Time
	index   []float64 // by whole steps attained
}

func newGittins(config any, _ policies.Env) (Order, error) {
	c, _ := config.(*GittinsConfig)
	if c == nil || len(c.Services) == 0 {
		return nil, fmt.Errorf("needs services: a sample of the GPU-seconds that jobs need, for example [600, 3600, 36000]")
	}
	o := &gittins{quantum: event.Hour}
	if c.Quantum != nil {
		if *c.Quantum <= 0 {
			return nil, fmt.Errorf("quantum %v is not above zero", *c.Quantum)
		}
		o.quantum = event.Time(*c.Quantum)
	}
	longest := 0.0
	for _, s := range c.Services {
		if !(s > 0) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("services must be above 0 GPU-seconds, not %v", s)
		}
		longest = max(longest, s)
	}
	d := float64(o.quantum) / 1e9
	if longest/d > 1e6 {
		return nil, fmt.Errorf("the largest service is %v GPU-seconds, more than a million steps of %v; take a larger quantum", longest, units.Duration(o.quantum))
	}
	sample := append([]float64(nil), c.Services...)
	sort.Float64s(sample)
	for a := 0.0; a < longest; a = d * float64(len(o.index)) {
		o.index = append(o.index, GittinsIndex(sample, a, d))
	}
	return o, nil
}

// GittinsIndex returns the index of attained service a over a sorted sample of
// services with step d, all in one unit; 0 where nobody in the sample needs
// more than a.
func GittinsIndex(sample []float64, a, d float64) float64 {
	alive := sample[sort.Search(len(sample), func(i int) bool { return sample[i] > a }):]
	if len(alive) == 0 {
		return 0
	}
	soon, sum := 0, 0.0
	for _, s := range alive {
		if s-a <= d {
			soon++
		}
		sum += min(s-a, d)
	}
	return float64(soon) / sum
}

func (o *gittins) Key(j *cluster.Job, now event.Time) cluster.Key {
	n := steps(j.OnGPU(now), j.Req.Milli(), o.quantum)
	if n >= int64(len(o.index)) {
		return cluster.Key{A: math.MaxInt64}
	}
	// Bits of positive floats order like the floats.
	return cluster.Key{A: -int64(math.Float64bits(o.index[n]))}
}

func (o *gittins) Next(j *cluster.Job, now event.Time) event.Time {
	if j.State != cluster.Running || j.Req.Milli() == 0 {
		return event.Never
	}
	n := steps(j.OnGPU(now), j.Req.Milli(), o.quantum)
	if n >= int64(len(o.index)) {
		return event.Never
	}
	return now + until(j.Req.Milli(), n+1, o.quantum) - j.OnGPU(now)
}
