// Package slow is a second, independent simulator, used only by tests.
//
// It is written from the rules a user is told and shares nothing with the
// engine: it imports no other package of the module, counts whole seconds,
// steps through every one of them, keeps one struct a job and one list of GPUs
// a node, and decides everything anew in every round by looking at everything.
// Whatever the engine does by an index, a heap or a remembered result, this
// package does by a loop; where both agree on random scenarios, the index is
// right.
//
// It knows what the first part of the engine knows: orders, backfilling,
// placement on nodes and GPUs, preemption, dependencies and arrays, limits,
// partitions that do not overlap, and the horizon. Times that do not fall on a
// whole second (a Tiresias limit that is no multiple of a job's GPUs) are
// outside of it.
package slow
