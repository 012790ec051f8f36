// Package backfill says who may start while the first in the queue waits.
//
// Mental model: a filler is a scheduler without preemption. It keeps the
// waiting jobs by request in the order of its policy, and the planned ends of
// what runs. none lets nobody pass the first that does not fit; greedy lets
// anybody pass; easy lets those pass that do not delay the first; conservative
// those that delay nobody ahead of them.
//
// Jobs queue for their partition: partitions without a common node are
// separate queues, with a first job each; those that overlap are one queue.
package backfill
