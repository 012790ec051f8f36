package table

import (
	"math"
	"math/bits"
	"strconv"
)

// The scales of the three exact kinds.
const (
	perSecond    = 1_000_000_000     // nanoseconds
	perGPUSecond = 1_000_000_000_000 // thousandths of nanoseconds
	perUnit      = 1_000             // thousandths
)

// appendSeconds appends v nanoseconds in seconds, exact and without trailing
// zeros.
func appendSeconds(dst []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = strconv.AppendUint(dst, u/perSecond, 10)
	return appendFraction(dst, u%perSecond, 9)
}

// appendMilli appends v thousandths, exact and without trailing zeros.
func appendMilli(dst []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = strconv.AppendUint(dst, u/perUnit, 10)
	return appendFraction(dst, u%perUnit, 3)
}

// appendGPUSeconds appends the 128-bit two's complement number hi:lo of
// thousandths of GPU-nanoseconds in GPU-seconds, exact and without trailing
// zeros.
func appendGPUSeconds(dst []byte, hi int64, lo uint64) []byte {
	uhi, ulo, negative := magnitude(hi, lo)
	if negative {
		dst = append(dst, '-')
	}
	if uhi == 0 {
		dst = strconv.AppendUint(dst, ulo/perGPUSecond, 10)
		return appendFraction(dst, ulo%perGPUSecond, 12)
	}
	// The whole part can have 27 digits: a division of 128 by 64 bits in two
	// steps, then once more to bring out the digits above the eighteenth.
	qhi, r := uhi/perGPUSecond, uhi%perGPUSecond
	qlo, fraction := bits.Div64(r, ulo, perGPUSecond)
	if qhi == 0 {
		dst = strconv.AppendUint(dst, qlo, 10)
		return appendFraction(dst, fraction, 12)
	}
	whole, rest := bits.Div64(qhi, qlo, 1e18) // qhi < 2^24, so the quotient fits
	dst = strconv.AppendUint(dst, whole, 10)
	dst = appendPadded(dst, rest, 18)
	return appendFraction(dst, fraction, 12)
}

// magnitude is the absolute value of a 128-bit two's complement number.
func magnitude(hi int64, lo uint64) (uhi, ulo uint64, negative bool) {
	if hi >= 0 {
		return uint64(hi), lo, false
	}
	ulo, borrow := bits.Sub64(0, lo, 0)
	uhi, _ = bits.Sub64(0, uint64(hi), borrow)
	return uhi, ulo, true
}

// appendFraction appends a point and the digits of u without trailing zeros, or
// nothing when u is 0.
func appendFraction(dst []byte, u uint64, digits int) []byte {
	if u == 0 {
		return dst
	}
	dst = append(dst, '.')
	dst = appendPadded(dst, u, digits)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// appendPadded appends u with leading zeros to the given number of digits.
func appendPadded(dst []byte, u uint64, digits int) []byte {
	var buf [20]byte
	for i := digits - 1; i >= 0; i-- {
		buf[i] = byte('0' + u%10)
		u /= 10
	}
	return append(dst, buf[:digits]...)
}

// appendFloat appends the shortest decimal that reads back as f. Very large and
// very small numbers get an exponent.
func appendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}
