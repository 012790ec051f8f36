package preemption

import (
	"fmt"
	"slices"

	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/queue"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// SlicesConfig sets gang time slicing.
type SlicesConfig struct {
	Slice  *units.Duration `yaml:"slice" required:"true" doc:"how long a row of jobs has the GPUs before the next row's turn"`
	Switch *units.Duration `yaml:"switch,omitempty" doc:"time on the GPUs that a job takes to come back (default 0s)"`
}

func buildSlices(config any, _ policies.Env) (policies.Preemption, error) {
	p := policies.Preemption{Kind: policies.PreemptSlices}
	c, _ := config.(*SlicesConfig)
	if c == nil || c.Slice == nil {
		return p, fmt.Errorf("needs slice, for example {name: gang-slices, slice: 30s}")
	}
	if *c.Slice <= 0 {
		return p, fmt.Errorf("slice %v is not above zero", *c.Slice)
	}
	p.Slice = event.Time(*c.Slice)
	if c.Switch != nil {
		p.Restart = event.Time(*c.Switch)
	}
	return p, nil
}

// TimeSlices is gang time slicing: jobs stand in rows, the jobs of a row fit
// the cluster together, and the rows take turns on the GPUs. A job joins the
// first row with room, in the order of the policy, and keeps its GPUs over all
// turns; a row whose last job has ended gives its turn away at once; a single
// row is not interrupted.
//
// Source: Ousterhout, Scheduling Techniques for Concurrent Systems, ICDCS 1982
// (matrix of rows), as in Slurm's gang scheduling; idle places of a row are not
// lent to other rows. Cost of a round: O(rows + jobs of two rows).
type TimeSlices struct {
	env   policies.Env
	order order.Order
	rule  placement.Rule
	slice event.Time

	fresh  queue.List // jobs without a row
	rows   []*row
	active int
	since  event.Time // when the active row's turn began
	rowOf  map[*cluster.Job]*row
}

// row is jobs that run together.
type row struct {
	jobs []*cluster.Job // in order of joining
	used int64          // thousandths of GPUs
}

// NewTimeSlices builds the scheduler.
func NewTimeSlices(env policies.Env, o order.Order, rule placement.Rule, how policies.Preemption) *TimeSlices {
	return &TimeSlices{env: env, order: o, rule: rule, slice: how.Slice, rowOf: map[*cluster.Job]*row{}}
}

// Enqueue lets a new job wait for a row; one whose row has had its turn has a
// row already.
func (s *TimeSlices) Enqueue(j *cluster.Job, now event.Time) {
	if s.rowOf[j] == nil {
		j.Key = s.order.Key(j, now)
		s.fresh.Insert(j)
	}
}

// Dequeue forgets a waiting job.
func (s *TimeSlices) Dequeue(j *cluster.Job, _ event.Time) { s.forget(j) }

func (s *TimeSlices) forget(j *cluster.Job) {
	w := s.rowOf[j]
	if w == nil {
		s.fresh.Remove(j)
		return
	}
	delete(s.rowOf, j)
	w.used -= j.Req.Milli()
	w.jobs = slices.DeleteFunc(w.jobs, func(x *cluster.Job) bool { return x == j })
}

// Started has nothing to do: the row knows its jobs.
func (s *TimeSlices) Started(*cluster.Job, event.Time) {}

// Stopped forgets a job that has ended.
func (s *TimeSlices) Stopped(j *cluster.Job, _ event.Time) {
	if j.State.Ended() {
		s.forget(j)
	}
}

// Round gives new jobs a row, turns the rows when a slice is over, and starts
// what stands in the active row.
func (s *TimeSlices) Round(r *policies.Round) {
	room := int64(r.Cluster.GPUs()) * 1000
	for j := s.fresh.First(); j != nil; j = s.fresh.First() {
		s.fresh.Remove(j)
		s.join(j, 0, room)
	}
	s.dropEmpty(r.Now)
	if len(s.rows) > 1 && r.Now >= s.since+s.slice {
		for _, j := range s.rows[s.active].jobs {
			if j.State == cluster.Running {
				r.Preempt(j, true)
			}
		}
		s.active = (s.active + 1) % len(s.rows)
		s.since = r.Now
	}
	if len(s.rows) > 0 {
		s.fill(r, room)
	}
	for i, w := range s.rows {
		if i != s.active {
			for _, j := range w.jobs {
				if j.State != cluster.Running && j.Req.Why.Code == "" {
					r.Why(j.Req, policies.WhyOtherRow, j.Req.GPUs, 0)
				}
			}
		}
	}
}

// join puts a job into the first row from from on that has room for it.
func (s *TimeSlices) join(j *cluster.Job, from int, room int64) {
	for _, w := range s.rows[from:] {
		if w.used+j.Req.Milli() <= room {
			w.jobs = append(w.jobs, j)
			w.used += j.Req.Milli()
			s.rowOf[j] = w
			return
		}
	}
	w := &row{jobs: []*cluster.Job{j}, used: j.Req.Milli()}
	s.rows = append(s.rows, w)
	s.rowOf[j] = w
}

// dropEmpty takes rows without jobs out; if the active one goes, the next has
// its turn at once.
func (s *TimeSlices) dropEmpty(now event.Time) {
	for i := 0; i < len(s.rows); {
		if len(s.rows[i].jobs) > 0 {
			i++
			continue
		}
		s.rows = slices.Delete(s.rows, i, i+1)
		switch {
		case i < s.active:
			s.active--
		case i == s.active:
			s.since = now
		}
	}
	if s.active >= len(s.rows) {
		s.active = 0
	}
}

// fill starts the jobs of the active row that do not run. One that has enough
// GPUs by number but no place joins a later row.
func (s *TimeSlices) fill(r *policies.Round, room int64) {
	w := s.rows[s.active]
	for _, j := range slices.Clone(w.jobs) {
		if j.State == cluster.Running {
			continue
		}
		var chunks []cluster.Chunk
		if j.State == cluster.Suspended {
			if r.Cluster.Free(j.Req, j.Chunks) {
				chunks = j.Chunks
			}
		} else {
			chunks = s.rule.Place(j, j.Chunks[:0])
		}
		if chunks != nil {
			r.Start(j, chunks)
			continue
		}
		r.Why(j.Req, policies.WhyShape, j.Req.GPUs, j.Req.Class.Idle())
		if j.State == cluster.Waiting && len(w.jobs) > 1 {
			s.forget(j)
			s.join(j, s.active+1, room)
		}
	}
}

// Wake asks for the end of the slice while there is another row.
func (s *TimeSlices) Wake(r *policies.Round) {
	if len(s.rows) > 1 {
		r.WakeAt(max(s.since+s.slice, r.Now+1))
	}
}

// Check compares the rows with the jobs.
func (s *TimeSlices) Check(*policies.Round) error {
	for i, w := range s.rows {
		used := int64(0)
		for _, j := range w.jobs {
			used += j.Req.Milli()
			if s.rowOf[j] != w || j.State == cluster.Running && i != s.active {
				return fmt.Errorf("job %s is %v in row %d, row %d is active", j.Spec.ID, j.State, i, s.active)
			}
		}
		if used != w.used {
			return fmt.Errorf("row %d counts %d thousandths of GPUs, its jobs ask for %d", i, w.used, used)
		}
	}
	return nil
}
