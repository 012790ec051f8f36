package trace

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"gpusim/sim/event"
)

// Decimal is an exact decimal number as text, in the form JSON takes; the
// empty Decimal is an unknown value and is written as null.
type Decimal string

// MarshalJSON writes the number, or null.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return []byte(d), nil
}

// farthest bounds instants and lengths (146 years), so that the sum of two of
// them is always an event.Time.
const farthest = event.Never / 2

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// decimal reads b as a decimal number and returns it in units of 10^-places,
// rounded half away from zero where b is finer than that. Blanks around it, a
// sign and an exponent are fine; names (NaN, Inf), hexadecimal digits and marks
// between digits are not. why is the reason word of a refusal, "" if there is
// none.
func decimal(b []byte, places int) (v int64, why string) {
	v, _, why = exactDecimal(b, places)
	return v, why
}

// exactDecimal is decimal, and says whether nothing was rounded.
func exactDecimal(b []byte, places int) (v int64, exact bool, why string) {
	b = trim(b)
	if len(b) == 0 {
		return 0, false, "missing"
	}
	if v, ok := digits(b); ok && len(b) <= 9 { // nearly every number of a trace
		return v * int64(pow10[places]), true, ""
	}
	neg := false
	if b[0] == '+' || b[0] == '-' {
		neg = b[0] == '-'
		b = b[1:]
	}
	d, n := mantissa(b)
	if !d.any {
		return 0, false, "not-a-number"
	}
	if n < len(b) {
		e, ok := exponent(b[n:])
		if !ok {
			return 0, false, "not-a-number"
		}
		d.exp += e
	}
	u, exact, ok := d.units(places)
	if !ok || u > math.MaxInt64 {
		return 0, false, "out-of-range"
	}
	if neg {
		return -int64(u), exact, ""
	}
	return int64(u), exact, ""
}

// digits19 is a number without its sign: m * 10^exp, and what follows the first
// 19 digits that count: the next one, and whether any is not zero.
type digits19 struct {
	m    uint64
	exp  int
	next byte
	tail bool
	any  bool // there was a digit
}

// mantissa reads digits with a point among them, and returns how many bytes.
func mantissa(b []byte) (d digits19, n int) {
	point, full := false, false
	for ; n < len(b); n++ {
		c := b[n]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		d.any = true
		switch {
		case d.m < 1e18:
			d.m = d.m*10 + uint64(c-'0')
			if point {
				d.exp--
			}
			continue
		case !full:
			full, d.next = true, c-'0'
		}
		d.tail = d.tail || c != '0'
		if !point {
			d.exp++
		}
	}
	return d, n
}

// units is the number in units of 10^-places.
func (d *digits19) units(places int) (u uint64, exact, ok bool) {
	if d.m == 0 {
		return 0, true, true
	}
	switch exp := d.exp + places; {
	case exp > 19:
		return 0, false, false
	case exp == 0:
		u, exact = d.m, !d.tail
		if d.next >= 5 {
			u++
		}
	case exp > 0: // with a tail this is out of range whatever the tail is
		hi, lo := bits.Mul64(d.m, pow10[exp])
		return lo, true, hi == 0
	case exp >= -19:
		p := pow10[-exp]
		rest := d.m % p
		u, exact = d.m/p, rest == 0 && !d.tail
		if rest >= p-rest {
			u++
		}
	}
	return u, exact, true
}

// exponent reads e+3, E-12 and the like; a very large one is cut to a size
// that is out of range all the same.
func exponent(b []byte) (int, bool) {
	if len(b) < 2 || b[0] != 'e' && b[0] != 'E' {
		return 0, false
	}
	b = b[1:]
	neg := false
	if b[0] == '+' || b[0] == '-' {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, false
	}
	e := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		if e < 1_000_000_000 {
			e = e*10 + int(c-'0')
		}
	}
	if neg {
		e = -e
	}
	return e, true
}

// whole reads a number that must be an integer: 4, +4, 4.0 and 4e2, not 4.5.
func whole(b []byte) (v int64, why string) {
	v, exact, why := exactDecimal(b, 0)
	if why == "" && !exact {
		return 0, "bad-quantity"
	}
	return v, why
}

// length reads a number of seconds (places 9), milliseconds (6), ... that is
// not negative.
func length(b []byte, places int) (event.Time, string) {
	v, why := instant(b, places)
	if why == "" && v < 0 {
		return 0, "negative"
	}
	return v, why
}

// instant is length for a point in time, which may be negative.
func instant(b []byte, places int) (event.Time, string) {
	v, why := decimal(b, places)
	if why != "" {
		return 0, why
	}
	if t := event.Time(v); t > farthest || t < -farthest {
		return 0, "out-of-range"
	}
	return event.Time(v), ""
}

// trim cuts blanks (and tabs) at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// seconds writes a time in seconds, exactly and without zeros at the end.
func seconds(t event.Time) Decimal { return fixed(int64(t), 9) }

// fixed writes v * 10^-places.
func fixed(v int64, places int) Decimal {
	neg := v < 0
	u := uint64(v)
	if neg {
		u = -u
	}
	s := point(strconv.FormatUint(u, 10), places)
	if neg && s != "0" {
		s = "-" + s
	}
	return Decimal(s)
}

// point sets the decimal point into a string of digits, places from the right.
func point(digits string, places int) string {
	for len(digits) <= places {
		digits = "0" + digits
	}
	cut := len(digits) - places
	end := len(digits)
	for end > cut && digits[end-1] == '0' {
		end--
	}
	if end == cut {
		return digits[:cut]
	}
	return digits[:cut] + "." + digits[cut:end]
}

// wide is a sum of products that 64 bits cannot hold, such as thousandths of a
// GPU times nanoseconds.
type wide struct{ hi, lo uint64 }

// add adds a*b.
func (w *wide) add(a, b uint64) {
	hi, lo := bits.Mul64(a, b)
	w.plus(wide{hi, lo})
}

// plus adds another sum.
func (w *wide) plus(o wide) {
	var c uint64
	w.lo, c = bits.Add64(w.lo, o.lo, 0)
	w.hi, _ = bits.Add64(w.hi, o.hi, c)
}

func (w wide) big() *big.Int {
	b := new(big.Int).SetUint64(w.hi)
	b.Lsh(b, 64)
	return b.Add(b, new(big.Int).SetUint64(w.lo))
}

// fixed writes the sum * 10^-places.
func (w wide) fixed(places int) Decimal { return Decimal(point(w.big().String(), places)) }

// gpuSeconds writes a sum of GPU-thousandths times nanoseconds in GPU-seconds.
func (w wide) gpuSeconds() Decimal { return w.fixed(12) }

// ratio writes a/b with at most places decimals, rounded half up; unknown when
// b is zero.
func ratio(a, b *big.Int, places int) Decimal {
	if b.Sign() == 0 {
		return ""
	}
	neg := a.Sign()*b.Sign() < 0
	n := new(big.Int).Abs(a)
	d := new(big.Int).Abs(b)
	n.Mul(n, new(big.Int).SetUint64(2*pow10[places]))
	n.Add(n, d)
	n.Quo(n, d.Lsh(d, 1))
	s := point(n.String(), places)
	if neg && s != "0" {
		s = "-" + s
	}
	return Decimal(s)
}

func thousand() *big.Int { return big.NewInt(1000) }

func billion() *big.Int { return big.NewInt(1_000_000_000) }
