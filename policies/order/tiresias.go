package order

import (
	"fmt"
	"math"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// TiresiasConfig sets the queues.
type TiresiasConfig struct {
	Queues  []float64 `yaml:"queues" required:"true" doc:"attained GPU-seconds at which a job leaves the first, second, ... queue; rising"`
	Promote float64   `yaml:"promote" doc:"a started job that has waited this many times its executed time goes back to the first queue with both counters at zero; 0 = never"`
	Ties    string    `yaml:"ties,omitempty" enum:"first-start,running-first" doc:"inside a queue: by first start (default), or running jobs first as the published simulator does"`
}

// Defaults writes out what was left out.
func (c *TiresiasConfig) Defaults() {
	if c.Ties == "" {
		c.Ties = "first-start"
	}
}

// tiresias is the discretised two-dimensional least-attained-service order:
//
//	key = (queue, first start)
//
// A job is in queue k when its attained GPU time (time on GPUs x GPUs, all
// attempts since it was last promoted) has reached k of the limits; it leaves
// a queue at the exact instant it reaches the limit. Inside a queue the job
// that started first goes first, never-started ones last. With ties:
// running-first, running jobs go first and the rest by submission, as the
// published simulator does.
//
// Source: Tiresias (Gu et al., NSDI 2019), section 3.3; its simulator's
// dlas-gpu, whose next-jump estimate (seconds mixed with GPU-seconds) is not
// followed. Cost: O(1) a job, one round a change of queue.
type tiresias struct {
	limits       []event.Time // GPU-nanoseconds
	promote      float64
	runningFirst bool
}

func newTiresias(config any, _ policies.Env) (Order, error) {
	c, _ := config.(*TiresiasConfig)
	if c == nil || len(c.Queues) == 0 {
		return nil, fmt.Errorf("needs queues: a list of attained GPU-seconds, for example [3600, 36000]")
	}
	o := &tiresias{promote: c.Promote, runningFirst: c.Ties == "running-first"}
	last := 0.0
	for _, q := range c.Queues {
		limit := math.Round(q * 1e9)
		if !(limit > last) || q >= 9e9 {
			return nil, fmt.Errorf("queues must rise by a nanosecond or more, from above 0 to below 9e9 GPU-seconds, not %v", c.Queues)
		}
		last = limit
		o.limits = append(o.limits, event.Time(limit))
	}
	if c.Promote < 0 || math.IsNaN(c.Promote) || math.IsInf(c.Promote, 0) {
		return nil, fmt.Errorf("promote %v is not a number of 0 or more", c.Promote)
	}
	if c.Ties != "" && c.Ties != "first-start" && c.Ties != "running-first" {
		return nil, fmt.Errorf("ties %q is neither first-start nor running-first", c.Ties)
	}
	return o, nil
}

func (o *tiresias) executed(j *cluster.Job, now event.Time) event.Time {
	return j.OnGPU(now) - j.Served
}

func (o *tiresias) Key(j *cluster.Job, now event.Time) cluster.Key {
	if at := o.promotion(j); at <= now {
		j.Served, j.Counted = j.OnGPU(now), false // both counters start again
	}
	ex := o.executed(j, now)
	if ex > 0 && !j.Counted {
		// Waiting counts from the first time executed on.
		j.Counted, j.Forgiven = true, j.Waited
	}
	j.Level = 0
	for _, l := range o.limits {
		if steps(ex, j.Req.Milli(), l) < 1 {
			break
		}
		j.Level++
	}
	if o.runningFirst {
		return cluster.Key{A: int64(j.Level)}
	}
	return cluster.Key{A: int64(j.Level), B: int64(j.FirstStart)}
}

// promotion returns when a waiting job is promoted, Never if it is not.
func (o *tiresias) promotion(j *cluster.Job) event.Time {
	if o.promote == 0 || j.State == cluster.Running || j.State == cluster.Stopping || j.FirstStart == event.Never {
		return event.Never
	}
	ex := o.executed(j, j.Since)
	if ex <= 0 || !j.Counted {
		return event.Never
	}
	wait := math.Ceil(o.promote * float64(ex))
	if wait >= float64(event.Never/4) {
		return event.Never
	}
	return j.WaitSince + max(event.Time(wait)-(j.Waited-j.Forgiven), 0)
}

func (o *tiresias) Next(j *cluster.Job, now event.Time) event.Time {
	if j.State != cluster.Running {
		return o.promotion(j)
	}
	if int(j.Level) >= len(o.limits) || j.Req.Milli() == 0 {
		return event.Never
	}
	return now + until(j.Req.Milli(), 1, o.limits[j.Level]) - o.executed(j, now)
}
