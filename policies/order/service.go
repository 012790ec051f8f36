package order

import (
	"math/bits"

	"gpusim/sim/event"
)

// steps returns how many whole quanta of GPU time (GPU-nanoseconds) a time on
// milli thousandths of GPUs is.
func steps(t event.Time, milli int64, quantum event.Time) int64 {
	hi, lo := bits.Mul64(uint64(t), uint64(milli))
	if hi >= 1000 {
		return 1<<62 - 1
	}
	gpuTime, _ := bits.Div64(hi, lo, 1000)
	return int64(gpuTime / uint64(quantum))
}

// until returns the time on milli thousandths of GPUs that makes n quanta,
// rounded up to the nanosecond.
func until(milli, n int64, quantum event.Time) event.Time {
	hi, lo := bits.Mul64(uint64(n), uint64(quantum))
	if hi != 0 {
		return event.Never / 2
	}
	hi, lo = bits.Mul64(lo, 1000)
	if hi >= uint64(milli) {
		return event.Never / 2
	}
	need, rem := bits.Div64(hi, lo, uint64(milli))
	if rem > 0 {
		need++
	}
	return event.Time(min(need, uint64(event.Never/2)))
}
