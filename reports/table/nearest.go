package table

import (
	"math"
	"math/bits"
)

// nearest returns the float64 nearest to v / pow, ties to even: the number that
// strconv.ParseFloat makes of the exact decimal text.
func nearest(v int64, pow uint64) float64 {
	if exact := int64(1) << 53; -exact <= v && v <= exact {
		return float64(v) / float64(pow) // both are exact, so the division rounds once
	}
	return nearestWide(v>>63, uint64(v), pow)
}

// nearestWide is nearest for the 128-bit two's complement number hi:lo. pow is
// at most 10^12.
func nearestWide(hi int64, lo, pow uint64) float64 {
	uhi, ulo, negative := magnitude(hi, lo)
	if uhi == 0 && ulo <= 1<<53 {
		f := float64(ulo) / float64(pow)
		if negative {
			f = -f // a magnitude of 0 is never negative
		}
		return f
	}
	// Shift the number to 127 bits and the divisor to 64: the quotient has 63 or
	// 64 bits, more than a float64 keeps, so a remainder can only matter as "a
	// little more than that". The lowest bit says it, and the conversion rounds
	// once.
	shift := 0
	if uhi == 0 {
		uhi, ulo, shift = ulo, 0, 64
	}
	z := bits.LeadingZeros64(uhi)
	uhi, ulo, shift = uhi<<z|ulo>>(64-z), ulo<<z, shift+z
	lost := ulo & 1
	uhi, ulo, shift = uhi>>1, uhi<<63|ulo>>1, shift-1
	dz := bits.LeadingZeros64(pow)
	q, r := bits.Div64(uhi, ulo, pow<<dz)
	if r|lost != 0 {
		q |= 1
	}
	f := math.Ldexp(float64(q), dz-shift)
	if negative {
		f = -f
	}
	return f
}
