package scenarios

import (
	"gpusim/hardware/units"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// Document is the scenario file.
type Document struct {
	document.At
	APIVersion string          `yaml:"apiVersion" required:"true" enum:"gpusim/v1" doc:"version of this format"`
	Kind       string          `yaml:"kind" required:"true" enum:"Scenario" doc:"what the file holds"`
	Name       string          `yaml:"name" required:"true" doc:"name of the scenario, shown in reports"`
	Seed       *uint64         `yaml:"seed" doc:"seed of every random stream (default 1)"`
	Epoch      string          `yaml:"epoch" doc:"calendar time of simulated time 0, RFC 3339"`
	Horizon    *units.Duration `yaml:"horizon" doc:"the run ends here, or when all jobs have ended"`
	Cluster    Cluster         `yaml:"cluster" required:"true" doc:"the machines"`
	Workload   Workload        `yaml:"workload" required:"true" doc:"the jobs"`
	Policy     Policy          `yaml:"policy" doc:"who decides, and how"`
	Faults     *later          `yaml:"faults" doc:"failures (not in this version)"`
	Reports    *Reports        `yaml:"reports" doc:"what the run folder holds"`
	Expect     *Expect         `yaml:"expect" doc:"what must come out; makes the file a regression test"`
}

// later is a key that the format has but this version does not serve. Ignoring
// it would give wrong results, so it is refused.
type later struct{}

func (*later) DecodeNode(n *document.Node) error {
	return n.Errorf("this key is not served by this version of gpusim; remove it")
}

// Unserved keeps such keys out of the lists of known ones.
func (*later) Unserved() {}

// Cluster describes the machines.
type Cluster struct {
	document.At
	Nodes        []Node               `yaml:"nodes" doc:"node entries, in the order in which ties break"`
	Trace        *Trace               `yaml:"trace" doc:"a file that lists nodes, instead of nodes"`
	Partitions   map[string]Partition `yaml:"partitions" doc:"named sets of nodes"`
	Reservations []Reservation        `yaml:"reservations" doc:"times for which nodes are kept free of the jobs of others"`
}

// Node is one node, or several that are alike.
type Node struct {
	document.At
	Count  *int              `yaml:"count" doc:"how many such nodes, named name-0, name-1, ...; without it one, named name"`
	Name   string            `yaml:"name" doc:"name of the node or stem of the names (default: the type)"`
	Type   string            `yaml:"type" doc:"a node type of the catalogue, which gives gpu, gpus, cpus and memory"`
	GPU    string            `yaml:"gpu" doc:"type of its GPUs"`
	GPUs   *int              `yaml:"gpus" doc:"number of GPUs"`
	CPUs   *units.Cores      `yaml:"cpus" doc:"CPU cores (absent: not counted)"`
	Memory *units.Bytes      `yaml:"memory" doc:"memory (absent: not counted)"`
	Rack   string            `yaml:"rack" doc:"rack it stands in"`
	Labels map[string]string `yaml:"labels" doc:"labels that node_selector and partitions can name"`
}

// Partition is a set of nodes, by name or by label.
type Partition struct {
	document.At
	Nodes  []string          `yaml:"nodes" doc:"node names, or ranges first..last in the order of the file"`
	Labels map[string]string `yaml:"labels" doc:"nodes that carry all these labels"`
}

// Reservation keeps nodes for some tenants, or for nobody (maintenance).
type Reservation struct {
	document.At
	Name    string          `yaml:"name" required:"true" doc:"name, for people"`
	Start   *units.Duration `yaml:"start" required:"true" doc:"when it begins"`
	End     *units.Duration `yaml:"end" required:"true" doc:"when it ends"`
	Nodes   []string        `yaml:"nodes" required:"true" doc:"node names, or ranges first..last in the order of the file"`
	Tenants Strings         `yaml:"tenants" doc:"whose jobs may use the nodes meanwhile (none: nobody's)"`
}

// Workload is where jobs come from: one of its keys.
type Workload struct {
	document.At
	Jobs      []Job  `yaml:"jobs" doc:"jobs written here"`
	Trace     *Trace `yaml:"trace" doc:"a trace file"`
	Synthetic *later `yaml:"synthetic" doc:"generated jobs (not in this version)"`
}

// Trace names a trace and how to read it.
type Trace struct {
	document.At
	Format string  `yaml:"format" required:"true" doc:"format of the trace"`
	Path   Strings `yaml:"path" required:"true" doc:"a file, a list of files on one clock, or a folder"`
	SHA256 Strings `yaml:"sha256" doc:"what the files must hash to, in order (written by a run)"`
	trace.Options
}

// Job is one inline job.
type Job struct {
	document.At
	ID          string            `yaml:"id" required:"true" doc:"id, unique"`
	Name        string            `yaml:"name" doc:"name, for people"`
	User        string            `yaml:"user" doc:"who submits it"`
	Tenant      string            `yaml:"tenant" doc:"whom it is charged to"`
	Queue       string            `yaml:"queue" doc:"queue it is submitted to"`
	Kind        string            `yaml:"kind" enum:"training,inference,interactive,batch" doc:"kind of work"`
	Submit      units.Duration    `yaml:"submit" doc:"when it is submitted (default 0s)"`
	Duration    *units.Duration   `yaml:"duration" required:"true" doc:"run time on the reference GPU at the requested size, alone"`
	GPUs        *int              `yaml:"gpus" doc:"GPUs of the gang; 0 is a CPU job"`
	GPUFraction *units.Share      `yaml:"gpu_fraction" doc:"share of one GPU, instead of gpus"`
	GPUsPerNode *int              `yaml:"gpus_per_node" doc:"GPUs on each node used"`
	Nodes       *int              `yaml:"nodes" doc:"number of nodes"`
	MaxNodes    *int              `yaml:"max_nodes" doc:"most nodes"`
	GPUType     Strings           `yaml:"gpu_type" doc:"one acceptable GPU type or a list"`
	CPUs        *units.Cores      `yaml:"cpus" doc:"CPU cores of the whole job, split evenly over its GPUs"`
	Memory      *units.Bytes      `yaml:"memory" doc:"memory of the whole job, split evenly over its GPUs"`
	Partition   string            `yaml:"partition" doc:"partition it may run in"`
	Selector    map[string]string `yaml:"node_selector" doc:"labels a node must carry"`
	TimeLimit   *units.Duration   `yaml:"time_limit" doc:"the user's estimate of the run time"`
	Priority    int64             `yaml:"priority,omitempty" doc:"larger goes first (default 0)"`
	Deadline    *units.Duration   `yaml:"deadline" doc:"time after submission by which it should complete"`
	DependsOn   Strings           `yaml:"depends_on" doc:"jobs that must complete first"`
	Array       string            `yaml:"array" doc:"elements and throttle, such as 0-3%2"`
	Checkpoint  *Checkpoint       `yaml:"checkpoint" doc:"how it saves its work, instead of the policy's way"`
	Outcome     *Ending           `yaml:"outcome" doc:"ok, or how it ends early by itself"`
	MIG         *later            `yaml:"mig" doc:"MIG profile (not in this version)"`
	GPUMemory   *later            `yaml:"gpu_memory" doc:"GPU memory (not in this version)"`
	MinGPUs     *later            `yaml:"min_gpus" doc:"elastic jobs (not in this version)"`
	MaxGPUs     *later            `yaml:"max_gpus" doc:"elastic jobs (not in this version)"`
	Model       *later            `yaml:"model" doc:"parallel-training description (not in this version)"`
}

// Checkpoint is how one job saves its work.
type Checkpoint struct {
	Interval units.Duration `yaml:"interval" doc:"productive time between checkpoints; 0s loses nothing"`
	Cost     units.Duration `yaml:"cost" doc:"time on GPUs that one takes"`
	Restart  units.Duration `yaml:"restart" doc:"time on GPUs before the job works again"`
}

// Policy says who decides.
type Policy struct {
	document.At
	Order      Part   `yaml:"order" doc:"who goes first (default fifo)"`
	Backfill   Part   `yaml:"backfill" doc:"who may pass the first that does not fit (default none)"`
	Placement  Part   `yaml:"placement" doc:"where jobs go (default first-fit)"`
	Preemption Part   `yaml:"preemption" doc:"what happens to running jobs that are outranked (default none)"`
	Rounds     string `yaml:"rounds" enum:"instant,event" doc:"one scheduling round an instant (default), or one after every end and submission"`
	Enforce    bool   `yaml:"enforce_time_limits" doc:"jobs are killed at their time limit (default false)"`
	Quota      *later `yaml:"quota" doc:"quotas (not in this version)"`
	Sharing    *later `yaml:"sharing" doc:"sharing of GPUs (not in this version)"`
	Recovery   *later `yaml:"recovery" doc:"recovery from faults (not in this version)"`
}

// Reports says what is written.
type Reports struct {
	Tables []string `yaml:"tables" doc:"tables of the run folder: jobs, attempts, gpu_states, queue, decisions (default: all)"`
}
