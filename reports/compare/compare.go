// Package compare holds what comparing variants of a scenario came to: means
// with confidence intervals, and differences paired by seed.
//
// Mental model: every variant runs with the same seeds (common random
// numbers), so that the difference of two variants under one seed is a sample
// of its own; the interval of these differences is much narrower than those of
// the two means tell. A [Result] is filled with [Result.Variants] and their
// values; [Result.Compute] does the statistics, in an order that does not
// depend on which run ended first.
package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Format names the layout of compare.json.
const Format = "gpusim-compare/1"

// The figures that are always kept: how much there was to decide.
const (
	Load   = "offered_load"
	Waited = "waited_share"
)

// littleWaiting is the share of jobs that waited under which a comparison of
// policies says little.
const littleWaiting = 0.1

// Result is compare.json.
type Result struct {
	Format     string    `json:"format"`
	Scenario   string    `json:"scenario"`
	Seeds      []uint64  `json:"seeds"`
	Confidence float64   `json:"confidence"`
	Metrics    []string  `json:"metrics"`
	Variants   []Variant `json:"variants"`
	Warnings   []string  `json:"warnings"`
}

// Variant is one variant of the scenario.
type Variant struct {
	Settings    []Setting `json:"settings"`
	Load        Estimate  `json:"offered_load"`
	Waited      Estimate  `json:"waited_share"`
	Figures     []Figure  `json:"figures"`     // in the order of Metrics
	Differences []Figure  `json:"differences"` // from the first variant; empty for that one

	// LoadValues and WaitedValues are by seed.
	LoadValues   []*float64 `json:"-"`
	WaitedValues []*float64 `json:"-"`
}

// Setting is one key that a variant sets.
type Setting struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Figure is one metric, or its difference.
type Figure struct {
	Metric string `json:"metric"`
	Estimate
	Values []*float64 `json:"values"` // by seed
}

// Name is the settings of a variant in one text.
func (v *Variant) Name() string {
	var parts []string
	for _, s := range v.Settings {
		parts = append(parts, s.Path+"="+s.Value)
	}
	return strings.Join(parts, " ")
}

// Compute fills every estimate from the values, and the differences, and adds
// warnings about what the figures do not show.
func (r *Result) Compute() {
	r.Format, r.Confidence = Format, Confidence
	for i := range r.Variants {
		v := &r.Variants[i]
		v.Load, v.Waited = Of(v.LoadValues), Of(v.WaitedValues)
		v.Differences = []Figure{}
		for k := range v.Figures {
			f := &v.Figures[k]
			f.Estimate = Of(f.Values)
			if i > 0 {
				d := Differences(f.Values, r.Variants[0].Figures[k].Values)
				v.Differences = append(v.Differences, Figure{Metric: f.Metric, Estimate: Of(d), Values: d})
			}
		}
	}
	r.warn()
}

func (r *Result) warn() {
	var idle []string
	for i := range r.Variants {
		v := &r.Variants[i]
		if v.Waited.Mean != nil && *v.Waited.Mean < littleWaiting {
			idle = append(idle, v.Name())
		}
		for _, f := range v.Figures {
			if f.N > 0 && f.N < len(r.Seeds) {
				r.add("variant %s: %s has no basis under %d of %d seeds; they are left out", v.Name(), f.Metric, len(r.Seeds)-f.N, len(r.Seeds))
			}
		}
	}
	switch {
	case len(idle) > 0 && len(idle) == len(r.Variants):
		r.add("under 10 %% of the jobs waited in every variant: little evidence of how they differ; raise the load")
	case len(idle) > 0:
		r.add("under 10 %% of the jobs waited: little evidence (variant %s)", strings.Join(idle, "; "))
	}
	if len(r.Seeds) > 1 && r.constant() {
		r.add("every seed gives the same figures: nothing here depends on the seed, so the intervals have no width and say nothing of other workloads")
	}
}

func (r *Result) add(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// constant reports whether no figure depends on the seed.
func (r *Result) constant() bool {
	for i := range r.Variants {
		for _, f := range r.Variants[i].Figures {
			for _, v := range f.Values {
				w := f.Values[0]
				if (v == nil) != (w == nil) || v != nil && *v != *w {
					return false
				}
			}
		}
	}
	return true
}

// WriteCSV writes one row a variant and metric; the settings are columns. An
// absent number is an empty cell.
func (r *Result) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"variant"}
	for _, s := range r.Variants[0].Settings {
		head = append(head, s.Path)
	}
	head = append(head, "metric", "n", "mean", "ci95_low", "ci95_high", "diff_n", "diff_mean", "diff_ci95_low", "diff_ci95_high")
	if err := c.Write(head); err != nil {
		return err
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		row := func(metric string, e, d *Estimate) error {
			cells := []string{strconv.Itoa(i + 1)}
			for _, s := range v.Settings {
				cells = append(cells, s.Value)
			}
			cells = append(cells, metric)
			cells = append(cells, e.cells()...)
			return c.Write(append(cells, d.cells()...))
		}
		if err := row(Load, &v.Load, nil); err != nil {
			return err
		}
		if err := row(Waited, &v.Waited, nil); err != nil {
			return err
		}
		for k := range v.Figures {
			var d *Estimate
			if i > 0 {
				d = &v.Differences[k].Estimate
			}
			if err := row(v.Figures[k].Metric, &v.Figures[k].Estimate, d); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

func (e *Estimate) cells() []string {
	cells := make([]string, 4)
	if e == nil {
		return cells
	}
	num := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	cells[0] = strconv.Itoa(e.N)
	if e.Mean != nil {
		cells[1] = num(*e.Mean)
	}
	if e.CI != nil {
		cells[2], cells[3] = num(e.CI[0]), num(e.CI[1])
	}
	return cells
}
