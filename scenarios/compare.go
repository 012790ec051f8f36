package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gpusim/reports/compare"
	"gpusim/reports/folder"
	"gpusim/sim/event"
)

// Comparison is a scenario with the variants of it that are to be compared.
// Every variant has been read and checked.
type Comparison struct {
	file, dir string
	data      []byte
	sets      []Setting
	variants  [][]Setting
	resolved  [][]byte // of each variant, with the first seed
	name      string
	seeds     []uint64
	metrics   []string
}

// CompareOptions say how a comparison runs.
type CompareOptions struct {
	Dir   string // folder to write; "" = none
	Force bool   // replace what is there
	// Stop is asked now and then, by several goroutines; true ends the comparison.
	Stop func() bool
	// Ran is told after each run how many have ended, one call at a time.
	Ran func(runs, of int)
}

// ErrStopped is the error of a comparison that was asked to stop.
var ErrStopped = errors.New("interrupted: nothing was compared")

// DefaultMetrics are the figures that are compared where none are named.
func DefaultMetrics() []string {
	return []string{"jobs.completed", "wait_s.mean", "wait_s.p95", "jct_s.mean", "bounded_slowdown.mean", "makespan_s", "gpu.allocation_ratio", "preemptions"}
}

// NewComparison reads a scenario and every variant of it. The error holds what
// is wrong with any of them. No seeds means the scenario's own, no metrics the
// default ones.
func NewComparison(name string, stdin io.Reader, sets []Setting, vary []Variation, seeds []uint64, metrics []string) (*Comparison, error) {
	if len(vary) == 0 {
		return nil, errors.New("nothing varies: give --vary PATH=V1,V2,..., such as --vary policy.backfill=none,easy")
	}
	runs := max(1, len(seeds))
	for i, v := range vary {
		if slices.ContainsFunc(vary[:i], func(o Variation) bool { return o.Path == v.Path }) {
			return nil, fmt.Errorf("--vary %s is given twice; list all its values in one", v.Path)
		}
		if runs *= len(v.Values); runs > maxRuns {
			return nil, fmt.Errorf("the variations and seeds make more than %d runs", maxRuns)
		}
	}
	if len(metrics) == 0 {
		metrics = DefaultMetrics()
	}
	for _, m := range metrics {
		if err := checkFigure(m); err != nil {
			return nil, fmt.Errorf("--metric %w", err)
		}
	}
	c := &Comparison{sets: sets, variants: product(vary), seeds: seeds, metrics: metrics}
	var err error
	if c.file, c.dir, c.data, err = Read(name, stdin); err != nil {
		return nil, err
	}
	return c, c.check()
}

// check reads every variant once and keeps its resolved form.
func (c *Comparison) check() error {
	var errs []error
	alike := 0 // errors that say the same as the first
	for i := range c.variants {
		s, err := c.load(i, c.seeds)
		if err != nil {
			if errs = append(errs, c.inVariant(i, err)); errors.Unwrap(errs[0]).Error() == err.Error() {
				alike++
			}
			continue
		}
		if len(c.seeds) == 0 {
			c.seeds = []uint64{*s.Doc.Seed}
		}
		c.name = s.Doc.Name
		text, err := s.Resolved()
		if err != nil {
			return c.inVariant(i, fmt.Errorf("writing it out: %w", err))
		}
		c.resolved = append(c.resolved, text)
	}
	if alike == len(c.variants) && alike > 1 {
		return errors.Unwrap(errs[0]) // it is not the variation that is wrong
	}
	return errors.Join(errs...)
}

// load reads a variant; its seed is the first of seeds, if there is one.
func (c *Comparison) load(variant int, seeds []uint64) (*Scenario, error) {
	sets := append(slices.Clone(c.sets), c.variants[variant]...)
	if len(seeds) > 0 {
		sets = append(sets, Setting{"seed", fmt.Sprint(seeds[0])})
	}
	return Parse(c.file, c.dir, c.data, sets)
}

func (c *Comparison) inVariant(i int, err error) error {
	v := compare.Variant{Settings: settings(c.variants[i])}
	return fmt.Errorf("variant %s: %w", v.Name(), err)
}

// ran is what one run gives to the comparison.
type ran struct {
	load, waited *float64
	values       []*float64 // by metric
	warnings     []string
	err          error
}

// Run runs every variant under every seed, on as many goroutines as the program
// may use, and compares. Where asked it writes a folder with compare.csv,
// compare.json and the variants' scenarios, whole or not at all. The result
// does not depend on the number of goroutines.
func (c *Comparison) Run(opt CompareOptions) (*compare.Result, error) {
	var f *folder.Folder
	if opt.Dir != "" {
		var err error
		if f, err = folder.Create(opt.Dir, opt.Force); err != nil {
			return nil, err
		}
		defer f.Abort()
	}
	results, err := c.runAll(opt)
	if err != nil {
		return nil, err
	}
	r := c.gather(results)
	if f != nil {
		if err := c.write(f, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// runAll returns the runs by variant, then seed.
func (c *Comparison) runAll(opt CompareOptions) ([]ran, error) {
	results := make([]ran, len(c.variants)*len(c.seeds))
	var next, ended atomic.Int64
	var stopped atomic.Bool
	var all sync.WaitGroup
	var tell sync.Mutex
	stop := func() bool {
		if opt.Stop != nil && opt.Stop() {
			stopped.Store(true)
		}
		return stopped.Load()
	}
	for range min(runtime.GOMAXPROCS(0), len(results)) {
		all.Go(func() {
			for !stop() {
				i := int(next.Add(1)) - 1
				if i >= len(results) {
					return
				}
				results[i] = c.run(i/len(c.seeds), c.seeds[i%len(c.seeds)], stop)
				if opt.Ran != nil {
					tell.Lock()
					opt.Ran(int(ended.Add(1)), len(results))
					tell.Unlock()
				}
			}
		})
	}
	all.Wait()
	if stopped.Load() {
		return nil, ErrStopped
	}
	var errs []error
	for i := range results {
		if err := results[i].err; err != nil {
			errs = append(errs, c.inVariant(i/len(c.seeds), fmt.Errorf("seed %d: %w", c.seeds[i%len(c.seeds)], err)))
		}
	}
	return results, errors.Join(errs...)
}

// run reads a variant anew, so that runs share nothing, and runs it.
func (c *Comparison) run(variant int, seed uint64, stop func() bool) ran {
	s, err := c.load(variant, []uint64{seed})
	if err != nil {
		return ran{err: err}
	}
	out, err := s.Run(RunOptions{Poll: func(event.Time, uint64, uint64) bool { return !stop() }})
	if err != nil {
		return ran{err: err}
	}
	figures, err := figuresOf(out.Summary)
	if err != nil {
		return ran{err: err}
	}
	r := ran{load: figure(figures, compare.Load), waited: figure(figures, compare.Waited), warnings: out.Warnings}
	for _, m := range c.metrics {
		r.values = append(r.values, figure(figures, m))
	}
	return r
}

// gather puts the runs together, in order of variant and seed.
func (c *Comparison) gather(results []ran) *compare.Result {
	r := &compare.Result{Scenario: c.name, Seeds: c.seeds, Metrics: c.metrics, Warnings: c.warnings(results)}
	for i := range c.variants {
		v := compare.Variant{Settings: settings(c.variants[i])}
		for _, m := range c.metrics {
			v.Figures = append(v.Figures, compare.Figure{Metric: m})
		}
		for j := range c.seeds {
			x := &results[i*len(c.seeds)+j]
			v.LoadValues, v.WaitedValues = append(v.LoadValues, x.load), append(v.WaitedValues, x.waited)
			for k := range v.Figures {
				v.Figures[k].Values = append(v.Figures[k].Values, x.values[k])
			}
		}
		r.Variants = append(r.Variants, v)
	}
	r.Compute()
	return r
}

// warnings lists each warning of the runs once, with the variants that gave it
// unless all did.
func (c *Comparison) warnings(results []ran) []string {
	list := []string{}
	from := map[string][]string{}
	for i := range results {
		name := (&compare.Variant{Settings: settings(c.variants[i/len(c.seeds)])}).Name()
		for _, w := range results[i].warnings {
			if from[w] == nil {
				list = append(list, w)
			}
			if !slices.Contains(from[w], name) {
				from[w] = append(from[w], name)
			}
		}
	}
	for i, w := range list {
		if len(from[w]) < len(c.variants) {
			list[i] = "variant " + strings.Join(from[w], "; ") + ": " + w
		}
	}
	return list
}

func (c *Comparison) write(f *folder.Folder, r *compare.Result) error {
	width := len(fmt.Sprint(len(c.resolved)))
	for i, text := range c.resolved {
		if err := f.WriteFile(fmt.Sprintf("variant-%0*d.yaml", width, i+1), text); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := r.WriteCSV(&b); err != nil {
		return fmt.Errorf("writing compare.csv: %w", err)
	}
	if err := f.WriteFile("compare.csv", b.Bytes()); err != nil {
		return err
	}
	if err := f.WriteJSON("compare.json", r); err != nil {
		return err
	}
	return f.Commit()
}

func settings(sets []Setting) []compare.Setting {
	var list []compare.Setting
	for _, s := range sets {
		list = append(list, compare.Setting(s))
	}
	return list
}
