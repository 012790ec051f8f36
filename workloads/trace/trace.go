package trace

import (
	"errors"
	"fmt"
	"io"
	"os"

	"gpusim/workloads"
)

// Trace is an opened trace: its files, what the user wants of them, and what
// the first reading found. It is safe to take several sources of it, one after
// another or at once.
type Trace struct {
	format *Format
	opt    Options
	inputs []*input
	env    env
	scale  scaling
	tally  *tally
	about  about
	again  map[int64]repeat // records whose id came before, by ordinal
	rep    *Report
	nodes  []NodeRow
	sides  []*input // files beside the log (philly)
}

// repeat says what a record with a known id is: the n-th of it where the
// format keeps repeats, else 0; and where the first one stands.
type repeat struct {
	n     int32
	first idPlace
}

// Open reads a trace once and says what is in it. It fails if an option or a
// file cannot be used, with all that is wrong joined into one error; records
// that are wrong are no failure but counted, unless the option strict is set.
func Open(format string, paths []string, opt Options) (*Trace, error) {
	f, err := lookup(format)
	if err != nil {
		return nil, err
	}
	t := &Trace{format: f, opt: opt, again: map[int64]repeat{}}
	if err := errors.Join(opt.check(f), t.find(paths)); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if err := t.scan(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return t, nil
}

// find turns the paths into inputs, and checks what options need more than a
// look at their words.
func (t *Trace) find(paths []string) error {
	var errs []error
	if len(paths) == 0 {
		errs = append(errs, errors.New("no path was given"))
	}
	var err error
	if t.scale, err = newScaling(t.opt); err != nil {
		errs = append(errs, err)
	}
	t.env.opt = t.opt
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.IsDir() && t.format.folder != nil {
			log, err := t.format.folder(p, &t.env)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			p = log
		}
		in, err := newInput(p)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		t.inputs = append(t.inputs, in)
	}
	return errors.Join(errs...)
}

// scan is the first reading.
func (t *Trace) scan() error {
	t.tally = newTally()
	if t.format.prepare != nil {
		if err := t.format.prepare(t); err != nil {
			return err
		}
	}
	c := t.cursor(t.tally)
	defer c.close()
	c.seen = newIDs()
	var r row
	for {
		err := c.next(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		t.tally.row(&r)
		if t.format.Nodes && r.fate == "" {
			t.nodes = append(t.nodes, r.node())
		}
		if t.opt.Strict && r.fate == Rejected {
			return strictError(&r)
		}
	}
	if err := t.scale.fits(t.tally); err != nil {
		return err
	}
	t.rep = t.report()
	return nil
}

// strictError turns a rejected record into the error of strict reading.
func strictError(r *row) error {
	for _, i := range r.issues {
		if i.action == Rejected {
			return fmt.Errorf("%s: %s: %s (strict: true; without it the record is left out and counted)", where(r.path, i.line, i.column), i.reason, i.message)
		}
	}
	return fmt.Errorf("%s: the record is rejected", where(r.path, r.line, 0))
}

// where writes file:line:column.
func where(path string, line, column int64) string {
	if column > 0 {
		return fmt.Sprintf("%s:%d:%d", path, line, column)
	}
	if line > 0 {
		return fmt.Sprintf("%s:%d", path, line)
	}
	return path
}

// report puts together what the first reading found.
func (t *Trace) report() *Report {
	rep := &Report{Format: t.format.Name, Clock: t.about.clock, Facts: t.about.facts}
	t.tally.report(rep)
	if t.format.describe != nil {
		t.format.describe(t, rep)
	}
	for _, list := range [][]*input{t.inputs, t.sides} {
		for _, in := range list {
			rep.Files = append(rep.Files, FileReport{in.path, in.compression, in.encoding, in.lines, in.records, in.sha256})
		}
	}
	if !t.format.Nodes && len(t.inputs) > 0 {
		rep.Next = fmt.Sprintf("gpusim run SCENARIO --set workload.trace.format=%s --set workload.trace.path=%s", t.format.Name, t.inputs[0].path)
	}
	return rep
}

// Report says what the first reading found. The caller may change it.
func (t *Trace) Report() *Report {
	rep := *t.rep
	rep.Issues = append([]Issue{}, t.rep.Issues...)
	return &rep
}

// Jobs yields the trace's jobs in order of submission, equal times in the
// order of the files, on the run's clock. It may be called again and again;
// every source starts from the first job.
func (t *Trace) Jobs() (workloads.Source, error) {
	if t.format.Nodes {
		return nil, fmt.Errorf("trace: format %s describes nodes, not jobs", t.format.Name)
	}
	s := &fileSource{t: t, c: t.cursor(nil)}
	if !t.tally.unsorted {
		return s, nil
	}
	return newSortedSource(s)
}

// Nodes are the nodes that a trace of nodes lists, in the order of the file.
func (t *Trace) Nodes() ([]NodeRow, error) {
	if !t.format.Nodes {
		return nil, fmt.Errorf("trace: format %s describes jobs, not nodes", t.format.Name)
	}
	return append([]NodeRow(nil), t.nodes...), nil
}

// NodeRow is one node that a trace lists.
type NodeRow struct {
	Name     string
	CPUMilli int64 // thousandths of a core
	Memory   int64 // bytes
	GPUs     int
	Model    string // "" where the trace names none
	Line     int64
}
