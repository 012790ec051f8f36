package units

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// number splits a decimal number (12, 1.5, .5, 1e3) off the front of s.
func number(s string) (num, rest string) {
	i := 0
	digits := func() {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i > 0 && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		mark := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		from := i
		digits()
		if i == from {
			i = mark
		}
	}
	return s[:i], s[i:]
}

var errRange = errors.New("is out of range")

// scaled returns num x unit as an integer, exactly. Parts of the unit that it
// cannot hold are an error.
func scaled(num string, unit *big.Rat) (int64, error) {
	if num == "" || num == "." {
		return 0, fmt.Errorf("has no number")
	}
	if e := strings.IndexAny(num, "eE"); e >= 0 && len(num)-e > 5 {
		return 0, errRange // an exponent that only a big number library would like
	}
	if len(num) > 64 {
		return 0, fmt.Errorf("has too many digits")
	}
	r, ok := new(big.Rat).SetString(num)
	if !ok {
		return 0, fmt.Errorf("is not a number")
	}
	r.Mul(r, unit)
	if !r.IsInt() {
		// Finer than the unit: round half up, as a clock would.
		r.Add(r, big.NewRat(1, 2))
		r.SetInt(new(big.Int).Div(r.Num(), r.Denom()))
	}
	if !r.Num().IsInt64() {
		return 0, errRange
	}
	return r.Num().Int64(), nil
}

// decimals writes v / 10^digits without trailing zeros.
func decimals(v uint64, digits int) string {
	s := fmt.Sprintf("%0*d", digits+1, v)
	whole, frac := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}
