package event

// Time is an instant or a length of simulated time in nanoseconds. The epoch
// is the scenario's time 0. An int64 of nanoseconds spans 292 years.
type Time int64

// Lengths in Time's unit.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
	Day              = 24 * Hour
)

// Never is later than every instant a run can reach.
const Never = Time(1<<63 - 1)
