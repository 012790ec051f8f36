package policies

import "gpusim/sim/event"

// PreemptKind is what happens to a preempted job.
type PreemptKind uint8

// The kinds of preemption.
const (
	PreemptNone       PreemptKind = iota
	PreemptKill                   // starts over
	PreemptCheckpoint             // goes back to its last checkpoint, on any GPUs
	PreemptSuspend                // goes on where it was, on the same GPUs
	PreemptCancel                 // ends
	PreemptSlices                 // as suspend: rows of jobs take turns
)

// Preemption is how jobs are preempted.
type Preemption struct {
	Kind     PreemptKind
	Interval event.Time // productive time between checkpoints; 0 = one is taken when preempted
	Cost     event.Time // time on GPUs that a checkpoint (or a suspension) takes
	Restart  event.Time // time on GPUs before a preempted job works again
	MinRun   event.Time // a job is not preempted before it has run so long
	Grace    event.Time // a chosen job runs on for so long
	Slice    event.Time // PreemptSlices: length of a turn
}

// StopDelay is how long a chosen job keeps its GPUs.
func (p *Preemption) StopDelay(interval, cost event.Time) event.Time {
	d := p.Grace
	if p.Kind == PreemptSuspend || p.Kind == PreemptCheckpoint && interval == 0 {
		d += cost
	}
	return d
}
