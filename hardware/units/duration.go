package units

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"gpusim/sim/event"
)

// Duration is a length of time, or an instant counted from an epoch.
type Duration event.Time

// timeUnits in the order in which they may follow each other.
func timeUnit(s string) (ns int64, length int) {
	switch {
	case strings.HasPrefix(s, "ns"):
		return 1, 2
	case strings.HasPrefix(s, "us"):
		return 1e3, 2
	case strings.HasPrefix(s, "ms"):
		return 1e6, 2
	case strings.HasPrefix(s, "s"):
		return 1e9, 1
	case strings.HasPrefix(s, "m"):
		return 60e9, 1
	case strings.HasPrefix(s, "h"):
		return 3600e9, 1
	case strings.HasPrefix(s, "d"):
		return 86400e9, 1
	case strings.HasPrefix(s, "w"):
		return 7 * 86400e9, 1
	}
	return 0, 0
}

// ParseDuration reads 90s, 45m, 1h30m, 7d, 2w, 1.5h, 500ms, the D-HH:MM:SS of
// Slurm, or a bare number of seconds. Negative lengths are refused. Anything
// finer than a nanosecond is rounded.
func ParseDuration(s string) (event.Time, error) {
	text := strings.TrimSpace(s)
	bad := func(why string) (event.Time, error) {
		return 0, fmt.Errorf("%q %s; write a length of time like 90s, 45m, 1h30m, 7d or a number of seconds", s, why)
	}
	switch {
	case text == "":
		return bad("is empty")
	case text[0] == '-':
		return bad("is negative")
	case strings.Contains(text, ":"):
		return clock(text, bad)
	}
	rest := strings.TrimPrefix(text, "+")
	total := int64(0)
	last := int64(1<<63 - 1)
	for first := true; rest != ""; first = false {
		num, after := number(rest)
		if num == "" {
			return bad("is not a length of time")
		}
		unit, n := timeUnit(after)
		if n == 0 {
			if after != "" || !first {
				return bad("is not a length of time")
			}
			unit = 1e9
		}
		if unit >= last {
			return bad("has its units out of order")
		}
		last = unit
		v, err := scaled(num, big.NewRat(unit, 1))
		if err != nil {
			return bad(err.Error())
		}
		if total+v < total {
			return bad(errRange.Error())
		}
		total += v
		rest = after[n:]
	}
	return event.Time(total), nil
}

// clock reads [D-]HH:MM:SS and [D-]HH:MM... of Slurm: MM:SS, HH:MM:SS, D-HH,
// D-HH:MM, D-HH:MM:SS.
func clock(text string, bad func(string) (event.Time, error)) (event.Time, error) {
	days, rest := int64(0), text
	hasDays := false
	if d, r, ok := strings.Cut(text, "-"); ok {
		v, err := strconv.ParseInt(d, 10, 32)
		if err != nil || v < 0 {
			return bad("has no number of days before the dash")
		}
		days, rest, hasDays = v, r, true
	}
	parts := strings.Split(rest, ":")
	if len(parts) > 3 {
		return bad("has too many colons")
	}
	var v [3]int64
	for i, p := range parts {
		num, after := number(p)
		if after != "" || num == "" {
			return bad("is not a clock time")
		}
		n, err := scaled(num, big.NewRat(1e9, 1))
		if err != nil {
			return bad(err.Error())
		}
		v[i] = n
	}
	var ns *big.Int
	mul := func(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
	switch {
	case hasDays || len(parts) == 3:
		ns = mul(v[0], 3600)
		ns.Add(ns, mul(v[1], 60))
		ns.Add(ns, big.NewInt(v[2]))
	default:
		ns = mul(v[0], 60)
		ns.Add(ns, big.NewInt(v[1]))
	}
	ns.Add(ns, mul(days, 86400e9))
	if !ns.IsInt64() {
		return bad(errRange.Error())
	}
	return event.Time(ns.Int64()), nil
}

// String writes the length as ParseDuration reads it: 1h30m, 20.5s, 0s.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	if d < 0 {
		return "-" + (-d).String()
	}
	var b strings.Builder
	left := uint64(d)
	for _, u := range []struct {
		name string
		ns   uint64
	}{{"d", 86400e9}, {"h", 3600e9}, {"m", 60e9}} {
		if n := left / u.ns; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			left %= u.ns
		}
	}
	if left > 0 {
		b.WriteString(decimals(left, 9) + "s")
	}
	return b.String()
}

// UnmarshalText is ParseDuration.
func (d *Duration) UnmarshalText(b []byte) error {
	t, err := ParseDuration(string(b))
	*d = Duration(t)
	return err
}

// MarshalText is String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
