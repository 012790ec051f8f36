// Package explain tells the life of one job from a run folder: when it was
// submitted, why it waited, where it ran and how it ended.
//
// Mental model: [Job] walks once through each table it needs (jobs, attempts,
// decisions), keeps the rows of one job and of its group, and cuts the reasons
// of the group to the times in which this job waited. A table that the run did
// not write leaves a gap, which [Life.Missing] names. [Life.Write] puts the
// life in words; as JSON it is the struct itself.
package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gpusim/reports/folder"
	"gpusim/reports/summary"
	"gpusim/sim/event"
)

// Seconds is an instant or a length of time; in JSON exact decimal seconds.
type Seconds event.Time

// MarshalJSON writes exact decimal seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(*summary.Seconds(event.Time(s))), nil }

// Life is what is known of one job. A nil pointer is not known or has no sense.
type Life struct {
	Scenario  string   `json:"scenario"`
	Seed      uint64   `json:"seed"`
	Epoch     string   `json:"epoch,omitempty"`
	Job       string   `json:"job_id"`
	Name      string   `json:"name,omitempty"`
	User      string   `json:"user,omitempty"`
	Tenant    string   `json:"tenant,omitempty"`
	Queue     string   `json:"queue,omitempty"`
	Partition string   `json:"partition,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Priority  int64    `json:"priority"`
	Request   string   `json:"request"`
	TimeLimit *Seconds `json:"time_limit_s"`
	Submit    *Seconds `json:"submit_s"`
	Eligible  *Seconds `json:"eligible_s"`
	Start     *Seconds `json:"start_s"`
	End       *Seconds `json:"end_s"`

	Held     *Hold     `json:"held"`
	Waits    []Wait    `json:"waits"`
	Reasons  []Total   `json:"reasons"` // over all waits, the longest first
	Attempts []Attempt `json:"attempts"`

	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	Ending string `json:"ending"`

	Totals  Totals   `json:"totals"`
	Missing []string `json:"missing,omitempty"` // what the folder does not say, and why

	group  int64
	runEnd *event.Time
	facts  facts
}

// Hold is the time in which a job was not in the queue because of jobs it
// depends on.
type Hold struct {
	From  Seconds  `json:"from_s"`
	To    *Seconds `json:"to_s"` // nil: it was never let go
	Needs []string `json:"depends_on,omitempty"`
	Text  string   `json:"text"`
}

// Wait is one stretch of waiting.
type Wait struct {
	From    Seconds  `json:"from_s"`
	To      Seconds  `json:"to_s"`
	Reasons []Reason `json:"reasons"`

	preempted bool    // it began so
	queued    Seconds // when the job joined the queue, where that is later than From
}

// Reason is why a job waited for a part of a wait. The numbers are those of
// its group, at the first and the last look; they are nil where no reason is
// on record.
type Reason struct {
	Code   string  `json:"reason,omitempty"`
	From   Seconds `json:"from_s"`
	To     Seconds `json:"to_s"`
	Wanted *int64  `json:"gpus_wanted"`
	First  *int64  `json:"gpus_free_first"`
	Last   *int64  `json:"gpus_free_last"`
	Text   string  `json:"text"`
}

// Total is the time that one reason cost.
type Total struct {
	Code string  `json:"reason,omitempty"`
	Time Seconds `json:"total_s"`
}

// Attempt is one stretch on GPUs.
type Attempt struct {
	Number     int64       `json:"attempt"`
	Start      Seconds     `json:"start_s"`
	End        Seconds     `json:"end_s"`
	Reason     string      `json:"reason"`
	Text       string      `json:"text"`
	Nodes      string      `json:"nodes"`
	GPUIndex   string      `json:"gpu_index,omitempty"`
	GPUs       json.Number `json:"gpus"`
	MeanRate   *float64    `json:"mean_rate"`
	Productive json.Number `json:"productive_gpu_s"`
	Lost       json.Number `json:"lost_gpu_s"`
	Overhead   json.Number `json:"overhead_gpu_s"`
}

// Totals are the figures of the whole life.
type Totals struct {
	Wait        *Seconds    `json:"wait_s"`
	Run         *Seconds    `json:"run_s"`
	JCT         *Seconds    `json:"jct_s"`
	Slowdown    *float64    `json:"bounded_slowdown"`
	Attempts    int64       `json:"attempts"`
	Preemptions int64       `json:"preemptions"`
	Productive  json.Number `json:"productive_gpu_s,omitempty"`
	Lost        json.Number `json:"lost_gpu_s,omitempty"`
	Overhead    json.Number `json:"overhead_gpu_s,omitempty"`
}

// NotFound says that the run has no such job.
type NotFound struct {
	Job  string
	Near []string // ids that look like it, the nearest first
	Jobs int      // how many jobs the run has
}

// Error names near ids.
func (e NotFound) Error() string {
	s := fmt.Sprintf("the run has no job %q", e.Job)
	switch {
	case len(e.Near) > 0:
		return s + "; did you mean " + strings.Join(e.Near, ", ") + "?"
	case e.Jobs == 0:
		return s + "; it has no jobs at all"
	}
	return s
}

// Job tells the life of one job. Cost O(rows of jobs, attempts and decisions);
// only what concerns the job is kept.
func Job(run *folder.Run, id string) (*Life, error) {
	var head struct {
		Scenario string       `json:"scenario"`
		Seed     uint64       `json:"seed"`
		Epoch    string       `json:"epoch"`
		Makespan *json.Number `json:"makespan_s"`
	}
	if err := run.Summary(&head); err != nil {
		return nil, err
	}
	l := &Life{Scenario: head.Scenario, Seed: head.Seed, Epoch: head.Epoch, Job: id, group: -1,
		Waits: []Wait{}, Reasons: []Total{}, Attempts: []Attempt{}}
	hasJobs, err := l.readJob(run, head.Makespan)
	if err != nil {
		return nil, err
	}
	hasAttempts, err := l.readAttempts(run)
	if err != nil {
		return nil, err
	}
	if !hasJobs {
		if len(l.Attempts) == 0 {
			return nil, l.unknown(run, hasAttempts)
		}
		l.fromAttempts()
	}
	l.hold(run)
	l.findWaits(hasAttempts)
	if err := l.readReasons(run, hasJobs); err != nil {
		return nil, err
	}
	l.finish()
	return l, nil
}

// lacks notes that a table is not there; another error is passed on.
func (l *Life) lacks(err error, table, what string) error {
	if !errors.Is(err, folder.ErrNoTable) {
		return err
	}
	l.Missing = append(l.Missing, fmt.Sprintf("the run wrote no table %s (reports.tables left it out): %s", table, what))
	return nil
}
