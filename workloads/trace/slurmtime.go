package trace

import (
	"bytes"

	"gpusim/sim/event"
)

// slurmLength reads a length of time as Slurm writes it: 1-02:03:04, 1-02:03,
// 1-02, 02:03:04, 03:04, with or without a fraction, or a bare number of the
// given unit. UNLIMITED, INFINITE, Partition_Limit and the words of absent are
// no length (known false).
func slurmLength(b []byte, bare event.Time) (d event.Time, known bool, why string) {
	b = trim(b)
	if absent(b) || string(b) == "-1" {
		return 0, false, ""
	}
	switch string(bytes.ToUpper(b)) {
	case "UNLIMITED", "INFINITE", "PARTITION_LIMIT", "INVALID", "NOT_SET":
		return 0, false, ""
	}
	days, rest, hasDays := bytes.Cut(b, []byte{'-'})
	if !hasDays {
		rest = b
	}
	parts := bytes.Split(rest, []byte{':'})
	units := []event.Time{event.Hour, event.Minute, event.Second}
	switch {
	case hasDays && len(parts) <= 3:
		units = units[:len(parts)]
	case len(parts) == 3:
	case len(parts) == 2:
		units = units[1:]
	case len(parts) == 1:
		units = []event.Time{bare}
	default:
		return 0, false, "bad-time"
	}
	if hasDays {
		parts, units = append([][]byte{days}, parts...), append([]event.Time{event.Day}, units...)
	}
	for i, p := range parts {
		v, why := slurmPart(p, units[i], i == len(parts)-1)
		switch {
		case why != "":
			return 0, false, why
		case v > farthest-d:
			return 0, false, "out-of-range"
		}
		d += v
	}
	return d, true, ""
}

// slurmPart is one number of a length; only the last may have a fraction.
func slurmPart(b []byte, unit event.Time, last bool) (event.Time, string) {
	if len(b) == 0 || bytes.Trim(b, "0123456789.") != nil && len(bytes.Trim(b, "0123456789.")) > 0 {
		return 0, "bad-time"
	}
	places := 0
	if last {
		places = 9
	}
	v, exact, why := exactDecimal(b, places)
	if why == "not-a-number" || why == "" && !exact && !last {
		return 0, "bad-time"
	}
	if why != "" {
		return 0, why
	}
	var w wide
	w.add(uint64(v), uint64(unit))
	q := w.big()
	if last {
		q.Quo(q, billion())
	}
	if !q.IsInt64() || event.Time(q.Int64()) > farthest {
		return 0, "out-of-range"
	}
	return event.Time(q.Int64()), ""
}

// arrayID is what an id such as 1002_[4-9,12%2] says.
type arrayID struct {
	elements int64
	throttle int64 // at most so many at once; 0 = all
	cut      bool  // the list was cut short: there are more elements
}

// parseArray reads the part of an id that lists waiting elements; ok is false
// where there is none, or one that cannot be read.
func parseArray(id []byte) (a arrayID, is, ok bool) {
	from := bytes.Index(id, []byte("_["))
	if from < 0 {
		return a, false, true
	}
	list, _, closed := bytes.Cut(id[from+2:], []byte{']'})
	list, limit, limited := bytes.Cut(list, []byte{'%'})
	if limited {
		v, fine := digits(limit)
		if !fine || len(limit) == 0 || len(limit) > 9 {
			return a, true, false
		}
		a.throttle = v
	}
	for _, part := range bytes.Split(list, []byte{','}) {
		if string(part) == "..." {
			a.cut = true
			continue
		}
		part, by, stepped := bytes.Cut(part, []byte{':'})
		step := int64(1)
		if stepped {
			v, fine := digits(by)
			if !fine || v == 0 || len(by) > 9 {
				return a, true, false
			}
			step = v
		}
		low, high, many := bytes.Cut(part, []byte{'-'})
		if !many {
			high = low
		}
		first, ok1 := digits(low)
		last, ok2 := digits(high)
		if !ok1 || !ok2 || len(low) == 0 || len(high) == 0 || len(low) > 9 || len(high) > 9 || last < first {
			return a, true, false
		}
		a.elements += (last-first)/step + 1
	}
	a.cut = a.cut || !closed
	return a, true, a.elements > 0
}
