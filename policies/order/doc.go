// Package order says which waiting job goes first.
//
// Mental model: an order gives every job a key; smaller goes first, equal keys
// by submit time, then by position in the file. Keys of waiting jobs stand
// still between the instants that the order names, so a queue stays sorted
// instead of being sorted again. Where running jobs can be preempted they are
// ranked by the same keys, looked at afresh in every round.
package order
