package units

import (
	"fmt"
	"strings"

	"gpusim/sim/event"
)

// Duration is a length of time, or an instant counted from an epoch, in
// nanoseconds.
type Duration event.Time

// timeScales are the units of time. The first that fits is taken, so ms stands
// before m.
var timeScales = [...]scale{
	{"w", int64(7 * event.Day)}, {"d", int64(event.Day)}, {"h", int64(event.Hour)},
	{"ms", int64(event.Millisecond)}, {"m", int64(event.Minute)}, {"s", int64(event.Second)},
	{"us", int64(event.Microsecond)}, {"µs", int64(event.Microsecond)}, {"ns", 1},
}

func timeUnit(s string) scale {
	for _, u := range timeScales {
		if strings.HasPrefix(s, u.name) {
			return u
		}
	}
	return scale{}
}

const durationRemedy = "write a length of time like 90s, 45m, 1h30m, 7d or a number of seconds"

// ParseDuration reads 90s, 45m, 1h30m, 7d, 2w, 1.5h, 500ms, the D-HH:MM:SS of
// Slurm (also MM:SS and HH:MM:SS), or a bare number of seconds (20.5, 1e3).
// Negative lengths are refused. What is finer than a nanosecond is rounded.
func ParseDuration(s string) (event.Time, error) {
	if strings.HasPrefix(strings.TrimSpace(s), "-") {
		return 0, fmt.Errorf("%q is negative; %s", s, durationRemedy)
	}
	return ParseSigned(s)
}

// ParseSigned is ParseDuration for a length that may be negative: -1h30m.
func ParseSigned(s string) (event.Time, error) {
	text, negative := strings.CutPrefix(strings.TrimSpace(s), "-")
	if !negative {
		text = strings.TrimPrefix(text, "+")
	}
	var t int64
	var err error
	switch {
	case text == "":
		err = fmt.Errorf("is empty")
	case strings.Contains(text, ":"):
		t, err = clock(text)
	default:
		t, err = lengths(text)
	}
	if err != nil {
		return 0, fmt.Errorf("%q %w; %s", s, err, durationRemedy)
	}
	if negative {
		t = -t
	}
	return event.Time(t), nil
}

var errNotLength = fmt.Errorf("is not a length of time")

// lengths reads 1h30m and the like, or a bare number of seconds.
func lengths(text string) (int64, error) {
	var total, last int64
	for rest := text; rest != ""; {
		num, after := number(rest)
		if num == "" {
			return 0, errNotLength
		}
		unit := timeUnit(after)
		if after == "" && rest == text {
			unit.size = int64(event.Second)
		}
		switch {
		case unit.size == 0:
			return 0, errNotLength
		case last > 0 && unit.size >= last:
			return 0, fmt.Errorf("has its units out of order")
		}
		v, err := scaled(num, unit.size)
		if err != nil {
			return 0, err
		}
		if total += v; total < 0 {
			return 0, errRange
		}
		last, rest = unit.size, after[len(unit.name):]
	}
	return total, nil
}

// clock reads MM:SS, HH:MM:SS, D-HH:MM and D-HH:MM:SS; only the seconds may
// have a fraction, and only the first part may exceed what a clock shows.
func clock(text string) (int64, error) {
	days, rest, hasDays := strings.Cut(text, "-")
	if !hasDays {
		days, rest = "", text
	}
	parts := strings.Split(rest, ":")
	scales := []int64{int64(event.Minute), int64(event.Second)}
	if hasDays || len(parts) == 3 {
		scales = []int64{int64(event.Hour), int64(event.Minute), int64(event.Second)}
	}
	if len(parts) > len(scales) {
		return 0, errNotLength
	}
	total := int64(0)
	add := func(num string, unit, limit int64) error {
		if strings.Trim(num, "0123456789") != "" && (unit != int64(event.Second) || strings.Trim(num, "0123456789.") != "") {
			return errNotLength
		}
		v, err := scaled(num, unit)
		switch {
		case err != nil:
			return err
		case v >= limit:
			return fmt.Errorf("has %s where a clock shows less", num)
		}
		if total += v; total < 0 {
			return errRange
		}
		return nil
	}
	if hasDays {
		if err := add(days, int64(event.Day), int64(event.Never)); err != nil {
			return 0, err
		}
	}
	for i, p := range parts {
		limit := int64(event.Never)
		switch {
		case i > 0:
			limit = 60 * scales[i]
		case hasDays:
			limit = 24 * scales[i]
		}
		if err := add(p, scales[i], limit); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// String writes the length as ParseDuration reads it: 1h30m, 20.5s, 0s. Negative
// ones (-5s) need ParseSigned.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	text := make([]byte, 0, 32)
	if d < 0 {
		text = append(text, '-')
	}
	left := magnitude(event.Time(d))
	for _, u := range [...]scale{{"d", int64(event.Day)}, {"h", int64(event.Hour)}, {"m", int64(event.Minute)}} {
		if n := left / uint64(u.size); n > 0 {
			text = append(appendFixed(text, 0, n, 0), u.name...)
			left %= uint64(u.size)
		}
	}
	if left > 0 {
		text = append(appendFixed(text, 0, left, secondDigits), 's')
	}
	return string(text)
}

// UnmarshalText is ParseDuration for a key of a file, whose lengths of time stay
// below 73 years, so that sums of them are in range.
func (d *Duration) UnmarshalText(text []byte) error {
	t, err := ParseDuration(string(text))
	if err == nil && t >= event.Never/4 {
		err = fmt.Errorf("%q is 73 years or more, longer than gpusim simulates", text)
	}
	if err == nil {
		*d = Duration(t)
	}
	return err
}

// MarshalText is String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
