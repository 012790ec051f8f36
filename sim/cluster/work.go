package cluster

import (
	"math/bits"

	"gpusim/sim/event"
)

// Rate is how fast a job works: 2^32 is the reference speed.
type Rate uint64

// FullRate is the speed of the reference GPU, alone.
const FullRate Rate = 1 << 32

// Work is an amount of work in 2^-32 nanoseconds at the reference speed: 128
// bits, so that any rate times any time is exact. Bringing a job up to date at
// one more instant therefore changes nothing.
type Work struct{ hi, lo uint64 }

// WorkOf returns the work of a time at the reference speed.
func WorkOf(t event.Time) Work {
	return Work{uint64(t) >> 32, uint64(t) << 32}
}

// Done returns the work done in time t at rate r.
func (r Rate) Done(t event.Time) Work {
	hi, lo := bits.Mul64(uint64(r), uint64(t))
	return Work{hi, lo}
}

// Minus returns w - o, or zero where o is larger.
func (w Work) Minus(o Work) Work {
	lo, b := bits.Sub64(w.lo, o.lo, 0)
	hi, b := bits.Sub64(w.hi, o.hi, b)
	if b != 0 {
		return Work{}
	}
	return Work{hi, lo}
}

// Plus returns w + o.
func (w Work) Plus(o Work) Work {
	lo, carry := bits.Add64(w.lo, o.lo, 0)
	return Work{w.hi + o.hi + carry, lo}
}

// Less reports w < o.
func (w Work) Less(o Work) bool {
	return w.hi < o.hi || w.hi == o.hi && w.lo < o.lo
}

// Zero reports whether nothing is left.
func (w Work) Zero() bool { return w.hi|w.lo == 0 }

// Time returns the time the work takes at rate r, rounded up to the
// nanosecond; Never at rate 0.
func (w Work) Time(r Rate) event.Time {
	if w.Zero() {
		return 0
	}
	if uint64(r) <= w.hi { // would overflow: longer than any run
		return event.Never
	}
	q, rem := bits.Div64(w.hi, w.lo, uint64(r))
	if rem > 0 {
		q++
	}
	if q > uint64(event.Never) {
		return event.Never
	}
	return event.Time(q)
}

// Split returns the whole multiples of unit in w and what is left over.
func (w Work) Split(unit event.Time) (n int64, rest Work) {
	// w < 2^95, unit < 2^63: divide whole nanoseconds.
	ns := int64(w.hi<<32 | w.lo>>32)
	n = ns / int64(unit)
	rest = w.Minus(WorkOf(event.Time(n * int64(unit))))
	return n, rest
}
