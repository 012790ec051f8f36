package preemption

import (
	"fmt"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/sim/event"
)

// Config holds the settings of every kind; those that a kind does not use are
// refused.
type Config struct {
	Interval *units.Duration `yaml:"interval,omitempty" doc:"checkpoint: productive time between checkpoints; 0s takes one when preempted and loses nothing"`
	Cost     *units.Duration `yaml:"cost,omitempty" doc:"checkpoint, suspend: time on the GPUs that saving takes"`
	Restart  *units.Duration `yaml:"restart,omitempty" doc:"time on the GPUs before a preempted job works again"`
	MinRun   *units.Duration `yaml:"min_run,omitempty" doc:"a job is not preempted before it has run so long"`
	Grace    *units.Duration `yaml:"grace,omitempty" doc:"a job chosen to be preempted runs on for so long"`
}

// Table lists the kinds of preemption.
func Table() []policies.Entry[policies.Preemption] {
	entry := func(name, doc string, kind policies.PreemptKind, config bool) policies.Entry[policies.Preemption] {
		e := policies.Entry[policies.Preemption]{Name: name, Doc: doc}
		if config {
			e.Config = func() any { return new(Config) }
		}
		e.New = func(c any, _ policies.Env) (policies.Preemption, error) { return build(name, kind, c) }
		return e
	}
	return []policies.Entry[policies.Preemption]{
		entry("none", "running jobs run to their end", policies.PreemptNone, false),
		entry("kill", "a preempted job starts over", policies.PreemptKill, true),
		entry("checkpoint", "a preempted job goes back to its last checkpoint, on any GPUs", policies.PreemptCheckpoint, true),
		entry("suspend", "a preempted job goes on where it was, on the same GPUs", policies.PreemptSuspend, true),
		entry("cancel", "a preempted job is cancelled", policies.PreemptCancel, true),
		{Name: "gang-slices", Doc: "rows of jobs take turns on the GPUs", Config: func() any { return new(SlicesConfig) }, New: buildSlices},
	}
}

func build(name string, kind policies.PreemptKind, config any) (policies.Preemption, error) {
	p := policies.Preemption{Kind: kind}
	c, _ := config.(*Config)
	if c == nil {
		return p, nil
	}
	set := func(key string, from *units.Duration, to *event.Time, used bool) error {
		if from == nil {
			return nil
		}
		if !used {
			return fmt.Errorf("%s does nothing with preemption %s", key, name)
		}
		*to = event.Time(*from)
		return nil
	}
	ckpt, susp := kind == policies.PreemptCheckpoint, kind == policies.PreemptSuspend
	for _, err := range []error{
		set("interval", c.Interval, &p.Interval, ckpt),
		set("cost", c.Cost, &p.Cost, ckpt || susp),
		set("restart", c.Restart, &p.Restart, kind != policies.PreemptCancel),
		set("min_run", c.MinRun, &p.MinRun, true),
		set("grace", c.Grace, &p.Grace, true),
	} {
		if err != nil {
			return p, err
		}
	}
	return p, nil
}
