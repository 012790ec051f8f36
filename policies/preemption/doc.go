// Package preemption is the scheduler in which running jobs can be stopped.
//
// Mental model: in every round all unfinished jobs, running or not, are walked
// in the order of the policy and take GPUs by number while there are any. The
// chosen ones that run go on where they are; running ones that were not chosen
// are stopped; chosen ones that wait start, on free GPUs first. What being
// stopped means (kill, checkpoint, suspend, cancel) is the kernel's business.
package preemption
