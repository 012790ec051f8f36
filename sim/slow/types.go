package slow

// None stands for a time, limit or place that there is not.
const None = -1

// Node is a machine. CPU is None where it is not counted.
type Node struct {
	GPUs, CPU int
	Partition string
}

// Job is what is asked for. The position in the list of jobs is the position
// in the file.
type Job struct {
	ID               string
	Submit, Duration int
	GPUs             int
	PerNode, Nodes   int // 0 = not given
	MaxNodes         int
	CPU              int
	Partition        string
	Limit            int // None = no claim
	Priority         int
	DependsOn        []string
	Array            string
	Throttle         int
	FailAfter        int // None = it does not fail
}

// Rules is everything that is decided by the scenario but the jobs and nodes.
type Rules struct {
	Order, Backfill, Placement, Preemption string

	Queues  []int // tiresias: GPU-seconds
	Promote int

	Interval, Cost, Restart, MinRun, Grace int

	PerEvent bool
	Enforce  bool
	Horizon  int // None = until all have ended
}

// Spot is one GPU.
type Spot struct{ Node, GPU int }

// Stretch is a time on one set of GPUs. A job without GPUs has its node in
// Node alone.
type Stretch struct {
	From, To int
	Spots    []Spot
	Node     int
}

// Outcome is what became of a job. Start and End are None where there is none;
// a job that the run leaves alive is "unfinished" and has no End.
type Outcome struct {
	ID, Status   string
	Start, End   int
	Stretches    []Stretch
	Preemptions  int
	Waited       int
	Productive   int // seconds on GPUs, by what came of them
	Lost, Extra  int
	NeverArrived bool // submitted at the horizon or later
}

// state is where a job stands.
type state int

const (
	unborn   state = iota
	held           // by a dependency or its array
	waiting        // suspended jobs too
	running        //
	stopping       // in its grace time, or saving
	ended          //
)

// job is everything known of a job.
type job struct {
	Job
	pos   int // in the file
	state state

	submitted bool
	active    bool // counts for its array

	length    int // what it really runs, alone
	done      int // seconds of work
	saved     int // of these, safe
	unsaved   int // on the clock since the last save
	pause     int // restart or checkpoint time still to pass
	started   int // of this attempt
	first     int // first start
	limitAt   int // when its limit kills it
	graceEnd  int
	savingTo  int // end of the time that saving takes
	spots     []Spot
	node      int // of a job without GPUs
	suspended bool

	rank     int // in the last walk
	attained int // tiresias: seconds on GPUs that count
	pending  int // tiresias: seconds waited that count

	out Outcome
}

// estimate is what the scheduler believes of the whole run.
func (j *job) estimate() int {
	if j.Limit != None {
		return j.Limit
	}
	return j.Duration
}

// plannedEnd is when the scheduler believes that a running job ends.
func (j *job) plannedEnd(now int) int { return max(now, j.started+j.estimate()) }

// onGPUs says whether the job holds GPUs.
func (j *job) onGPUs() bool { return j.state == running || j.state == stopping }
