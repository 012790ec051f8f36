package cluster

import (
	"gpusim/sim/event"
	"gpusim/workloads"
)

// State is where a job stands.
type State uint8

// The states of a job, in the order it can pass through them.
const (
	Held      State = iota // submitted; a dependency or an array throttle holds it
	Waiting                // in the queue
	Running                // holds GPUs
	Stopping               // holds GPUs for a grace time, chosen to be preempted
	Suspended              // in the queue, to come back on the GPUs it had
	Completed
	Failed
	Rejected
	Cancelled
)

// Ended reports whether nothing more will happen to the job.
func (s State) Ended() bool { return s >= Completed }

// String gives the word of the reports.
func (s State) String() string {
	switch s {
	case Completed:
		return "completed"
	case Failed:
		return "failed"
	case Rejected:
		return "rejected"
	case Cancelled:
		return "cancelled"
	}
	return "unfinished"
}

// Key is a job's place in an order: smaller goes first.
type Key struct{ A, B int64 }

// Less compares keys.
func (k Key) Less(o Key) bool { return k.A < o.A || k.A == o.A && k.B < o.B }

// Job is the run-time record of a live job. The kernel writes it; policies
// read it, but for the fields at its end, which are theirs.
type Job struct {
	Spec *workloads.Job
	Req  *Request
	// Index is the job's position in order of submission (equal times in file
	// order); every tie breaks by it.
	Index int32
	State State

	Eligible   event.Time // when nothing held it any more
	FirstStart event.Time // Never before
	LastStart  event.Time // of the current or last attempt
	PlannedEnd event.Time // while it holds GPUs: when policies expect the end
	WaitSince  event.Time // since when it has waited, while it waits

	Chunks []Chunk // what it holds (Suspended: held and to come back to)

	// Execution, brought up to date at Since.
	Since event.Time
	Rate  Rate
	Left  Work       // work still to do
	Kept  Work       // work to do if it had to go back to its last checkpoint
	Pause event.Time // restart or checkpoint time to pass before work goes on
	Limit event.Time // when its time limit ends it; Never where limits do not kill

	// Time on GPUs so far (wall time; times Req.Milli gives GPU time).
	Productive event.Time // work that is saved or finished
	Unsaved    event.Time // work since the last checkpoint
	Lost       event.Time
	Overhead   event.Time
	Waited     event.Time

	// AtStart is what Productive, Lost and Overhead were when it last started.
	AtStart [3]event.Time

	Slot        int32 // its place among the live jobs; the kernel's
	Blocked     int32 // dependencies that have not completed
	Active      bool  // counts against its array's throttle
	Attempts    int32
	Preemptions int32
	End         event.Handle // its completion, or the end of its grace
	EndReason   Reason
	Reason      string // of a rejection

	// Scheduler's own.
	Key      Key
	Planned  event.Time // conservative backfill: planned start
	Selected uint64     // the round that last chose it
	Served   event.Time // time on GPUs that tiresias has forgotten
	Forgiven event.Time // time waited that tiresias does not count
	Counted  bool       // whether it counts time waited at all
	Rank     int32      // its place in the last preemptive walk
	Level    int32      // tiresias: queue
	Pos      int32      // position in a list of the scheduler's
	Timer    event.Handle
}

// Reason is why a job's current stretch ends or a job was ended.
type Reason uint8

// The reasons, in the words of the reports.
const (
	NoReason Reason = iota
	ReasonCompleted
	ReasonFailed
	ReasonCancelled
	ReasonTimeLimit
	ReasonPreempted
	ReasonSuspended
	ReasonDependency
	ReasonHorizon
	ReasonRejected
	ReasonInterrupted
)

// String gives the word of the reports; "" for NoReason.
func (r Reason) String() string {
	return [...]string{"", "completed", "failed", "cancelled", "time_limit", "preempted", "suspended", "dependency", "horizon", "rejected", "interrupted"}[r]
}

// OnGPU returns how long the job has been on GPUs by now, all attempts.
func (j *Job) OnGPU(now event.Time) event.Time {
	t := j.Productive + j.Unsaved + j.Lost + j.Overhead
	if j.State == Running || j.State == Stopping {
		t += now - j.Since
	}
	return t
}

// Remaining returns how much longer the job would work at its rate (a waiting
// job at the reference speed), pauses not counted. It reads the real duration:
// only clairvoyant orders (srtf, srsf) may use it.
func (j *Job) Remaining(now event.Time) event.Time {
	if j.State != Running && j.State != Stopping {
		return j.Left.Time(FullRate)
	}
	past := now - j.Since
	if past <= j.Pause {
		return j.Left.Time(j.Rate)
	}
	return j.Left.Minus(j.Rate.Done(past - j.Pause)).Time(j.Rate)
}

// Estimate is the user's claim of the whole run time, the real duration where
// there is none.
func (j *Job) Estimate() event.Time {
	if j.Spec.HasLimit {
		return j.Spec.TimeLimit
	}
	return j.Spec.Duration
}

// Length is how long the job runs by itself: its duration, or less where the
// trace says that it failed or was cancelled earlier.
func (j *Job) Length() event.Time {
	if j.Spec.Outcome != workloads.OutcomeOK && j.Spec.OutcomeAfter < j.Spec.Duration {
		return j.Spec.OutcomeAfter
	}
	return j.Spec.Duration
}

// PlannedRun is the time on GPUs that policies expect of the next attempt: the
// estimate less what is kept of earlier ones, plus a pause to come back.
func (j *Job) PlannedRun() event.Time {
	kept := j.Length() - j.Left.Time(FullRate)
	return max(j.Estimate()-kept, 0) + j.Pause
}
