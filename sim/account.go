package sim

import (
	"math/bits"

	"gpusim/sim/event"
)

// Amount is an amount of GPU time: thousandths of GPU-nanoseconds, 128 bits
// (100,000 GPUs overflow 64 bits within a day).
type Amount struct {
	Hi int64
	Lo uint64
}

// Add adds milli thousandths of GPUs over a time. Neither may be negative.
func (a *Amount) Add(milli int64, t event.Time) {
	hi, lo := bits.Mul64(uint64(milli), uint64(t))
	var carry uint64
	a.Lo, carry = bits.Add64(a.Lo, lo, 0)
	a.Hi += int64(hi) + int64(carry)
}

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	return Amount{a.Hi + b.Hi + int64(carry), lo}
}

// Float returns the amount in GPU-seconds, rounded.
func (a Amount) Float() float64 {
	return (float64(a.Hi)*(1<<64) + float64(a.Lo)) / 1e12
}

// meter integrates a level over time.
type meter struct {
	level int64
	since event.Time
	sum   Amount
}

// set changes the level at now.
func (m *meter) set(now event.Time, level int64) {
	m.sum.Add(m.level, now-m.since)
	m.since, m.level = now, level
}

// Accounts is where every GPU-nanosecond of the capacity went. Each is summed
// from its own transitions; none is computed from the others.
type Accounts struct {
	Capacity   Amount
	Allocated  Amount
	Idle       Amount
	Down       Amount
	Productive Amount
	Lost       Amount
	Overhead   Amount
}

// Check returns whether capacity = allocated + idle + down and allocated =
// productive + lost + overhead, to the unit.
func (a *Accounts) Check() bool {
	return a.Capacity == a.Allocated.Plus(a.Idle).Plus(a.Down) &&
		a.Allocated == a.Productive.Plus(a.Lost).Plus(a.Overhead)
}
