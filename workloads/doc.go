// Package workloads says what a job is and where jobs come from.
//
// A [Job] is a description that never changes: size, shape, length, claims and
// constraints. A [Source] yields jobs in order of submission, one at a time,
// so that a run holds what is alive and not the whole trace.
//
// It builds on sim/event (time) only. Readers of trace files live in
// workloads/trace.
package workloads
