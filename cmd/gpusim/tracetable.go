package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"gpusim/workloads/trace"
)

// topLines is how many lines a table of jobs by something has.
const topLines = 10

// printInspected says what is in a trace to a person: first what it is, then
// what was set aside, then shapes, then what to do next.
func printInspected(w io.Writer, r *inspected) error {
	format := formatOf(r.Report)
	fmt.Fprintf(w, "%s: %s\n", r.Format, format.Doc)
	for _, f := range r.Files {
		fmt.Fprintf(w, "  file      %s: %s lines, %s records, %s", printable(f.Path), count(f.Lines), count(f.Records), f.Encoding)
		if f.Compression != "none" {
			fmt.Fprintf(w, ", %s", f.Compression)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "  records   %s read, %s accepted, %s set aside\n", count(r.Records), count(r.Accepted), count(r.Records-r.Accepted))
	if r.Accepted == 0 && r.Records > 0 {
		fmt.Fprintln(w, "  nothing was accepted: the reasons below say why; --opt sets how the file is read")
	}
	if !format.Nodes {
		printTimes(w, r.Report)
	}
	printCluster(w, r.Report, !format.Nodes)
	if err := printFacts(w, r.Facts); err != nil {
		return err
	}
	several := severalFiles(r.Issues)
	if err := printIssues(w, "Set aside or repaired", r.Issues, several, trace.Rejected, trace.Skipped, trace.Repaired); err != nil {
		return err
	}
	if err := printIssues(w, "Worth knowing", r.Issues, several, trace.Noted); err != nil {
		return err
	}
	for _, by := range []struct {
		name  string
		table trace.Table
		sized bool
	}{
		{"GPUs", r.JobsBy.GPUs, true}, {"status", r.JobsBy.Status, false}, {"queue", r.JobsBy.Queue, false},
		{"GPU type", r.JobsBy.GPUType, false},
	} {
		if err := printShares(w, by.name, by.table, by.sized); err != nil {
			return err
		}
	}
	if r.Jobs != nil {
		if err := printJobs(w, *r.Jobs); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nTry now\n  %s\n", r.Next)
	return err
}

// printTimes says what the clock is and how far it went.
func printTimes(w io.Writer, r *trace.Report) {
	origin := or(r.Clock.Origin, "not known")
	fmt.Fprintf(w, "  clock     time 0 is %s", origin)
	if r.Clock.Timezone != nil {
		fmt.Fprintf(w, ", zone %s", *r.Clock.Timezone)
	}
	if r.Clock.StatedBy != nil {
		fmt.Fprintf(w, " (stated by: %s)", *r.Clock.StatedBy)
	}
	fmt.Fprintln(w)
	first, last := figureOf(r.FirstSubmit), figureOf(r.LastEnd)
	if first != nil {
		fmt.Fprintf(w, "  submitted %s s to %s s%s\n", r.FirstSubmit, r.LastSubmit, calendar(r.Clock.Origin, r.FirstSubmit, r.LastSubmit))
	}
	if last != nil {
		fmt.Fprintf(w, "  span      %s from the first submission to the last end\n", length(figureOf(r.Span)))
	}
	fmt.Fprintf(w, "  GPU time  %s\n", hours(figureOf(r.GPUSeconds)))
	if r.Wait.Known > 0 {
		fmt.Fprintf(w, "  wait      mean %s, of the %s jobs that tell it\n", length(figureOf(r.Wait.Mean)), count(r.Wait.Known))
	} else {
		fmt.Fprintln(w, "  wait      not recorded")
	}
}

func printCluster(w io.Writer, r *trace.Report, load bool) {
	if r.Cluster == nil {
		return
	}
	fmt.Fprintf(w, "  cluster   %s nodes, %s GPUs, %s usable\n", count(r.Cluster.Nodes), count(r.Cluster.GPUs), count(r.Cluster.Usable))
	for _, o := range r.Cluster.OutOfService {
		fmt.Fprintf(w, "  out       %s: %s\n", printable(o.Node), o.Reason)
	}
	if !load {
		return
	}
	var loads []string
	for _, e := range r.OfferedLoad {
		loads = append(loads, printable(e.Key)+" "+percent(figureOf(e.Value)))
	}
	if len(loads) == 0 {
		loads = []string{"not known: there is no span of submissions"}
	}
	fmt.Fprintf(w, "  load      offered: %s\n", strings.Join(loads, ", "))
}

// printFacts shows what a format has to tell that no other has.
func printFacts(w io.Writer, facts trace.Facts) error {
	if len(facts) > 0 {
		fmt.Fprintln(w, "\nThe trace also says")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range facts {
		text, ok := f.Value.(string)
		if !ok {
			b, err := json.Marshal(f.Value)
			if err != nil {
				return fmt.Errorf("writing %s: %w", f.Key, err)
			}
			text = string(b)
		}
		fmt.Fprintf(t, "  %s\t%s\n", cut(f.Key, 60), cut(text, 160))
	}
	return t.Flush()
}

// severalFiles says whether a place needs the name of its file.
func severalFiles(issues []trace.Issue) bool {
	file := ""
	for _, i := range issues {
		for _, p := range i.At {
			if file != "" && p.File != file {
				return true
			}
			file = p.File
		}
	}
	return false
}

// printIssues lists reasons with the first place of each.
func printIssues(w io.Writer, title string, issues []trace.Issue, several bool, actions ...trace.Action) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	any := false
	for _, i := range issues {
		if !slices.Contains(actions, i.Action) {
			continue
		}
		if !any {
			fmt.Fprintf(w, "\n%s\n", title)
			any = true
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", count(i.Count), i.Action, i.Reason, firstPlace(i, several))
	}
	return t.Flush()
}

func firstPlace(i trace.Issue, several bool) string {
	if len(i.At) == 0 {
		return ""
	}
	p := i.At[0]
	var words []string
	if several {
		words = append(words, printable(p.File))
	}
	if p.Line != nil {
		words = append(words, fmt.Sprintf("line %d", *p.Line))
	}
	if p.ID != "" {
		words = append(words, "id "+cut(p.ID, 60))
	}
	place := strings.Join(words, ", ")
	if i.Count > 1 && place != "" {
		place = "first at " + place
	}
	if place != "" {
		place += ": "
	}
	return place + cut(p.Message, 160)
}

// printShares shows how many jobs have each value: the most common ones, in the
// order of the table where values are sizes.
func printShares(w io.Writer, name string, table trace.Table, sized bool) error {
	if len(table) == 0 || len(table) == 1 && table[0].Key == "" {
		return nil
	}
	total, most := int64(0), make([]int, len(table))
	for i := range table {
		most[i] = i
		total += jobsOf(table[i])
	}
	sort.SliceStable(most, func(a, b int) bool { return jobsOf(table[most[a]]) > jobsOf(table[most[b]]) })
	rest := int64(0)
	if len(most) > topLines {
		for _, i := range most[topLines:] {
			rest += jobsOf(table[i])
		}
		most = most[:topLines]
	}
	if sized {
		sort.Ints(most)
	}
	fmt.Fprintf(w, "\nJobs by %s\n", name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, n int64) {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", name, count(n), percentOf(n, total))
	}
	for _, i := range most {
		key := cut(table[i].Key, 60)
		switch {
		case key == "" && name == "GPU type":
			key = "(any)"
		case key == "":
			key = "(none)"
		}
		line(key, jobsOf(table[i]))
	}
	if rest > 0 {
		line(fmt.Sprintf("%d others", len(table)-topLines), rest)
	}
	return t.Flush()
}

func printJobs(w io.Writer, rows []inspectedJob) error {
	fmt.Fprintln(w, "\nRecords")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  line\tid\tfate\tsubmit s\twait s\trun s\tGPUs\tGPU s\tstatus\t")
	on := len(rows) > 0 && rows[0].Eligible != nil
	if on {
		fmt.Fprint(t, "nodes\t")
	}
	fmt.Fprintln(t, "notes")
	for _, r := range rows {
		fmt.Fprintf(t, "  %d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t", r.Line, cut(r.ID, 60), r.Fate, dash(string(r.Submit)), dash(string(r.Wait)),
			dash(string(r.Run)), dash(string(r.GPUs)), dash(string(r.GPUSeconds)), or(r.Status, "-"))
		switch {
		case on && *r.Eligible == nil:
			fmt.Fprint(t, "-\t")
		case on:
			fmt.Fprintf(t, "%d\t", len(*r.Eligible))
		}
		fmt.Fprintln(t, printable(strings.Join(r.Notes, "; ")))
	}
	return t.Flush()
}

// figureOf turns a figure of a report into what the printing functions take.
func figureOf(d trace.Decimal) *json.Number {
	return (*json.Number)(known(string(d)))
}

func count(n int64) string { return grouped(uint64(max(0, n))) }

func jobsOf(e trace.Entry) int64 {
	n, err := strconv.ParseInt(string(e.Value), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func percentOf(n, of int64) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

// calendar gives two times of a trace as dates, where its clock has an origin.
func calendar(origin *string, times ...trace.Decimal) string {
	start, err := time.Parse(time.RFC3339, or(origin, ""))
	if err != nil {
		return ""
	}
	var words []string
	for _, t := range times {
		s, err := strconv.ParseFloat(string(t), 64)
		if err != nil || s > 1e11 || s < -1e11 {
			return ""
		}
		words = append(words, time.Unix(start.Unix()+int64(s), 0).In(start.Location()).Format("2006-01-02 15:04:05"))
	}
	return " (" + strings.Join(words, " to ") + ")"
}

// cut shortens a text of a trace to n characters and makes it printable.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return printable(string(r[:n])) + "..."
	}
	return printable(s)
}

// printable writes out what a terminal would act on instead of showing it: a
// trace may hold anything.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
