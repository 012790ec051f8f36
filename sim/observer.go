package sim

import (
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Observer is told what happens, in order. The kernel calls it from one
// goroutine; jobs, requests and their slices are frozen during a call and may
// be used again for other jobs after Ended, so an observer copies what it
// keeps. It must not change anything.
type Observer interface {
	// Submitted tells of a job, rejected ones included (their Ended follows).
	Submitted(j *cluster.Job, now event.Time)
	// Queued tells that a job began to wait.
	Queued(j *cluster.Job, now event.Time)
	// Started tells that a job took the GPUs in j.Chunks.
	Started(j *cluster.Job, now event.Time)
	// Stopped tells that a job gives back j.Chunks, and why. j is up to date.
	Stopped(j *cluster.Job, now event.Time, why cluster.Reason)
	// Ended tells that a job has reached its last state, j.State. A job that is
	// alive at the end of the run gets it with the state it is in.
	Ended(j *cluster.Job, now event.Time, why cluster.Reason)
	// Waited tells a stretch of one reason why jobs of a request waited.
	Waited(q *cluster.Request)
	// Instant tells that everything due at now has happened.
	Instant(now event.Time)
}

// Null is the observer that looks at nothing.
type Null struct{}

// The calls of Observer, ignored.
func (Null) Submitted(*cluster.Job, event.Time)               {}
func (Null) Queued(*cluster.Job, event.Time)                  {}
func (Null) Started(*cluster.Job, event.Time)                 {}
func (Null) Stopped(*cluster.Job, event.Time, cluster.Reason) {}
func (Null) Ended(*cluster.Job, event.Time, cluster.Reason)   {}
func (Null) Waited(*cluster.Request)                          {}
func (Null) Instant(event.Time)                               {}
