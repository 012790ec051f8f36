package trace

import (
	"time"

	"gpusim/sim/event"
)

// anyStamp reads the stamps of logs that are not strict about them: a blank or
// a T in the middle, a fraction or none, and an offset (Z, +08:00, +0800, +08)
// or none, in which case the time is local to its zone.
type anyStamp struct{ plain *clockFormat }

// newAnyStamp makes the clock of a log: the zone of the option timezone, or the
// format's own. head says so to the report.
func newAnyStamp(option, own string) (*anyStamp, about, error) {
	name, by := option, "option"
	if name == "" {
		name, by = own, "format default"
	}
	f, err := newClockFormat(plainLayout, name)
	if err != nil {
		return nil, about{}, err
	}
	return &anyStamp{f}, about{clock: newClock("1970-01-01T00:00:00Z", name, by), hasOrigin: true, zone: f.zone, layout: plainLayout}, nil
}

// read turns a field into a stamp.
func (c *anyStamp) read(b []byte) (stamp, string) {
	b = trim(b)
	n, off, ok := offsetAt(b)
	if !ok {
		return c.plain.read(b)
	}
	wall, nanos, ok := plainStamp(trim(b[:n]))
	if !ok {
		return stamp{}, "bad-time"
	}
	if at := wall - off; at >= firstUnix && at <= lastUnix {
		return oneStamp(at, nanos), ""
	}
	return stamp{}, "out-of-range"
}

// offsetAt finds the offset at the end of a stamp: where it begins, and how
// many seconds it is.
func offsetAt(b []byte) (n int, seconds int64, ok bool) {
	const date = 11 // the signs of 2006-01-02T are dashes
	if len(b) > date && (b[len(b)-1] == 'Z' || b[len(b)-1] == 'z') {
		return len(b) - 1, 0, true
	}
	for n = len(b) - 1; n >= date; n-- {
		if b[n] == '+' || b[n] == '-' {
			break
		}
	}
	if n < date {
		return 0, 0, false
	}
	rest := b[n+1:]
	if len(rest) == 5 && rest[2] == ':' {
		rest = append(append(make([]byte, 0, 4), rest[:2]...), rest[3:]...)
	}
	v, fine := digits(rest)
	switch {
	case !fine:
		return 0, 0, false
	case len(rest) == 2:
		seconds = v * 3600
	case len(rest) == 4:
		seconds = v/100*3600 + v%100*60
	default:
		return 0, 0, false
	}
	if b[n] == '-' {
		seconds = -seconds
	}
	return n, seconds, true
}

// absent says whether a field is one of the words that logs write for nothing.
func absent(b []byte) bool {
	switch string(trim(b)) {
	case "", "None", "none", "NONE", "null", "NULL", "(null)", "Unknown", "UNKNOWN", "unknown", "N/A", "n/a", "nan", "NaN", "NaT", "None assigned":
		return true
	}
	return false
}

// noteStamp counts a local time that clock changes made doubtful; column is
// where it stands.
func (r *row) noteStamp(s stamp, column int64, name string, text []byte) {
	if s.gap {
		r.note("no-such-time", column, "%s %s: the clocks were set forward over this time; it is read as if they had not been", name, quoted(text))
	}
	if s.again != s.at {
		r.note("ambiguous-time", column, "%s %s: the clocks were set back and showed this time twice; it is the first unless that is too early", name, quoted(text))
	}
}

// weekday writes an instant in a zone with its day of the week.
func weekday(t event.Time, z *zone) string {
	return time.Unix(0, int64(t)).In(z.loc).Format("Mon 2006-01-02T15:04:05Z07:00")
}
