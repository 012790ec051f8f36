// Package sim is the kernel: it advances time, calls the scheduler and applies
// what it decides.
//
// Mental model: [Run] merges the arrivals of a source with the list of events.
// At each instant it handles what is due in the order that the README gives
// (ends, arrivals, then one round of the scheduler), again and again until the
// instant has nothing left. A running job is an amount of work and a rate; its
// end is an event that moves when the rate changes. Every GPU-nanosecond of the
// cluster goes to exactly one account, and the accounts must add up to the
// last unit.
//
// The kernel writes the live job records and the cluster; what happened is told
// to an [Observer].
package sim
