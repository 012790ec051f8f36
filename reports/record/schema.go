package record

import "gpusim/reports/table"

// The tables of a run folder. Times are seconds from the epoch of the
// scenario; an absent value is null.

// Jobs is the schema of the jobs table: one row a job, in order of submission.
func Jobs() table.Schema {
	return table.Schema{Name: "jobs", Doc: "one row a job, in order of submission", Columns: []table.Column{
		{Name: "job_id", Kind: table.Text, Doc: "id of the job"},
		{Name: "name", Kind: table.Text, Nullable: true, Doc: "name its user gave it"},
		{Name: "user", Kind: table.Text, Nullable: true, Doc: "who submitted it"},
		{Name: "tenant", Kind: table.Text, Nullable: true, Doc: "whom it is charged to"},
		{Name: "queue", Kind: table.Text, Nullable: true, Doc: "queue it was submitted to"},
		{Name: "partition", Kind: table.Text, Nullable: true, Doc: "partition it asked for"},
		{Name: "kind", Kind: table.Text, Nullable: true, Doc: "training, inference, interactive or batch"},
		{Name: "group", Kind: table.Int, Nullable: true, Doc: "jobs with the same number ask for the same; see decisions"},
		{Name: "submit_s", Unit: "s", Kind: table.Seconds, Doc: "when it was submitted"},
		{Name: "eligible_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "when its dependencies were met"},
		{Name: "start_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "when it first started"},
		{Name: "end_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "when it ended"},
		{Name: "wait_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "all time spent waiting once eligible"},
		{Name: "run_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "all time spent on GPUs"},
		{Name: "jct_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "job completion time: end less submission"},
		{Name: "gpus", Kind: table.Milli, Doc: "GPUs of the gang; a fraction for a share of one"},
		{Name: "gpu_type", Kind: table.Text, Nullable: true, Doc: "type of the GPUs it last ran on, else the types it accepts"},
		{Name: "gpu_fraction", Kind: table.Milli, Nullable: true, Doc: "share of one GPU it asked for"},
		{Name: "mig", Kind: table.Text, Nullable: true, Doc: "MIG profile it asked for"},
		{Name: "status", Kind: table.Text, Doc: "completed, failed, rejected, cancelled or unfinished"},
		{Name: "reason", Kind: table.Text, Nullable: true, Doc: "why it ended so, where that is not plain"},
		{Name: "attempts", Kind: table.Int, Doc: "stretches on GPUs"},
		{Name: "preemptions", Kind: table.Int, Doc: "times it was preempted"},
		{Name: "productive_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of work that counted"},
		{Name: "lost_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of work that was lost"},
		{Name: "overhead_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of restarts and checkpoints"},
		{Name: "degraded_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "productive GPU time below full speed (a memo)"},
		{Name: "recorded_wait_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "how long the trace says it waited"},
		{Name: "nodes", Kind: table.Text, Nullable: true, Doc: "nodes it last ran on, separated by blanks"},
		{Name: "time_limit_s", Unit: "s", Kind: table.Seconds, Nullable: true, Doc: "run time its user claimed"},
		{Name: "priority", Kind: table.Int, Doc: "larger goes first"},
		{Name: "cpus", Kind: table.Milli, Nullable: true, Doc: "CPU cores of the whole job"},
		{Name: "memory_bytes", Unit: "bytes", Kind: table.Int, Nullable: true, Doc: "memory of the whole job"},
	}}
}

// Attempts is the schema of the attempts table.
func Attempts() table.Schema {
	return table.Schema{Name: "attempts", Doc: "one row a stretch of a job on one set of GPUs, in order of end, then job", Columns: []table.Column{
		{Name: "job_id", Kind: table.Text, Doc: "id of the job"},
		{Name: "attempt", Kind: table.Int, Doc: "1 for the first"},
		{Name: "start_s", Unit: "s", Kind: table.Seconds, Doc: "when it took the GPUs"},
		{Name: "end_s", Unit: "s", Kind: table.Seconds, Doc: "when it gave them back"},
		{Name: "reason", Kind: table.Text, Doc: "why it gave them back"},
		{Name: "nodes", Kind: table.Text, Doc: "nodes, separated by blanks"},
		{Name: "gpu_index", Kind: table.Text, Nullable: true, Doc: "GPUs as node:indices, separated by blanks"},
		{Name: "gpus", Kind: table.Milli, Doc: "GPUs held"},
		{Name: "mean_rate", Kind: table.Float, Nullable: true, Doc: "work done over time on the GPUs; 1 is the reference speed"},
		{Name: "productive_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of work that counted"},
		{Name: "lost_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of work that was lost when the attempt ended"},
		{Name: "overhead_gpu_s", Unit: "GPU s", Kind: table.GPUSeconds, Doc: "GPU time of restarts and checkpoints"},
	}}
}

// GPUStates is the schema of the gpu_states table.
func GPUStates() table.Schema {
	return table.Schema{Name: "gpu_states", Doc: "one row a GPU and stretch of unchanged state, in order of its end, then GPU", Columns: []table.Column{
		{Name: "from_s", Unit: "s", Kind: table.Seconds, Doc: "start of the stretch"},
		{Name: "to_s", Unit: "s", Kind: table.Seconds, Doc: "end of the stretch"},
		{Name: "node", Kind: table.Text, Doc: "name of the node"},
		{Name: "gpu", Kind: table.Int, Doc: "index of the GPU on the node"},
		{Name: "jobs", Kind: table.Text, Nullable: true, Doc: "jobs on it, separated by blanks; absent: idle"},
		{Name: "allocated", Kind: table.Milli, Doc: "part of it that jobs hold"},
		{Name: "health", Kind: table.Text, Doc: "ok"},
	}}
}

// Queue is the schema of the queue table.
func Queue() table.Schema {
	return table.Schema{Name: "queue", Doc: "one row a change of a queue, after each instant that changed it", Columns: []table.Column{
		{Name: "time_s", Unit: "s", Kind: table.Seconds, Doc: "the instant"},
		{Name: "tenant", Kind: table.Text, Nullable: true, Doc: "whose jobs"},
		{Name: "queue", Kind: table.Text, Nullable: true, Doc: "queue, or partition where jobs name no queue"},
		{Name: "jobs_waiting", Kind: table.Int, Doc: "jobs that wait"},
		{Name: "gpus_wanted", Kind: table.Milli, Doc: "GPUs that they want"},
		{Name: "jobs_running", Kind: table.Int, Doc: "jobs on GPUs"},
		{Name: "gpus_running", Kind: table.Milli, Doc: "GPUs that they hold"},
		{Name: "gpus_free", Kind: table.Milli, Doc: "GPUs of the whole cluster that nobody holds"},
		{Name: "gpus_down", Kind: table.Milli, Doc: "GPUs of the whole cluster out of service"},
	}}
}

// Decisions is the schema of the decisions table.
func Decisions() table.Schema {
	return table.Schema{Name: "decisions", Doc: "why work waits: one row a stretch of one reason of a group of equal requests", Columns: []table.Column{
		{Name: "group", Kind: table.Int, Doc: "number of the group; jobs.group"},
		{Name: "reason", Kind: table.Text, Doc: "reason code"},
		{Name: "first_s", Unit: "s", Kind: table.Seconds, Doc: "when it began to hold"},
		{Name: "last_s", Unit: "s", Kind: table.Seconds, Doc: "when it ceased to hold"},
		{Name: "gpus_wanted", Kind: table.Int, Doc: "GPUs that one job of the group wants"},
		{Name: "gpus_free_first", Kind: table.Int, Doc: "GPUs there were of these at the first look"},
		{Name: "gpus_free_last", Kind: table.Int, Doc: "GPUs there were of these at the last look"},
		{Name: "jobs", Kind: table.Int, Doc: "jobs of the group that waited, at most"},
		{Name: "request", Kind: table.Text, Doc: "what the group asks for, in words"},
	}}
}

// Schemas returns all tables.
func Schemas() []table.Schema {
	return []table.Schema{Jobs(), Attempts(), GPUStates(), Queue(), Decisions()}
}
