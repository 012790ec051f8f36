package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"gpusim/hardware/units"
	"gpusim/reports/summary"
	"gpusim/scenarios"
	"gpusim/sim/event"
)

// printSummary prints what a person wants to know first.
func printSummary(w io.Writer, s *scenarios.Scenario, out *scenarios.Outcome, dir string) {
	sum := out.Summary
	p := s.Doc.Policy
	fmt.Fprintf(w, "%s  (seed %d)\n", sum.Scenario, sum.Seed)
	fmt.Fprintf(w, "  cluster   %d nodes, %d GPUs\n", len(s.Spec.Nodes), sum.GPU.Total)
	fmt.Fprintf(w, "  policy    order %s, backfill %s, placement %s, preemption %s\n", p.Order.Name, p.Backfill.Name, p.Placement.Name, p.Preemption.Name)
	j := sum.Jobs
	fmt.Fprintf(w, "  jobs      %d submitted: %d completed", j.Submitted, j.Completed)
	for _, c := range []struct {
		n    uint64
		word string
	}{{j.Failed, "failed"}, {j.Rejected, "rejected"}, {j.Cancelled, "cancelled"}, {j.Unfinished, "unfinished"}} {
		if c.n > 0 {
			fmt.Fprintf(w, ", %d %s", c.n, c.word)
		}
	}
	fmt.Fprintln(w)
	for _, a := range sum.SetAside {
		noun := "records"
		if a.Count == 1 {
			noun = "record"
		}
		fmt.Fprintf(w, "  set aside %d %s %s: %s\n", a.Count, noun, a.Action, a.Reason)
	}
	fmt.Fprintf(w, "  makespan  %s\n", length(sum.Makespan))
	fmt.Fprintf(w, "  load      %s offered, %s of GPU time allocated, %s of jobs waited\n\n", percent(sum.OfferedLoad), percent(sum.GPU.Ratio), percent(sum.Waited))

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tmean\tp50\tp95\tp99\tmax\t")
	row := func(name string, d summary.Dist, f func(*json.Number) string) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", name, f(d.Mean), f(d.P50), f(d.P95), f(d.P99), f(d.Max))
	}
	row("wait", sum.Wait, length)
	row("completion", sum.JCT, length)
	row("slowdown", sum.Slowdown, plain)
	t.Flush()
	if r := sum.Recorded; r != nil {
		fmt.Fprintf(w, "\n  of %d jobs with a recorded wait: recorded %s, simulated %s on average\n", r.Jobs, length(r.Wait.Mean), length(r.Simulated))
	}
	fmt.Fprintln(w, "\n  GPU time")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, a := range []struct {
		name string
		v    *json.Number
	}{{"capacity", sum.GPU.Capacity}, {"productive", sum.GPU.Productive}, {"lost", sum.GPU.Lost}, {"overhead", sum.GPU.Overhead}, {"idle", sum.GPU.Idle}} {
		fmt.Fprintf(t, "  %s\t%s\t%s\t\n", a.name, hours(a.v), share(a.v, sum.GPU.Capacity))
	}
	t.Flush()
	if sum.Preemptions > 0 {
		fmt.Fprintf(w, "  preemptions %d\n", sum.Preemptions)
	}
	if d := sum.Deadlines; d != nil {
		fmt.Fprintf(w, "  deadlines %d of %d met (%s)\n", d.Met, d.With, percent(d.Attainment))
	}
	fmt.Fprintf(w, "\n  %s events in %.3g s", grouped(out.Result.Events), out.Wall.Seconds())
	if dir != "" {
		fmt.Fprintf(w, "; run folder %s", dir)
	}
	fmt.Fprintln(w)
	if j.Submitted > 0 && j.Completed+j.Failed > 0 {
		if dir != "" {
			fmt.Fprintf(w, "  why did a job wait?  gpusim explain JOB --run %s\n", dir)
		}
	}
}

// number is a figure as float64.
func number(n *json.Number) (float64, bool) {
	if n == nil {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// length writes seconds as a length of time that a person can read.
func length(n *json.Number) string {
	f, ok := number(n)
	if !ok {
		return "-"
	}
	t := event.Time(f * 1e9)
	switch {
	case t >= event.Hour:
		t -= t % event.Second
	case t >= event.Second:
		t -= t % (10 * event.Millisecond)
	}
	return units.Duration(t).String()
}

func plain(n *json.Number) string {
	f, ok := number(n)
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

func percent(n *json.Number) string {
	f, ok := number(n)
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(100*f, 'f', 1, 64) + " %"
}

func hours(n *json.Number) string {
	f, ok := number(n)
	if !ok {
		return "-"
	}
	return grouped1(f/3600) + " GPU h"
}

func share(n, of *json.Number) string {
	a, ok := number(n)
	b, ok2 := number(of)
	if !ok || !ok2 || b == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*a/b, 'f', 1, 64) + " %"
}

// grouped writes 1234567 as 1,234,567.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func grouped1(f float64) string {
	s := strconv.FormatFloat(f, 'f', 1, 64)
	whole, frac, _ := strings.Cut(s, ".")
	n, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return s
	}
	return grouped(n) + "." + frac
}
