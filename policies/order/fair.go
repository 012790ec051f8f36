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

// FairConfig sets whose usage counts and how fast it is forgotten.
type FairConfig struct {
	HalfLife *units.Duration `yaml:"half_life,omitempty" doc:"time after which usage counts half (default 7d)"`
	By       string          `yaml:"by,omitempty" enum:"user,tenant" doc:"whose usage is compared: the user's (default) or the tenant's"`
}

// Defaults writes out what was left out.
func (c *FairConfig) Defaults() {
	orElse(&c.HalfLife, 7*event.Day)
	if c.By == "" {
		c.By = "user"
	}
}

// fair lets those go first who have used the least:
//
//	usage(t) = sum of GPU time on GPUs, each second weighted 2^(-age / half-life)
//	key = place of the job's owner among all owners by usage, least first
//
// Running jobs count up to the present. Owners of equal usage share a place.
// Places are looked at in every round; between rounds nobody is overtaken.
//
// Source: decayed usage as in Slurm's multifactor plug-in (there in steps of
// the factor), without shares. Cost: O(owners log owners) a round, and sorting
// the queue again when places have changed.
type fair struct {
	half   float64 // nanoseconds
	tenant bool
	owners map[string]*owner
	list   []*owner // in order of first sight
	sorted []*owner
}

// owner is the usage of one user or tenant.
type owner struct {
	used  float64 // GPU-nanoseconds, decayed to at
	at    event.Time
	gpus  float64 // held now
	place int64
	now   float64 // used, at the round being looked at
}

func newFair(config any, _ policies.Env) (Order, error) {
	o := &fair{half: float64(7 * event.Day), owners: map[string]*owner{}}
	if c, _ := config.(*FairConfig); c != nil {
		if c.HalfLife != nil {
			if *c.HalfLife <= 0 {
				return nil, fmt.Errorf("half_life %v is not above zero", *c.HalfLife)
			}
			o.half = float64(*c.HalfLife)
		}
		if c.By != "" && c.By != "user" && c.By != "tenant" {
			return nil, fmt.Errorf("by %q is neither user nor tenant", c.By)
		}
		o.tenant = c.By == "tenant"
	}
	return o, nil
}

func (o *fair) owner(j *cluster.Job) *owner {
	name := j.Spec.User
	if o.tenant {
		name = j.Spec.Tenant
	}
	w := o.owners[name]
	if w == nil {
		w = &owner{}
		o.owners[name] = w
		o.list = append(o.list, w)
	}
	return w
}

// usage is what an owner has used by now: the past decays, and what is held
// since at is the integral of its own decay.
func (o *fair) usage(w *owner, now event.Time) float64 {
	f := math.Exp2(-float64(now-w.at) / o.half)
	return w.used*f + w.gpus*o.half/math.Ln2*(1-f)
}

func (o *fair) move(w *owner, now event.Time, gpus float64) {
	w.used, w.at = o.usage(w, now), now
	w.gpus += gpus
}

// Started counts the GPUs of a job from now on.
func (o *fair) Started(j *cluster.Job, now event.Time) {
	o.move(o.owner(j), now, float64(j.Req.Milli())/1000)
}

// Stopped ends it.
func (o *fair) Stopped(j *cluster.Job, now event.Time) {
	w := o.owner(j)
	o.move(w, now, -float64(j.Req.Milli())/1000)
	if w.gpus < 1e-9 {
		w.gpus = 0
	}
}

func (o *fair) Key(j *cluster.Job, _ event.Time) cluster.Key {
	return cluster.Key{A: o.owner(j).place}
}

func (o *fair) Next(*cluster.Job, event.Time) event.Time { return event.Never }

// Shift gives out the places anew and reports whether any has changed.
func (o *fair) Shift(now event.Time) bool {
	for _, w := range o.list {
		w.now = o.usage(w, now)
	}
	o.sorted = append(o.sorted[:0], o.list...)
	sort.SliceStable(o.sorted, func(a, b int) bool { return o.sorted[a].now < o.sorted[b].now })
	changed := false
	place := int64(0)
	for i, w := range o.sorted {
		if i > 0 && w.now > o.sorted[i-1].now {
			place = int64(i)
		}
		changed = changed || w.place != place
		w.place = place
	}
	return changed
}
