package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpusim/hardware/units"
	"gpusim/sim/event"
)

// Long lists keep their beginning and their end.
const (
	headLines = 12
	tailLines = 4
)

// Write puts the life in words.
func (l *Life) Write(out io.Writer) error {
	w := &lines{}
	w.add("job %s of %s (seed %d)%s", l.Job, l.Scenario, l.Seed, lead(": ", l.Status))
	if l.Submit != nil {
		w.add("  submitted  at %s%s", clock(*l.Submit), l.who())
	}
	if l.Request != "" {
		limit := ""
		if l.TimeLimit != nil {
			limit = ", time limit " + length(*l.TimeLimit)
		}
		w.add("  asked for  %s%s", l.Request, limit)
	}
	if h := l.Held; h != nil {
		if h.To != nil {
			w.add("  held       %s to %s (%s): %s", clock(h.From), clock(*h.To), length(*h.To-h.From), h.Text)
		} else {
			w.add("  held       from %s on: %s", clock(h.From), h.Text)
		}
	}
	l.phases(w)
	if len(l.Reasons) > 1 {
		w.add("  waits by reason")
		for _, t := range l.Reasons {
			code := t.Code
			if code == "" {
				code = "not on record"
			}
			w.add("    %-20s %s", code, length(t.Time))
		}
	}
	w.add("  ended      %s", l.Ending)
	l.totals(w)
	for _, m := range l.Missing {
		w.add("  missing    %s", m)
	}
	if l.Epoch != "" {
		w.add("  times count from %s", l.Epoch)
	} else {
		w.add("  times count from the start of simulated time")
	}
	_, err := io.WriteString(out, strings.Join(w.list, "\n")+"\n")
	return err
}

type lines struct{ list []string }

func (w *lines) add(format string, args ...any) {
	w.list = append(w.list, fmt.Sprintf(format, args...))
}

// long adds a list of which the middle is left out where it is very long.
func (w *lines) long(list []string, indent, what string) {
	if n := len(list) - headLines - tailLines; n > 1 {
		w.list = append(w.list, list[:headLines]...)
		w.add("%s... %d more %s (all of them with --output json)", indent, n, what)
		list = list[len(list)-tailLines:]
	}
	w.list = append(w.list, list...)
}

// phases writes waits and attempts in order of time.
func (l *Life) phases(w *lines) {
	var blocks []string
	waits := l.Waits
	wait := func(until Seconds) {
		for len(waits) > 0 && waits[0].From < until {
			blocks = append(blocks, waits[0].words())
			waits = waits[1:]
		}
	}
	for i := range l.Attempts {
		wait(l.Attempts[i].Start)
		blocks = append(blocks, l.Attempts[i].words())
	}
	wait(Seconds(event.Never))
	if len(l.Attempts) == 0 && l.Start != nil {
		blocks = append(blocks, "  started    at "+clock(*l.Start))
	}
	w.long(blocks, "  ", "waits and attempts")
}

func (x *Wait) words() string {
	w := &lines{}
	head := fmt.Sprintf("  waited     %s to %s (%s)", clock(x.From), clock(x.To), length(x.To-x.From))
	var list []string
	for i := range x.Reasons {
		r := &x.Reasons[i]
		list = append(list, fmt.Sprintf("    %s to %s: %s", clock(r.From), clock(r.To), r.Text))
	}
	w.add("%s", head)
	w.long(list, "    ", "changes of reason")
	return strings.Join(w.list, "\n")
}

func (a *Attempt) words() string {
	where := a.GPUIndex
	if where == "" {
		where = a.Nodes
	}
	if names := strings.Fields(where); len(names) > 6 {
		where = fmt.Sprintf("%s ... %s (%d nodes)", strings.Join(names[:4], " "), names[len(names)-1], len(names))
	}
	s := fmt.Sprintf("  ran        %s to %s (%s), attempt %d on %s", clock(a.Start), clock(a.End), length(a.End-a.Start), a.Number, where)
	if a.MeanRate != nil && *a.MeanRate != 1 {
		s += fmt.Sprintf(", at %s of the reference speed on average", strconv.FormatFloat(*a.MeanRate, 'g', 3, 64))
	}
	return s + "\n    " + a.Text + "; GPU time " + gpuWords(a.Productive, a.Lost, a.Overhead)
}

func (l *Life) who() string {
	s := ""
	for _, p := range []struct{ lead, word string }{{" by ", l.User}, {", tenant ", l.Tenant}, {", queue ", l.Queue}, {", partition ", l.Partition}, {", kind ", l.Kind}, {", named ", l.Name}} {
		s += lead(p.lead, p.word)
	}
	if l.Priority != 0 {
		s += fmt.Sprintf(", priority %d", l.Priority)
	}
	return s
}

func lead(before, word string) string {
	if word == "" {
		return ""
	}
	return before + word
}

func (l *Life) totals(w *lines) {
	t := &l.Totals
	var parts []string
	part := func(format string, v *Seconds) {
		if v != nil {
			parts = append(parts, fmt.Sprintf(format, length(*v)))
		}
	}
	part("waited %s", t.Wait)
	part("ran %s", t.Run)
	part("completion %s after submission", t.JCT)
	if t.Slowdown != nil {
		parts = append(parts, fmt.Sprintf("slowdown %.2f", *t.Slowdown))
	}
	if len(parts) > 0 {
		w.add("  in all     %s", strings.Join(parts, ", "))
	}
	if t.Attempts > 0 {
		s := fmt.Sprintf("  attempts   %d, preempted %s", t.Attempts, times(t.Preemptions))
		if t.Productive != "" {
			s += "; GPU time " + gpuWords(t.Productive, t.Lost, t.Overhead)
		}
		w.add("%s", s)
	}
}

func times(n int64) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func gpuWords(productive, lost, overhead json.Number) string {
	s := gpuTime(productive) + " productive"
	if lost != "0" {
		s += ", " + gpuTime(lost) + " lost"
	}
	if overhead != "0" {
		s += ", " + gpuTime(overhead) + " overhead"
	}
	return s
}

// gpuTime writes GPU-seconds for people.
func gpuTime(n json.Number) string {
	f, err := n.Float64()
	if err != nil {
		return string(n)
	}
	switch {
	case f >= 3600:
		return strconv.FormatFloat(f/3600, 'f', 1, 64) + " GPU h"
	case f >= 60:
		return strconv.FormatFloat(f/60, 'f', 1, 64) + " GPU min"
	}
	return strconv.FormatFloat(f, 'g', 4, 64) + " GPU s"
}

// clock writes an instant exactly.
func clock(t Seconds) string { return units.Duration(t).String() }

// length writes a length of time without digits that nobody reads.
func length(t Seconds) string {
	e := event.Time(t)
	switch {
	case e >= event.Hour:
		e = (e + event.Second/2) / event.Second * event.Second
	case e >= event.Second:
		e = (e + 5*event.Millisecond) / (10 * event.Millisecond) * (10 * event.Millisecond)
	}
	return units.Duration(e).String()
}
