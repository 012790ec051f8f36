package order

import (
	"fmt"
	"math/bits"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// PriorityConfig sets ageing.
type PriorityConfig struct {
	Ageing *units.Duration `yaml:"ageing,omitempty" doc:"time waited that counts as one point of priority; absent: priorities stand still"`
}

// priority is largest priority first. With ageing a, a job that has waited w
// counts as priority + w / a. All waiting jobs age alike, so with time waited
// measured from eligibility their order never changes:
//
//	priority + (now - eligible) / a   orders like   priority x a - eligible
//
// which is the key (exact, 128 bits). A running job keeps what it had waited
// when it started: in the same terms its eligible time moves on with now.
//
// Source: linear ageing as in operating systems' textbooks and the age factor
// of Slurm's multifactor priority without its cap. Cost: O(1) a job.
type priority struct {
	age     event.Time
	preempt bool
}

func newPriority(config any, env policies.Env) (Order, error) {
	c, _ := config.(*PriorityConfig)
	if c == nil || c.Ageing == nil {
		return priority{}, nil
	}
	if *c.Ageing <= 0 {
		return nil, fmt.Errorf("ageing %v is not above zero; leave it out and priorities stand still", *c.Ageing)
	}
	return priority{event.Time(*c.Ageing), env.Preempt}, nil
}

func (p priority) Key(j *cluster.Job, now event.Time) cluster.Key {
	if p.age == 0 {
		return cluster.Key{A: -j.Spec.Priority}
	}
	hi, lo := mulSigned(j.Spec.Priority, int64(p.age))
	since := j.WaitSince - j.Waited
	if j.State == cluster.Running || j.State == cluster.Stopping {
		since = now - j.Waited
	}
	// key = since - priority x age
	lo2, borrow := bits.Sub64(uint64(since), lo, 0)
	hi2, _ := bits.Sub64(uint64(since>>63), uint64(hi), borrow)
	return cluster.Key{A: int64(hi2), B: int64(lo2 ^ 1<<63)}
}

// Next: where running jobs can be preempted, a waiting one overtakes them
// without any other event; a round at every whole point that it gains sees it.
func (p priority) Next(j *cluster.Job, now event.Time) event.Time {
	if p.age == 0 || !p.preempt || j.State == cluster.Running || j.State == cluster.Stopping {
		return event.Never
	}
	waited := now - j.WaitSince + j.Waited
	return now + p.age - waited%p.age
}

func mulSigned(a, b int64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	hi = int64(h)
	if a < 0 {
		hi -= b
	}
	if b < 0 {
		hi -= a
	}
	return hi, l
}
