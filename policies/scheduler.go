package policies

import (
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Scheduler decides which jobs run where.
//
// The kernel calls it from one goroutine. Between rounds it tells what changed
// by Enqueue, Dequeue, Started and Stopped; these must not decide anything.
// Round is called once for each instant at which something changed (or after
// each event, where the scenario says so) and must depend on nothing but what
// the scheduler was told and the round shows: no clock, no randomness but
// streams it was given, no order of map iteration.
type Scheduler interface {
	// Enqueue tells that a job began to wait.
	Enqueue(j *cluster.Job, now event.Time)
	// Dequeue tells that a waiting job left without starting.
	Dequeue(j *cluster.Job, now event.Time)
	// Started tells that a decision to start was applied.
	Started(j *cluster.Job, now event.Time)
	// Stopped tells that a job gave back its GPUs: it ended or was preempted.
	// A preempted job is enqueued right after.
	Stopped(j *cluster.Job, now event.Time)
	// Round decides through r. Neither r nor what it returns may be kept.
	Round(r *Round)
	// Check recomputes what the scheduler remembers and compares, for the debug
	// mode. It is called after rounds.
	Check(r *Round) error
}

// Waker is implemented by schedulers that want rounds at instants of their own.
type Waker interface {
	// Wake asks by r.WakeAt, after what the round decided has come true (a
	// preempted job waits again by then). It decides nothing.
	Wake(r *Round)
}

// Entry is one line of a table of policies: the word in the scenario, what it
// does in a line, its settings (a pointer to a struct with yaml and doc tags,
// nil for none) and its constructor, which takes the settings.
type Entry[T any] struct {
	Name   string
	Doc    string
	Config func() any
	New    func(config any, env Env) (T, error)
}

// Env is what a policy may need to be built.
type Env struct {
	Cluster *cluster.Cluster
	Seed    uint64
	// Preempt tells an order that running jobs are ranked too.
	Preempt bool
}
