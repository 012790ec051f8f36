package trace

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// fileSource hands out jobs straight from the files.
type fileSource struct {
	t *Trace
	c *cursor
	r row
	n int64
	// left are the pieces of the last row that are still to come.
	left []*workloads.Job
}

// Next implements workloads.Source.
func (s *fileSource) Next() (*workloads.Job, error) {
	if len(s.left) > 0 {
		j := s.left[0]
		s.left = s.left[1:]
		return j, nil
	}
	for {
		err := s.c.next(&s.r)
		if err == io.EOF {
			return nil, s.end()
		}
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		if s.r.fate != "" {
			continue
		}
		s.n += s.r.handed()
		j := new(workloads.Job)
		*j = s.r.job
		j.ID = s.r.fullID()
		j.Name = clean(s.r.name)
		j.Line = s.r.line
		s.t.scale.apply(j, s.t.tally.first)
		if s.r.pieces != nil {
			list := s.r.cut(j)
			s.left = list[1:]
			return list[0], nil
		}
		return j, nil
	}
}

// end compares the two readings.
func (s *fileSource) end() error {
	if s.n != s.t.tally.jobs {
		return fmt.Errorf("trace: %s gave %d jobs at first and %d now: the file has changed while it was in use", s.t.inputs[0].path, s.t.tally.jobs, s.n)
	}
	return io.EOF
}

// Close gives the file back early; after the last job it is closed anyway.
func (s *fileSource) Close() error { s.c.close(); return nil }

// sortedSource hands out jobs that the file does not have in order of time. It
// holds all of them, packed: some 50 bytes a job and the length of its id.
type sortedSource struct {
	p     *packer
	index []packedAt
	next  int
}

// packedAt is where a packed job begins, and what it is sorted by.
type packedAt struct {
	submit event.Time
	at     uint64
}

// newSortedSource reads all of src.
func newSortedSource(src workloads.Source) (*sortedSource, error) {
	s := &sortedSource{p: newPacker()}
	for {
		j, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.index = append(s.index, packedAt{j.Submit, s.p.pack(j)})
	}
	// Places grow with the order of the file, which decides between equals.
	slices.SortFunc(s.index, func(a, b packedAt) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.at, b.at))
	})
	return s, nil
}

// Next implements workloads.Source.
func (s *sortedSource) Next() (*workloads.Job, error) {
	if s.next == len(s.index) {
		return nil, io.EOF
	}
	s.next++
	return s.p.unpack(s.index[s.next-1].at), nil
}
