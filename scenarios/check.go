package scenarios

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gpusim/hardware/units"
	"gpusim/reports/folder"
	"gpusim/reports/table"
	"gpusim/sim/event"
	"gpusim/workloads/document"
)

// Failure is one expectation that did not hold.
type Failure struct {
	What, Wanted, Got string
}

// Checked is what checking one scenario came to.
type Checked struct {
	Passed   int
	Failures []Failure
}

// Check runs a scenario and compares it with its expect block.
func (s *Scenario) Check(debug bool) (*Checked, error) {
	if s.Doc.Expect == nil {
		return nil, fmt.Errorf("the scenario has no expect block: there is nothing to check")
	}
	tmp, err := os.MkdirTemp("", "gpusim-check-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the run: %w", err)
	}
	defer os.RemoveAll(tmp)
	run := *s
	run.Doc.Reports = &Reports{Tables: []string{"jobs", "attempts"}}
	dir := filepath.Join(tmp, "run")
	if _, err := run.Run(RunOptions{Dir: dir, Formats: []table.Format{table.CSV}, Debug: debug}); err != nil {
		return nil, err
	}
	f, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	if err := c.jobs(f, s.Doc.Expect); err != nil {
		return nil, err
	}
	if err := c.summary(f, s.Doc.Expect); err != nil {
		return nil, err
	}
	return &c.Checked, nil
}

type checker struct{ Checked }

func (c *checker) expect(ok bool, what, wanted, got string) {
	if ok {
		c.Passed++
		return
	}
	c.Failures = append(c.Failures, Failure{what, wanted, got})
}

// jobs checks the expectations of jobs, in the order of the file.
func (c *checker) jobs(f *folder.Run, e *Expect) error {
	if len(e.Jobs) == 0 {
		return nil
	}
	jobs, err := f.Table("jobs")
	if err != nil {
		return err
	}
	rows := map[string]int{}
	id := jobs.Column("job_id")
	for i := 0; i < jobs.Rows(); i++ {
		if _, ok := e.Jobs[jobs.Text(id, i)]; ok {
			rows[jobs.Text(id, i)] = i
		}
	}
	spans, err := stretches(f, e)
	if err != nil {
		return err
	}
	for _, k := range e.Node.Get("jobs").Keys {
		w := e.Jobs[k.Text]
		row, ok := rows[k.Text]
		for i, col := range w.node.Keys {
			what := "jobs." + k.Text + "." + col.Text
			if !ok {
				c.expect(false, what, shown(w.node.Items[i]), "no such job")
				continue
			}
			c.column(what, col.Text, w.node.Items[i], jobs, row, spans[k.Text])
		}
	}
	return nil
}

func (c *checker) column(what, name string, want *document.Node, jobs *table.Frame, row int, spans []span) {
	switch name {
	case "start", "end":
		name += "_s"
	case "intervals":
		exp, err := readSpans(want)
		if err != nil {
			c.expect(false, what, err.Error(), "")
			return
		}
		c.expect(slices.Equal(joined(exp), joined(spans)), what, wordSpans(exp), wordSpans(spans))
		return
	case "nodes":
		c.nodes(what, want, jobs, row)
		return
	}
	col := jobs.Column(name)
	if col < 0 {
		c.expect(false, what, shown(want), document.Unknown("column of jobs", name, name, append(jobs.Names(), "start", "end", "intervals")))
		return
	}
	text := ""
	if !jobs.IsNull(col, row) {
		text = jobs.Text(col, row)
	}
	got := orAbsent(text)
	if want.Kind == document.Scalar && strings.HasSuffix(name, "_s") {
		if t, err := units.ParseDuration(want.Text); err == nil {
			v, ok := jobs.Seconds(col, row)
			c.expect(ok && v == t, what, units.Duration(t).String(), got)
			return
		}
	}
	var e Expectation
	if err := e.DecodeNode(want); err != nil {
		c.expect(false, what, err.Error(), got)
		return
	}
	if want.Kind == document.Scalar && text == want.Text {
		c.expect(true, what, "", "")
		return
	}
	var num *float64
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		num = &v
	}
	ok, wanted := e.holds(num, text)
	c.expect(ok, what, wanted, got)
}

func (c *checker) nodes(what string, want *document.Node, jobs *table.Frame, row int) {
	var exp Strings
	if err := exp.DecodeNode(want); err != nil {
		c.expect(false, what, err.Error(), "")
		return
	}
	var got []string
	if col := jobs.Column("nodes"); !jobs.IsNull(col, row) {
		got = strings.Fields(jobs.Text(col, row))
	}
	a, b := slices.Clone([]string(exp)), slices.Clone(got)
	sort.Strings(a)
	sort.Strings(b)
	c.expect(slices.Equal(a, b), what, "["+strings.Join(exp, " ")+"]", "["+strings.Join(got, " ")+"]")
}

// span is a stretch on GPUs.
type span struct{ from, to event.Time }

// stretches reads the stretches on GPUs of the jobs that are expected of.
func stretches(f *folder.Run, e *Expect) (map[string][]span, error) {
	m := map[string][]span{}
	err := f.Scan("attempts", func(r table.Row) error {
		id := r.Text(r.Column("job_id"))
		if _, ok := e.Jobs[id]; ok {
			from, _ := r.Seconds(r.Column("start_s"))
			to, _ := r.Seconds(r.Column("end_s"))
			m[id] = append(m[id], span{from, to})
		}
		return nil
	})
	return m, err
}

// joined puts stretches that touch together.
func joined(in []span) []span {
	var out []span
	for _, s := range in {
		if n := len(out); n > 0 && out[n-1].to == s.from {
			out[n-1].to = s.to
			continue
		}
		out = append(out, s)
	}
	return out
}

func readSpans(n *document.Node) ([]span, error) {
	if n.Kind != document.List {
		return nil, fmt.Errorf("a list of [from, to] is needed")
	}
	var out []span
	for _, i := range n.Items {
		if i.Kind != document.List || len(i.Items) != 2 {
			return nil, fmt.Errorf("a list of [from, to] is needed")
		}
		from, err := units.ParseDuration(i.Items[0].Text)
		if err != nil {
			return nil, err
		}
		to, err := units.ParseDuration(i.Items[1].Text)
		if err != nil {
			return nil, err
		}
		out = append(out, span{from, to})
	}
	return out, nil
}

func wordSpans(ss []span) string {
	var b strings.Builder
	for i, s := range ss {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "[%v, %v]", units.Duration(s.from), units.Duration(s.to))
	}
	return "[" + b.String() + "]"
}

// summary checks the expectations of summary.json, in the order of the file.
func (c *checker) summary(f *folder.Run, e *Expect) error {
	if len(e.Summary) == 0 {
		return nil
	}
	var sum map[string]any
	if err := f.Summary(&sum); err != nil {
		return err
	}
	for _, k := range e.Node.Get("summary").Keys {
		x := e.Summary[k.Text]
		v, ok := Lookup(sum, k.Text)
		var num *float64
		text := ""
		switch t := v.(type) {
		case json.Number:
			text = t.String()
			if n, err := t.Float64(); err == nil {
				num = &n
			}
		case float64:
			num, text = &t, strconv.FormatFloat(t, 'g', -1, 64)
		case string:
			text = t
		case bool:
			text = strconv.FormatBool(t)
		case nil:
		default:
			c.expect(false, "summary."+k.Text, x.words(), "a group of figures; name one of them")
			continue
		}
		got := orAbsent(text)
		if !ok {
			got = "absent: summary.json has no such figure"
		}
		good, wanted := x.holds(num, text)
		c.expect(good, "summary."+k.Text, wanted, got)
	}
	return nil
}

// Lookup finds a figure of summary.json by its path, such as wait_s.mean.
func Lookup(m map[string]any, path string) (any, bool) {
	var at any = m
	for _, key := range strings.Split(path, ".") {
		name, rest, _ := strings.Cut(key, "[")
		obj, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = obj[name]; !ok {
			return nil, false
		}
		if rest != "" {
			list, ok := at.([]any)
			i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
			if !ok || err != nil || i < 0 || i >= len(list) {
				return nil, false
			}
			at = list[i]
		}
	}
	return at, true
}

func shown(n *document.Node) string {
	switch n.Kind {
	case document.Scalar:
		return n.Text
	case document.Null:
		return "null"
	case document.List:
		var parts []string
		for _, i := range n.Items {
			parts = append(parts, shown(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "a mapping"
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}
