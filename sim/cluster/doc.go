// Package cluster is the state of the machine: what is where right now.
//
// Mental model: a [Cluster] is rows of nodes, each a row of GPUs, kept as bits
// (whole GPUs that are idle) and thousandths (GPUs that are shared). A
// [Request] is what a job asks for, interned, so that equal jobs share one; a
// [Class] is the set of nodes that may serve a request. A placement is a list
// of [Chunk]s, each naming some GPUs of one node. Take and Give are the only
// two changes, and each undoes the other, which is what makes a what-if cheap:
// [Cluster.Begin] starts a log of them, [Cluster.Rollback] plays it backwards.
//
// Free capacity is indexed (nodes by number of idle GPUs, idle GPUs by class),
// so that asking costs little; [Cluster.Verify] recomputes every index from
// scratch and compares, for the debug mode.
//
// [Job] is the run-time record of a live job: where it stands and what it
// holds. Policies read it, the kernel (package sim) writes it.
package cluster
