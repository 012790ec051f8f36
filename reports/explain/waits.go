package explain

import (
	"cmp"
	"slices"
	"strings"

	"gpusim/policies"
	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// fromAttempts fills in what can be known without the table of jobs.
func (l *Life) fromAttempts() {
	for i := range l.Attempts {
		if l.wasPreempted(i) {
			l.Totals.Preemptions++
		}
	}
	l.Totals.Attempts = int64(len(l.Attempts))
	first := l.Attempts[0].Start
	l.Start = &first
}

func (l *Life) wasPreempted(i int) bool {
	r := l.Attempts[i].Reason
	return r == cluster.ReasonPreempted.String() || r == cluster.ReasonSuspended.String()
}

// findWaits works out when the job waited: from when nothing held it to its
// first start, and between attempts.
func (l *Life) findWaits(hasAttempts bool) {
	preempted := false
	add := func(from, to Seconds) {
		if from < to {
			l.Waits = append(l.Waits, Wait{From: from, To: to, Reasons: []Reason{}, preempted: preempted})
		}
	}
	at := l.Eligible
	for i := range l.Attempts {
		a := &l.Attempts[i]
		if at != nil {
			add(*at, a.Start)
		}
		end := a.End
		at, preempted = &end, l.wasPreempted(i)
	}
	if !hasAttempts && l.Start != nil {
		if at != nil {
			add(*at, *l.Start)
		}
		if l.Totals.Preemptions > 0 {
			l.Missing = append(l.Missing, "its waits after the first start are not known without the table attempts")
		}
		return
	}
	switch {
	case at == nil || l.Status == "" || l.Status == "rejected":
	case l.End != nil:
		add(*at, *l.End) // nothing, unless it ended while it waited
	case l.runEnd != nil:
		add(*at, Seconds(*l.runEnd))
	}
}

// readReasons cuts the reasons of the job's group to its waits.
func (l *Life) readReasons(run *folder.Run, hasJobs bool) error {
	if !hasJobs || l.group < 0 {
		return nil
	}
	if len(l.Waits) > 0 && l.Eligible != nil && l.Waits[0].From == *l.Eligible {
		turn, held, err := l.turn(run)
		if err != nil {
			return err
		}
		if w := &l.Waits[0]; held {
			w.queued = min(max(turn, w.From), w.To)
		}
	}
	c := columns{}
	err := run.Scan("decisions", func(r table.Row) error {
		if g := c.int(r, "group"); g == nil || *g != l.group {
			return nil
		}
		if l.Request == "" {
			l.Request = c.text(r, "request")
		}
		from, to := c.seconds(r, "first_s"), c.seconds(r, "last_s")
		if from == nil || to == nil {
			return nil
		}
		for i := l.firstAfter(*from); i < len(l.Waits) && l.Waits[i].From < *to; i++ {
			w := &l.Waits[i]
			x := Reason{Code: c.text(r, "reason"), From: max(*from, w.From, w.queued), To: min(*to, w.To),
				Wanted: c.int(r, "gpus_wanted"), First: c.int(r, "gpus_free_first"), Last: c.int(r, "gpus_free_last")}
			if x.From < x.To {
				w.Reasons = append(w.Reasons, x)
			}
		}
		return nil
	})
	if err != nil {
		return l.lacks(err, "decisions", "why the job waited is not known")
	}
	for i := range l.Waits {
		l.Waits[i].complete()
	}
	return nil
}

// firstAfter is the first wait that ends after t.
func (l *Life) firstAfter(t Seconds) int {
	i, _ := slices.BinarySearchFunc(l.Waits, t, func(w Wait, t Seconds) int {
		if w.To <= t {
			return -1
		}
		return 1
	})
	return i
}

// complete sorts the reasons of a wait, names the gaps between them and puts
// all in words. A wait can begin without a reason of the policy: the job has just
// been preempted, or its array's throttle keeps it out of the queue.
func (w *Wait) complete() {
	slices.SortStableFunc(w.Reasons, func(a, b Reason) int { return cmp.Compare(a.From, b.From) })
	var all []Reason
	at := max(w.From, w.queued)
	if at > w.From {
		all = append(all, Reason{Code: policies.WhyThrottle, From: w.From, To: at})
	}
	for _, r := range w.Reasons {
		if r.From > at {
			all = append(all, Reason{From: at, To: r.From})
		}
		all = append(all, r)
		at = max(at, r.To)
	}
	if at < w.To {
		all = append(all, Reason{From: at, To: w.To})
	}
	if w.preempted && len(all) > 0 && all[0].Code == "" {
		all[0].Code = policies.WhyOutranked
	}
	for i := range all {
		all[i].Text = waitSentence(&all[i])
	}
	w.Reasons = all
}

// finish adds up and words the end.
func (l *Life) finish() {
	sums := map[string]event.Time{}
	for i := range l.Waits {
		for j := range l.Waits[i].Reasons {
			r := &l.Waits[i].Reasons[j]
			sums[r.Code] += event.Time(r.To - r.From)
		}
	}
	for code, t := range sums {
		l.Reasons = append(l.Reasons, Total{code, Seconds(t)})
	}
	slices.SortFunc(l.Reasons, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Code, b.Code))
	})
	if l.Request == "" {
		l.Request = l.facts.words(l)
	}
	t := &l.Totals
	if t.JCT != nil && t.Run != nil {
		s := max(1, float64(*t.JCT)/float64(max(event.Time(*t.Run), 10*event.Second)))
		t.Slowdown = &s
	}
	l.Ending = l.ending()
}
