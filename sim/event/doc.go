// Package event is the clock side of the engine: time, the list of what is due
// and the random streams. It knows nothing of GPUs.
//
// Mental model: a [List] is a bag of small values, each with a time. Next
// hands them out in the order (time, phase, sequence), a total order, so that
// two runs of the same scenario see the same instants in the same order.
// Events are moved and cancelled through a [Handle]. Nothing is allocated per
// event once the list has reached its size.
//
// Randomness comes from named streams ([Stream]): each (seed, name, entity)
// has its own generator, so that a draw more in one place moves no draw in
// another.
package event
