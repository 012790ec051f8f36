package workloads

import "gpusim/sim/event"

// Job is the immutable description of one job: what it asks for and what it
// would do alone on its reference hardware. What becomes of it in a run is
// kept elsewhere (sim/cluster).
type Job struct {
	ID        string
	Name      string
	User      string
	Tenant    string
	Queue     string
	Partition string
	Kind      string // training, inference, interactive, batch; "" = not said

	// Submit is when the job is submitted, from the epoch of the run.
	Submit event.Time
	// Duration is the run time on the reference GPU at the requested size.
	Duration event.Time

	// GPUs is the number of GPUs of the gang; 0 is a CPU job.
	GPUs int
	// Share is the part of each GPU that is asked for, in thousandths. It is
	// 1000 but for a job that shares a GPU (then GPUs is 1).
	Share int

	// Shape of the gang; 0 = not given. GPUsPerNode and Nodes fix it (each
	// node used gives exactly GPUsPerNode), MaxNodes bounds it.
	GPUsPerNode int
	Nodes       int
	MaxNodes    int

	// NodeSelector lists labels a node must carry, sorted by key.
	NodeSelector []Label
	// GPUTypes lists the acceptable GPU types; empty = any.
	GPUTypes []string

	CPUMilli int64 // thousandths of a core, whole job
	Memory   int64 // bytes, whole job

	// TimeLimit is the user's claim of the run time, which policies plan with.
	// HasLimit false: no claim; planning uses Duration and nothing kills.
	TimeLimit event.Time
	HasLimit  bool

	Priority    int64
	Deadline    event.Time // after submission
	HasDeadline bool

	// DependsOn lists jobs that must complete before this one may start.
	DependsOn []string
	// Array is the id of the array this element belongs to ("" = none), of
	// which at most Throttle elements run at once (0 = no bound).
	Array    string
	Throttle int

	// Outcome says how the job ends by itself: after OutcomeAfter of run time
	// if that is shorter than Duration or Outcome is not OutcomeOK.
	Outcome      Outcome
	OutcomeAfter event.Time

	// Checkpoint overrides the policy's checkpointing; nil = as the policy says.
	Checkpoint *Checkpoint

	// RecordedWait is what the trace says the job waited.
	RecordedWait    event.Time
	HasRecordedWait bool

	// Line is the line of the trace, 0 where there is none.
	Line int64
}

// Label is one key=value pair of a node selector.
type Label struct{ Key, Value string }

// Outcome is how a job ends when nothing interferes.
type Outcome uint8

// The outcomes a trace can tell.
const (
	OutcomeOK     Outcome = iota // completes after Duration
	OutcomeFail                  // fails after OutcomeAfter
	OutcomeCancel                // is cancelled by its user after OutcomeAfter
)

// Checkpoint says how a job saves its work.
type Checkpoint struct {
	Interval event.Time // productive time between checkpoints; 0 = nothing is ever lost
	Cost     event.Time // time a checkpoint takes
	Restart  event.Time // time to come back
}

// Source yields jobs in order of submission (equal times in file order).
// Next returns io.EOF after the last. The job stays valid after the next call.
type Source interface {
	Next() (*Job, error)
}
