package order

import (
	"fmt"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// LASConfig sets how finely attained service is told apart.
type LASConfig struct {
	Quantum *units.Duration `yaml:"quantum,omitempty" doc:"GPU time by which attained service is counted, in whole steps (default 1h of one GPU); a running job that completes a step is ranked again at that instant"`
}

// Defaults writes out what was left out.
func (c *LASConfig) Defaults() { orElse(&c.Quantum, event.Hour) }

// orElse gives a setting that was left out its default.
func orElse(d **units.Duration, t event.Time) {
	if *d == nil {
		v := units.Duration(t)
		*d = &v
	}
}

// las is least attained service: key = steps of GPU time that the job has been
// on GPUs, in all attempts. Whole steps, because with exact amounts two equal
// jobs would take the GPU from each other for ever.
//
// Source: foreground-background processor sharing (Nuyens and Wierman,
// Performance Evaluation 65, 2008), discretised; two-dimensional (time x GPUs)
// as in Tiresias (NSDI 2019). Cost: O(1) a job, a round a step.
type las struct{ quantum event.Time } // GPU-nanoseconds

func newLAS(config any, _ policies.Env) (Order, error) {
	q := event.Hour
	if c, _ := config.(*LASConfig); c != nil && c.Quantum != nil {
		if *c.Quantum <= 0 {
			return nil, fmt.Errorf("quantum %v is not above zero", *c.Quantum)
		}
		q = event.Time(*c.Quantum)
	}
	return las{q}, nil
}

func (o las) Key(j *cluster.Job, now event.Time) cluster.Key {
	return cluster.Key{A: steps(j.OnGPU(now), j.Req.Milli(), o.quantum)}
}

func (o las) Next(j *cluster.Job, now event.Time) event.Time {
	if j.State != cluster.Running || j.Req.Milli() == 0 {
		return event.Never
	}
	n := steps(j.OnGPU(now), j.Req.Milli(), o.quantum)
	return now + until(j.Req.Milli(), n+1, o.quantum) - j.OnGPU(now)
}
