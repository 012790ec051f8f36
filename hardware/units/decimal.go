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

// rational reads a number as number returns it. Lengths and exponents that only
// an attacker would write are refused before they cost anything.
func rational(num string) (*big.Rat, error) {
	if num == "" || num == "." {
		return nil, errors.New("has no number")
	}
	if len(num) > 64 {
		return nil, errors.New("has too many digits")
	}
	if e := strings.IndexAny(num, "eE"); e >= 0 && len(num)-e > 5 {
		return nil, errRange
	}
	r, ok := new(big.Rat).SetString(num)
	if !ok {
		return nil, errors.New("is not a number")
	}
	return r, nil
}

// scaled returns num x unit to the nearest integer, halves up.
func scaled(num string, unit int64) (int64, error) {
	r, err := rational(num)
	if err != nil {
		return 0, err
	}
	return nearestInteger(r, unit)
}

// nearestInteger returns r x unit, halves up. It changes r.
func nearestInteger(r *big.Rat, unit int64) (int64, error) {
	r.Mul(r, new(big.Rat).SetInt64(unit))
	if !r.IsInt() {
		r.Add(r, big.NewRat(1, 2))
		r.SetInt(new(big.Int).Div(r.Num(), r.Denom()))
	}
	if !r.Num().IsInt64() {
		return 0, errRange
	}
	return r.Num().Int64(), nil
}

// whole returns num x unit where that is a whole number.
func whole(num string, unit int64) (int64, error) {
	r, err := rational(num)
	if err != nil {
		return 0, err
	}
	if r.Mul(r, new(big.Rat).SetInt64(unit)); !r.IsInt() {
		return 0, errors.New("is finer than a thousandth")
	}
	if !r.Num().IsInt64() {
		return 0, errRange
	}
	return r.Num().Int64(), nil
}

// fixed writes v / 10^digits without trailing zeros.
func fixed(v uint64, digits int) string {
	return string(appendFixed(nil, 0, v, digits))
}

// scale is one unit that people write, and what it is worth.
type scale struct {
	name string
	size int64
}

// shortest writes v with the unit that gives the shortest text without a
// fraction; of equals, the first one listed.
func shortest(v int64, scales []scale) string {
	best := ""
	for _, s := range scales {
		if v%s.size != 0 {
			continue
		}
		if text := fmt.Sprintf("%d%s", v/s.size, s.name); best == "" || len(text) < len(best) {
			best = text
		}
	}
	return best
}
