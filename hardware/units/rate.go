package units

import (
	"fmt"
	"math/big"
	"strings"
)

// Rate is a data rate in bytes a second.
type Rate int64

// ParseRate reads 900GB/s, 400Gb/s (bits: an eighth) or 0, to the nearest byte
// a second. Other bare numbers are refused.
func ParseRate(s string) (int64, error) {
	bad := func(why string) (int64, error) {
		return 0, fmt.Errorf("%q %s; write a rate like 900GB/s (bytes) or 400Gb/s (bits)", s, why)
	}
	text := strings.TrimSpace(s)
	num, unit := number(text)
	unit = strings.TrimSpace(unit)
	switch {
	case strings.HasPrefix(text, "-"):
		return bad("is negative")
	case num == "":
		return bad("has no number")
	case unit == "" && num == "0":
		return 0, nil
	case unit == "":
		return bad("has no unit")
	}
	unit, perSecond := strings.CutSuffix(unit, "/s")
	if !perSecond {
		return bad("has no unit of rates")
	}
	factor, _, rest := prefix(unit)
	r, err := rational(num)
	if err != nil {
		return bad(err.Error())
	}
	switch rest {
	case "B":
	case "b":
		r.Quo(r, big.NewRat(8, 1))
	default:
		return bad("has no unit of rates")
	}
	v, err := nearestInteger(r, factor)
	if err != nil {
		return bad(err.Error())
	}
	return v, nil
}

// String writes the shortest text in bytes that ParseRate reads back as the
// same rate.
func (r Rate) String() string {
	if r == 0 {
		return "0"
	}
	return shortest(int64(r), []scale{
		{"PB/s", 1e15}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"KB/s", 1e3}, {"B/s", 1},
		{"TiB/s", 1 << 40}, {"GiB/s", 1 << 30}, {"MiB/s", 1 << 20}, {"KiB/s", 1 << 10},
	})
}

// UnmarshalText is ParseRate.
func (r *Rate) UnmarshalText(text []byte) error {
	v, err := ParseRate(string(text))
	if err == nil {
		*r = Rate(v)
	}
	return err
}

// MarshalText is String.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
