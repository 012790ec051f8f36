package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gpusim/hardware/catalogue"
	"gpusim/reports/summary"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// SetAside counts records of a trace by what was done to them.
type SetAside = summary.SetAside

// Scenario is a scenario that has been read and checked.
type Scenario struct {
	Doc        Document
	Spec       cluster.Spec
	Jobs       []*workloads.Job // inline, in order of submission
	Trace      *trace.Trace     // nil where the jobs are inline
	References map[string]int
	SetAside   []SetAside
	// Warnings are things that are not wrong but that a person should know.
	Warnings []string

	gpus  int    // of the nodes so far
	dir   string // relative paths start here
	node0 *document.Node
	cat   *catalogue.Catalogue
	errs  document.Errors
}

// Setting is one --set PATH=VALUE.
type Setting struct{ Path, Value string }

// Read returns the text of a scenario: a file, "-" for r, or the name of a
// built-in one. dir is where its relative paths start.
func Read(name string, r io.Reader) (file, dir string, data []byte, err error) {
	if name == "-" {
		data, err = readText(r)
		if err != nil {
			return "", "", nil, fmt.Errorf("reading the scenario from standard input: %w", err)
		}
		return "standard input", ".", data, nil
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return "", "", nil, fmt.Errorf("%s is a folder; name a scenario file in it", name)
	}
	if err == nil {
		data, err = readFile(name)
		if err != nil {
			return "", "", nil, fmt.Errorf("reading the scenario: %w", err)
		}
		return name, filepath.Dir(name), data, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", "", nil, fmt.Errorf("reading the scenario: %w", err)
	}
	if data, ok := Builtin(name); ok {
		return name, ".", data, nil
	}
	msg := fmt.Sprintf("there is no file %s and no built-in scenario of that name", name)
	if near := document.Nearest(name, BuiltinNames()); near != "" {
		msg += "; did you mean " + near + "?"
	}
	return "", "", nil, errors.New(msg + " (gpusim scenarios list shows the built-in ones)")
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readText(f)
}

// readText reads all of r, or as much as shows that it is no scenario: up to a
// zero byte, or more bytes than Parse takes.
func readText(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	chunk := make([]byte, 64<<10)
	for {
		n, err := r.Read(chunk)
		data.Write(chunk[:n])
		switch {
		case err == io.EOF || bytes.IndexByte(chunk[:n], 0) >= 0 || data.Len() > document.MaxBytes:
			return data.Bytes(), nil
		case err != nil:
			return nil, err
		}
	}
}

// Load reads and checks a scenario. The error holds everything that is wrong,
// each with its position.
func Load(name string, stdin io.Reader, sets []Setting) (*Scenario, error) {
	file, dir, data, err := Read(name, stdin)
	if err != nil {
		return nil, err
	}
	return Parse(file, dir, data, sets)
}

// Parse is Load for a text; file is its name in errors, and its relative paths
// start at dir.
func Parse(file, dir string, data []byte, sets []Setting) (*Scenario, error) {
	n, err := document.Parse(file, data)
	if err != nil {
		return nil, err
	}
	var unset document.Errors
	for _, set := range sets {
		if err := n.Set(set.Path, set.Value); err != nil {
			var es document.Errors
			if !errors.As(err, &es) {
				es = document.Errors{n.Errorf("%v", err)}
			}
			unset = append(unset, es...)
		}
	}
	if len(unset) > 0 {
		return nil, unset
	}
	cat, err := catalogue.Load()
	if err != nil {
		return nil, err
	}
	s := &Scenario{dir: dir, node0: n, cat: cat}
	s.failAll(n, document.Decode(n, &s.Doc))
	if s.Doc.Cluster.Node != nil && s.Doc.Workload.Node != nil {
		s.buildPolicy()
		s.buildCluster(cat)
		s.buildJobs()
		s.rest()
	}
	if err := s.errs.Sorted(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Scenario) fail(e document.Error) { s.errs = append(s.errs, e) }

// failAll takes an error of another layer, at a node where it has no position.
func (s *Scenario) failAll(n *document.Node, err error) {
	var es document.Errors
	switch {
	case err == nil:
	case errors.As(err, &es):
		s.errs = append(s.errs, es...)
	default:
		for _, text := range parts(err) {
			s.fail(n.Errorf("%s", text))
		}
	}
}

// parts takes joined errors apart, each once, with the words before them all.
func parts(err error) []string {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range joined.Unwrap() {
		for _, p := range parts(e) {
			if !slices.ContainsFunc(all, func(o string) bool { return strings.HasSuffix(o, p) }) {
				all = append(all, p)
			}
		}
	}
	if e, ok := joined.(error); ok {
		before := strings.TrimSuffix(err.Error(), e.Error())
		for i := range all {
			all[i] = before + all[i]
		}
	}
	return all
}

func (s *Scenario) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// path makes a path of the scenario absolute.
func (s *Scenario) path(p string) string {
	if !filepath.IsAbs(p) {
		p = filepath.Join(s.dir, p)
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// rest checks the keys that belong to no other part, and fills in defaults.
func (s *Scenario) rest() {
	d := &s.Doc
	if d.Seed == nil {
		one := uint64(1)
		d.Seed = &one
	}
	if d.Epoch != "" {
		if _, err := time.Parse(time.RFC3339, d.Epoch); err != nil {
			s.fail(d.Node.At("epoch").Errorf("epoch %q is not a time like 2026-01-01T00:00:00Z", d.Epoch))
		}
	}
	if d.Horizon != nil && event.Time(*d.Horizon) >= sim.Forever {
		s.fail(d.Node.At("horizon").Errorf("times beyond 73 years are not simulated"))
	}
	if d.Reports != nil {
		for _, t := range d.Reports.Tables {
			if !known(t) {
				s.fail(d.Node.At("reports").Errorf("%s", document.Unknown("table", t, t, tableNames())))
			}
		}
	}
	if len(s.Spec.Nodes) == 0 && len(s.errs) == 0 {
		s.warn("the cluster has no nodes")
	}
}

// Horizon is where the run ends, Never if nowhere.
func (s *Scenario) Horizon() event.Time { return duration(s.Doc.Horizon, event.Never) }

// Source returns the jobs in order of submission.
func (s *Scenario) Source() (workloads.Source, error) {
	if s.Trace != nil {
		return s.Trace.Jobs()
	}
	return &list{jobs: s.Jobs}, nil
}

// Resolved is the scenario with every default written out and absolute paths;
// running it gives the same run.
func (s *Scenario) Resolved() ([]byte, error) { return document.Marshal(&s.Doc) }
