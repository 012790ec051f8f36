package scenarios

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/reports/folder"
	"gpusim/reports/record"
	"gpusim/reports/summary"
	"gpusim/reports/table"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// RunOptions say what becomes of a run.
type RunOptions struct {
	Dir     string         // run folder; "" = none
	Force   bool           // replace what is there
	Formats []table.Format // of its tables
	Debug   bool           // recompute every index after each round
	// Poll is called now and then with the simulated time, the events so far and
	// the jobs ended; false ends the run early.
	Poll func(now event.Time, events, ended uint64) bool
}

// Outcome is what a run came to.
type Outcome struct {
	Summary  *summary.Summary
	Result   *sim.Result
	Recorder *record.Recorder
	Wall     time.Duration
	Warnings []string
}

// Timing is timing.json, the only file of a run folder that may differ between
// two runs.
type Timing struct {
	WallS        float64 `json:"wall_s"`
	Events       uint64  `json:"events"`
	EventsPerS   float64 `json:"events_per_s"`
	Rounds       uint64  `json:"rounds"`
	PeakMemoryMB float64 `json:"peak_memory_mib"`
}

// ErrInvariant marks a simulation that failed, not a bad input: accounts that do
// not add up, an impossible decision, jobs that never come to an end.
type ErrInvariant struct{ Err error }

func (e ErrInvariant) Error() string { return e.Err.Error() }
func (e ErrInvariant) Unwrap() error { return e.Err }

// Run simulates the scenario and, where asked, writes the run folder, which
// appears whole or not at all.
func (s *Scenario) Run(opt RunOptions) (*Outcome, error) {
	start := time.Now()
	c, err := cluster.New(s.Spec)
	if err != nil {
		return nil, fmt.Errorf("building the cluster: %w", err)
	}
	sched, how, err := assembly.Build(s.recipe(), policies.Env{Cluster: c, Seed: *s.Doc.Seed})
	if err != nil {
		return nil, fmt.Errorf("building the policy: %w", err)
	}
	src, err := s.Source()
	if err != nil {
		return nil, err
	}
	var f *folder.Folder
	var open record.Open
	if opt.Dir != "" {
		if f, err = folder.Create(opt.Dir, opt.Force); err != nil {
			return nil, err
		}
		defer f.Abort()
		open = func(t table.Schema) (*table.Sink, error) {
			if !s.wants(t.Name) {
				return nil, nil
			}
			return f.Table(t, opt.Formats)
		}
	}
	rec, err := record.New(c, open)
	if err != nil {
		return nil, err
	}
	res, err := sim.Run(sim.Config{
		Cluster: c, Source: src, Scheduler: sched, Preemption: how, Observer: rec,
		Horizon: s.Horizon(), RoundPerEvent: s.Doc.Policy.Rounds == "event", EnforceLimits: s.Doc.Policy.Enforce,
		References: s.References, Debug: opt.Debug, Poll: opt.Poll,
	})
	if err != nil {
		rec.Abort()
		if errors.As(err, new(sim.SourceError)) {
			return nil, err
		}
		return nil, ErrInvariant{err}
	}
	if err := rec.Close(res.First, res.End); err != nil {
		return nil, fmt.Errorf("writing the tables: %w", err)
	}
	sum := summary.New(summary.Run{Scenario: s.Doc.Name, Seed: *s.Doc.Seed, Epoch: s.Doc.Epoch, Horizon: s.Horizon(), Cluster: c, Result: res, SetAside: s.SetAside}, rec)
	out := &Outcome{Summary: sum, Result: res, Recorder: rec, Wall: time.Since(start), Warnings: s.warnings(res)}
	if f != nil {
		if err := s.write(f, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// warnings adds what the run showed.
func (s *Scenario) warnings(res *sim.Result) []string {
	w := append([]string(nil), s.Warnings...)
	switch {
	case res.Submitted == 0:
		w = append(w, "no job was submitted: nothing ran")
	case res.Rejected == res.Submitted:
		w = append(w, fmt.Sprintf("every job was rejected (%d of %d): nothing ran", res.Rejected, res.Submitted))
	case res.Rejected > 0:
		w = append(w, fmt.Sprintf("%d of %d jobs were rejected: they can never run on this cluster (jobs.reason says why)", res.Rejected, res.Submitted))
	}
	if res.Beyond > 0 {
		w = append(w, "the horizon comes before the last submission: later jobs were not submitted")
	}
	return w
}

func (s *Scenario) write(f *folder.Folder, out *Outcome) error {
	resolved, err := s.Resolved()
	if err != nil {
		return fmt.Errorf("writing the resolved scenario: %w", err)
	}
	if err := f.WriteFile("scenario.yaml", resolved); err != nil {
		return err
	}
	if err := f.WriteJSON("summary.json", out.Summary); err != nil {
		return err
	}
	t := Timing{WallS: out.Wall.Seconds(), Events: out.Result.Events, Rounds: out.Result.Rounds, PeakMemoryMB: peakMemory()}
	if t.WallS > 0 {
		t.EventsPerS = float64(t.Events) / t.WallS
	}
	if err := f.WriteJSON("timing.json", t); err != nil {
		return err
	}
	return f.Commit()
}

// peakMemory is what the Go runtime has taken from the system, in MiB.
func peakMemory() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / (1 << 20)
}

// wants reports whether a table is to be written.
func (s *Scenario) wants(name string) bool {
	if s.Doc.Reports == nil || s.Doc.Reports.Tables == nil {
		return true
	}
	for _, t := range s.Doc.Reports.Tables {
		if t == name {
			return true
		}
	}
	return false
}

func tableNames() []string {
	var names []string
	for _, t := range record.Schemas() {
		names = append(names, t.Name)
	}
	return names
}

func known(table string) bool {
	for _, n := range tableNames() {
		if n == table {
			return true
		}
	}
	return false
}
