package trace

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones are known on machines without a zone database

	"gpusim/sim/event"
)

// stamp is what a local time stands for: one instant, or two where clocks were
// set back.
type stamp struct {
	at, again event.Time // again is the later one of two, else equal to at
	gap       bool       // clocks were set forward over it: it never was on a clock
}

// from picks the instant: the first, unless only the second is not before the
// earliest it can be.
func (s stamp) from(earliest event.Time) event.Time {
	if s.at < earliest && s.again >= earliest {
		return s.again
	}
	return s.at
}

// zone turns local times into instants (nanoseconds since 1970 UTC).
type zone struct {
	loc *time.Location
	// Between lo and hi (seconds since 1970) the offset is known to be off.
	lo, hi, off int64
}

func newZone(name string) (*zone, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("timezone %q is not the name of a time zone, such as UTC or America/Los_Angeles", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("timezone %q is not known; write it as UTC, Asia/Shanghai or America/Los_Angeles", name)
	}
	return &zone{loc: loc}, nil
}

// offset is the zone's offset at an instant.
func (z *zone) offset(unix int64) int64 {
	if unix >= z.lo && unix < z.hi {
		return z.off
	}
	t := time.Unix(unix, 0).In(z.loc)
	_, off := t.Zone()
	start, end := t.ZoneBounds()
	z.off, z.lo, z.hi = int64(off), -1<<62, 1<<62
	if !start.IsZero() {
		z.lo = start.Unix()
	}
	if !end.IsZero() {
		z.hi = end.Unix()
	}
	return z.off
}

// local is the stamp of a wall clock's time, given as if it were UTC.
func (z *zone) local(wall int64, nanos int64) stamp {
	const day = 86400
	before := z.offset(wall - day)
	if wall-before-day >= z.lo && wall-before+2*day < z.hi {
		return oneStamp(wall-before, nanos)
	}
	after := z.offset(wall + day)
	if before == after {
		return oneStamp(wall-before, nanos)
	}
	first, second := wall-before, wall-after
	okFirst, okSecond := z.offset(first) == before, z.offset(second) == after
	switch {
	case okFirst && okSecond:
		s := oneStamp(first, nanos)
		s.again = oneStamp(second, nanos).at
		return s
	case okFirst:
		return oneStamp(first, nanos)
	case okSecond:
		return oneStamp(second, nanos)
	}
	s := oneStamp(first, nanos) // as if the clock had not been set yet
	s.gap = true
	return s
}

func oneStamp(unix, nanos int64) stamp {
	t := event.Time(unix)*event.Second + event.Time(nanos)
	return stamp{at: t, again: t}
}

// The instants that fit into an event.Time with room to spare.
const firstUnix, lastUnix = -int64(farthest / event.Second), int64(farthest/event.Second) - 86400

// clockFormat reads the instants of a format: numbers of some unit, or stamps.
type clockFormat struct {
	name   string // as the user says it
	places int    // numbers: decimals of a nanosecond (seconds 9, milliseconds 6)
	layout string // stamps: Go's layout
	zoned  bool   // stamps carry their offset
	zone   *zone
}

const (
	plainLayout = "2006-01-02 15:04:05"
	rfc3339     = time.RFC3339
)

// newClockFormat understands the option time_format; an empty one is seconds.
func newClockFormat(name, tz string) (*clockFormat, error) {
	f := &clockFormat{name: name}
	switch strings.ToLower(name) {
	case "", "seconds", "s":
		f.places = 9
	case "milliseconds", "ms":
		f.places = 6
	case "microseconds", "us":
		f.places = 3
	case "nanoseconds", "ns":
		f.places = 0
	case "rfc3339", "rfc 3339", "rfc-3339", "iso8601":
		f.layout = time.RFC3339
	default:
		f.layout = name
		if !strings.ContainsAny(name, "0123456789") || time.Unix(1e9, 0).UTC().Format(name) == name {
			return nil, fmt.Errorf("time_format %q is none of seconds, milliseconds, microseconds, nanoseconds, rfc3339, or a layout such as %q", name, plainLayout)
		}
	}
	f.zoned = strings.Contains(f.layout, "Z07") || strings.Contains(f.layout, "-07")
	if f.layout == "" {
		if tz != "" {
			return nil, fmt.Errorf("timezone does nothing for a time_format of %s: numbers have no zone", f.unit())
		}
		return f, nil
	}
	if tz == "" {
		tz = "UTC"
	}
	var err error
	f.zone, err = newZone(tz)
	return f, err
}

// unit names the unit of numbers.
func (f *clockFormat) unit() string {
	if f.name == "" {
		return "seconds"
	}
	return f.name
}

// lengthPlaces is the unit of lengths: that of the clock's numbers, or seconds.
func (f *clockFormat) lengthPlaces() int {
	if f.layout == "" {
		return f.places
	}
	return 9
}

// read turns a field into a stamp.
func (f *clockFormat) read(b []byte) (stamp, string) {
	b = trim(b)
	if len(b) == 0 {
		return stamp{}, "missing"
	}
	if f.layout == "" {
		t, why := instant(b, f.places)
		return stamp{at: t, again: t}, why
	}
	if f.layout == plainLayout {
		if wall, nanos, ok := plainStamp(b); ok {
			return f.within(wall, nanos)
		}
	}
	return f.parse(string(b))
}

// parse reads a stamp by Go's rules.
func (f *clockFormat) parse(text string) (stamp, string) {
	if f.zoned {
		t, err := time.Parse(f.layout, text)
		if err != nil && f.layout == time.RFC3339 { // a blank is common in place of the T
			t, err = time.Parse("2006-01-02 15:04:05Z07:00", text)
		}
		if err != nil {
			return stamp{}, "bad-time"
		}
		if t.Unix() < firstUnix || t.Unix() > lastUnix {
			return stamp{}, "out-of-range"
		}
		return oneStamp(t.Unix(), int64(t.Nanosecond())), ""
	}
	if strings.Contains(f.layout, "MST") {
		t, err := time.ParseInLocation(f.layout, text, f.zone.loc)
		if err != nil {
			return stamp{}, "bad-time"
		}
		if name, off := t.Zone(); off == 0 && name != "UTC" && name != "GMT" && t.Location() != f.zone.loc {
			return stamp{}, "bad-time" // an abbreviation of another zone
		}
		if t.Unix() < firstUnix || t.Unix() > lastUnix {
			return stamp{}, "out-of-range"
		}
		return oneStamp(t.Unix(), int64(t.Nanosecond())), ""
	}
	t, err := time.Parse(f.layout, text)
	if err != nil {
		return stamp{}, "bad-time"
	}
	return f.within(t.Unix(), int64(t.Nanosecond()))
}

func (f *clockFormat) within(wall, nanos int64) (stamp, string) {
	if wall < firstUnix || wall > lastUnix {
		return stamp{}, "out-of-range"
	}
	return f.zone.local(wall, nanos), ""
}

// plainStamp reads 2006-01-02 15:04:05 with an optional fraction, and the same
// with a T in the middle.
func plainStamp(b []byte) (wall, nanos int64, ok bool) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[10] != ' ' && b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return 0, 0, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	hour, ok4 := digits(b[11:13])
	minute, ok5 := digits(b[14:16])
	second, ok6 := digits(b[17:19])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	if len(b) > 19 {
		if b[19] != '.' || len(b) == 20 {
			return 0, 0, false
		}
		for _, c := range b[20:] {
			if c < '0' || c > '9' {
				return 0, 0, false
			}
		}
		if nanos, _ = decimal(append([]byte("0"), b[19:]...), 9); nanos > 999_999_999 {
			nanos = 999_999_999
		}
	}
	return civilDays(year, month, day)*86400 + hour*3600 + minute*60 + second, nanos, true
}

func digits(b []byte) (v int64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// civilDays counts the days from 1970-01-01 to a date of the Gregorian calendar.
func civilDays(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	// Years begin in March, so that the leap day comes last.
	return 365*year + floorDiv(year, 4) - floorDiv(year, 100) + floorDiv(year, 400) + (153*(month-3)+2)/5 + day - 719469
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// utcStamp writes an instant in RFC 3339.
func utcStamp(t event.Time) string {
	return time.Unix(0, int64(t)).UTC().Format(time.RFC3339Nano)
}
