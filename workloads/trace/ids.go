package trace

import "strconv"

// ids remembers which ids jobs have had, as 64-bit hashes so that a million
// ids take tens of megabytes and not hundreds. Two different ids fall together
// with a chance of 1 in 10^7 in a trace of a million jobs.
type ids struct {
	first map[uint64]idPlace
	times map[uint64]int32 // of ids that came more than once
}

// idPlace is where a job stands: the number of the file and the line.
type idPlace struct {
	file int
	line int64
}

func newIDs() *ids { return &ids{map[uint64]idPlace{}, map[uint64]int32{}} }

// add remembers the id of a job. known says that it was there before; with
// number the repeat gets the next free number behind it.
func (s *ids) add(id []byte, at idPlace, number bool) (again repeat, known bool) {
	h := idHash(id)
	first, known := s.first[h]
	if !known {
		s.first[h] = at
		return repeat{}, false
	}
	again.first = first
	if !number {
		return again, true
	}
	n := max(s.times[h], 1)
	for {
		n++
		other := idHash(numbered(id, n))
		if _, taken := s.first[other]; !taken {
			s.first[other] = at
			break
		}
	}
	s.times[h] = n
	again.n = n
	return again, true
}

// numbered is the id of the n-th job of the same id.
func numbered(id []byte, n int32) []byte {
	b := append([]byte(nil), id...)
	return strconv.AppendInt(append(b, '#'), int64(n), 10)
}

// fullID is the id of the row's job.
func (r *row) fullID() string {
	if r.repeat > 0 {
		return clean(numbered(r.id, r.repeat))
	}
	return clean(r.id)
}

// idHash is FNV-1a.
func idHash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h ^= uint64(c)
		h *= 1099511628211
	}
	return h
}
