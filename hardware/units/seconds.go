package units

import (
	"math"
	"math/bits"

	"gpusim/sim/event"
)

const (
	secondDigits    = 9  // a second is 10^9 ns
	gpuSecondDigits = 12 // a GPU-second is 10^12 thousandths of a GPU-nanosecond
)

// FormatSeconds appends t in seconds as an exact decimal without trailing
// zeros: 20.5, 0, -3. It does not allocate where dst has room (21 bytes).
func FormatSeconds(dst []byte, t event.Time) []byte {
	if t < 0 {
		dst = append(dst, '-')
	}
	return appendFixed(dst, 0, magnitude(t), secondDigits)
}

// SecondsFloat is the float64 nearest to the text of FormatSeconds, at any size.
func SecondsFloat(t event.Time) float64 {
	f := nearest(0, magnitude(t), 1e9)
	if t < 0 {
		return -f
	}
	return f
}

// FormatGPUSeconds appends the 128-bit number hi:lo of thousandths of
// GPU-nanoseconds in GPU-seconds, as an exact decimal without trailing zeros. It
// does not allocate where dst has room (41 bytes).
func FormatGPUSeconds(dst []byte, hi int64, lo uint64) []byte {
	if hi < 0 {
		dst = append(dst, '-')
	}
	h, l := magnitude128(hi, lo)
	return appendFixed(dst, h, l, gpuSecondDigits)
}

// GPUSecondsFloat is the float64 nearest to the text of FormatGPUSeconds.
func GPUSecondsFloat(hi int64, lo uint64) float64 {
	h, l := magnitude128(hi, lo)
	f := nearest(h, l, 1e12)
	if hi < 0 {
		return -f
	}
	return f
}

func magnitude(t event.Time) uint64 {
	if t < 0 {
		return -uint64(t)
	}
	return uint64(t)
}

func magnitude128(hi int64, lo uint64) (uint64, uint64) {
	if hi >= 0 {
		return uint64(hi), lo
	}
	l, borrow := bits.Sub64(0, lo, 0)
	h, _ := bits.Sub64(0, uint64(hi), borrow)
	return h, l
}

// appendFixed appends hi:lo / 10^digits without trailing zeros.
func appendFixed(dst []byte, hi, lo uint64, digits int) []byte {
	var text [40]byte // 2^128 has 39 digits
	i := len(text)
	for hi > 0 || lo > 0 || i > len(text)-digits-1 {
		var digit uint64
		q := hi / 10
		lo, digit = bits.Div64(hi%10, lo, 10)
		hi = q
		i--
		text[i] = byte('0' + digit)
	}
	point := len(text) - digits
	end := len(text)
	for end > point && text[end-1] == '0' {
		end--
	}
	dst = append(dst, text[i:point]...)
	if end > point {
		dst = append(dst, '.')
		dst = append(dst, text[point:end]...)
	}
	return dst
}

// nearest is hi:lo / d rounded once, to the nearest float64 (even on a tie). d
// is below 2^63.
func nearest(hi, lo, d uint64) float64 {
	if hi == 0 && lo < 1<<53 {
		return float64(lo) / float64(d) // both exact, so this rounds once
	}
	// Shift the dividend up as far as it goes, so that the quotient has many
	// more bits than a float64 keeps.
	shift := bits.LeadingZeros64(hi)
	if hi == 0 {
		shift = 64 + bits.LeadingZeros64(lo)
		hi, lo = lo, 0
	}
	if up := shift % 64; up > 0 {
		hi, lo = hi<<up|lo>>(64-up), lo<<up
	}
	qhi, r := hi/d, hi%d
	qlo, r := bits.Div64(r, lo, d)
	// The first 64 bits of the quotient; what is cut off shows in the last bit.
	up := bits.LeadingZeros64(qhi)
	top, cut := qhi<<up|qlo>>(64-up), qlo<<up
	if cut != 0 || r != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-up-shift)
}
