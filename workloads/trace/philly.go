package trace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gpusim/sim/event"
)

// The philly format is the job log of Microsoft's Philly clusters
// (msr-fiddle/philly-traces): cluster_job_log, one JSON array of objects with
//
//	status          Pass, Failed or Killed
//	vc              virtual cluster: the job's queue and tenant
//	jobid, user
//	submitted_time  2006-01-02 15:04:05, local time without a zone
//	attempts        a list of {start_time, end_time, detail}, where detail is
//	                a list of {ip, gpus: [gpu0, ...]}
//
// null, an empty string and the word None all mean that a value is missing. A
// folder is read as a whole: cluster_job_log, and where they are there
// cluster_machine_list (the cluster of the report) and cluster_gpu_util (facts;
// only for an inspection). Local times are those of America/Los_Angeles unless
// timezone says otherwise; one that a clock change made ambiguous is the first,
// unless that puts a start before the submission or an end before its start.
//
// A job's length is the sum of its attempts' lengths, its GPUs those of the last
// attempt that ran (attempts: first takes the first); what the log recorded is
// accounted attempt by attempt, each with its own GPUs. With attempts: each an
// attempt is a job of its own, ID.1, ID.2, ... where there are several,
// submitted when the one before it ended; all but the last fail. A job id that
// comes again is another job, kept as ID#2. Failed jobs fail and Killed ones are
// cancelled at the end of their length.
//
// Reasons: missing (no id, no submission), bad-time, out-of-range, damaged-line,
// duplicate-key, not-a-job, no-gpus, time-backwards (an end before its start);
// skipped: no-attempts, no-start (no attempt has a start), still-running (the
// last attempt has no end; the option unfinished can give it one); noted:
// attempt-no-start and attempt-no-end (the attempt does not count),
// duplicate-id, duplicate-gpu, start-before-submit, ambiguous-time,
// no-such-time, out-of-order, unknown-state, unknown-column (a key that is not
// read), unknown-gpu and unknown-node (the log disagrees with the list of
// machines); repaired: encoding.
func phillyFormat() Format {
	return Format{
		Name:     "philly",
		Doc:      "job log of the Philly trace (cluster_job_log), alone or with its folder",
		Sample:   "cluster_job_log",
		extra:    []string{"timezone", "attempts", "unfinished"},
		names:    []string{"user", "tenant", "queue"},
		repeat:   true,
		open:     openPhilly,
		folder:   findPhilly,
		prepare:  preparePhilly,
		describe: describePhilly,
	}
}

// phillyZone is where the log was written.
const phillyZone = "America/Los_Angeles"

// phillyEnv is what the other files of the folder and the options add.
type phillyEnv struct {
	machines *machineList
	util     string // path of the utilisation file
	end      event.Time
	hasEnd   bool // unfinished jobs end at end
}

type phillyReader struct {
	array *jsonArray
	env   *env
	clock *clockFormat
	head  about
	rec   phillyRecord
	times []phillySpan
	each  int // attempts: each: the attempt that is the current record
}

func openPhilly(r io.Reader, e *env) (reader, error) {
	p := &phillyReader{array: newJSONArray(r), env: e}
	clock, head, err := phillyClock(e.opt.Timezone)
	p.clock, p.head = clock, head
	return p, err
}

// phillyClock is the clock of the log.
func phillyClock(timezone string) (*clockFormat, about, error) {
	name, by := timezone, "option"
	if name == "" {
		name, by = phillyZone, "format default"
	}
	clock, err := newClockFormat(plainLayout, name)
	if err != nil {
		return nil, about{}, err
	}
	return clock, about{
		clock:     newClock("1970-01-01T00:00:00Z", name, by),
		hasOrigin: true, zone: clock.zone, layout: plainLayout,
		has: fields{status: true, tenant: true, queue: true},
	}, nil
}

func (p *phillyReader) about() about { return p.head }

var phillyColumns = []string{"jobid", "status", "submitted_time", "user", "vc"}

func (p *phillyReader) columns() []string { return phillyColumns }

func (p *phillyReader) value(column string) []byte {
	switch column {
	case "jobid":
		return p.rec.id
	case "status":
		return p.rec.status
	case "submitted_time":
		return p.rec.submitted
	case "user":
		return p.rec.user
	}
	return p.rec.vc
}

func (p *phillyReader) line() int64 {
	line, _ := p.array.place(p.array.from)
	return line
}

func (p *phillyReader) lines() int64 {
	line, column := p.array.place(p.array.end)
	if column == 1 { // the last line was ended
		line--
	}
	return line
}

func (p *phillyReader) bytes() []byte { return p.array.element() }

// next implements reader.
func (p *phillyReader) next() error {
	if p.env.opt.Attempts == "each" && p.each+1 < len(p.rec.attempts) {
		p.each++
		return nil
	}
	p.each = 0
	if err := p.array.next(); err != nil {
		return err
	}
	p.rec.parse(p.array.element())
	return nil
}

// findPhilly finds the parts of the trace in a folder.
func findPhilly(dir string, e *env) (string, error) {
	find := func(name string) string {
		for _, end := range []string{"", ".json", ".csv", ".gz", ".zst", ".json.gz", ".json.zst", ".csv.gz", ".csv.zst"} {
			path := filepath.Join(dir, name+end)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
		return ""
	}
	log := find("cluster_job_log")
	if log == "" {
		return "", fmt.Errorf("%s is a folder without cluster_job_log (.json, .json.gz or .json.zst)", dir)
	}
	if path := find("cluster_machine_list"); path != "" {
		if e.philly.machines != nil {
			return "", errors.New("more than one folder has a cluster_machine_list; one cluster is one folder")
		}
		e.philly.machines = &machineList{path: path, use: map[string]*machineUse{}}
	}
	e.philly.util = find("cluster_gpu_util")
	return log, nil
}

// preparePhilly reads the list of machines and finds when unfinished jobs end.
func preparePhilly(t *Trace) error {
	e := &t.env.philly
	if e.machines != nil {
		if err := e.machines.read(t); err != nil {
			return err
		}
	}
	if t.opt.Unfinished != "until" {
		return nil
	}
	clock, head, err := phillyClock(t.opt.Timezone)
	if err != nil {
		return err
	}
	e.hasEnd = true
	if t.opt.Until != "" {
		e.end, err = head.instant(t.opt.Until)
		if err != nil {
			return fmt.Errorf("option until: %w", err)
		}
		return nil
	}
	for _, in := range t.inputs {
		last, err := lastTime(in, clock)
		if err != nil {
			return err
		}
		e.end = max(e.end, last)
	}
	return nil
}

// lastTime is the latest time that a log tells.
func lastTime(in *input, clock *clockFormat) (event.Time, error) {
	s, err := in.open(false)
	if err != nil {
		return 0, err
	}
	defer s.close()
	var last event.Time
	look := func(b []byte) {
		if !none(b) {
			if st, why := clock.read(b); why == "" {
				last = max(last, st.at)
			}
		}
	}
	a := newJSONArray(s)
	var rec phillyRecord
	for {
		err := a.next()
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return 0, atFile(in.path, err)
		}
		rec.parse(a.element())
		look(rec.submitted)
		for _, x := range rec.attempts {
			look(x.start)
			look(x.end)
		}
	}
}

// describePhilly adds what the other files say.
func describePhilly(t *Trace, rep *Report) {
	e := &t.env.philly
	if e.hasEnd {
		rep.Facts.set("unfinished_end", utcStamp(e.end))
		rep.Facts.set("unfinished_end_s", seconds(e.end))
	}
	if e.machines != nil {
		e.machines.describe(t, rep)
	}
	if e.util != "" && t.opt.Inspect {
		u, err := readUtilisation(t, e.util)
		if err != nil {
			rep.Facts.set("utilisation_error", strings.TrimSpace(err.Error()))
			return
		}
		rep.Facts.set("utilisation", u)
	}
}
