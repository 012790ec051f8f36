package trace

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gpusim/sim/event"
)

// cursor walks the records of all files of a trace and says what each is. It
// applies what all formats share; every reading of a trace uses it, so that
// all of them agree.
type cursor struct {
	t       *Trace
	tally   *tally // of the first reading; nil later
	seen    *ids   // of the first reading; nil later
	env     env
	file    int
	s       *stream
	rd      reader
	filter  []filter
	from    event.Time
	until   event.Time
	ordinal int64
	jobs    int64
}

// filter is one entry of the option where.
type filter struct{ column, value string }

func (t *Trace) cursor(tally *tally) *cursor {
	c := &cursor{t: t, tally: tally, env: t.env}
	c.env.words = newInterner(t.opt.Map["gpu_type"])
	for _, k := range sortedKeys(t.opt.Where) {
		c.filter = append(c.filter, filter{k, t.opt.Where[k]})
	}
	return c
}

// next fills r with the next record; io.EOF after the last.
func (c *cursor) next(r *row) error {
	for {
		if c.rd == nil {
			if c.file == len(c.t.inputs) {
				return io.EOF
			}
			if err := c.open(); err != nil {
				return err
			}
		}
		err := c.rd.next()
		if err == io.EOF {
			if err := c.leave(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return c.wrap(err)
		}
		c.record(r)
		return nil
	}
}

// open begins the next file.
func (c *cursor) open() error {
	in := c.t.inputs[c.file]
	s, err := in.open(c.tally != nil)
	if err != nil {
		return err
	}
	c.s = s
	c.rd, err = c.t.format.open(s, &c.env)
	if err != nil {
		return c.wrap(err)
	}
	a := c.rd.about()
	if c.tally != nil {
		if err := c.begin(a); err != nil {
			return c.wrap(err)
		}
	}
	return c.window(a)
}

// begin takes note of what a file says of itself, in the first reading.
func (c *cursor) begin(a about) error {
	for _, f := range c.filter {
		if !contains(c.rd.columns(), f.column) {
			return fmt.Errorf("option where: %w", unknownWord("no column", f.column, c.rd.columns()))
		}
	}
	for _, n := range a.notes {
		c.tally.issue(c.t.inputs[c.file].path, "", rowIssue{n.reason, Noted, n.line, n.column, n.message})
	}
	if c.file == 0 {
		c.t.about = a
		c.tally.has = a.has
		return nil
	}
	first := c.t.about
	if first.hasOrigin != a.hasOrigin || first.origin != a.origin {
		return errors.New("the files of one trace must be on one clock, and this one states another than the first")
	}
	return nil
}

// window reads the options from and until on the file's clock.
func (c *cursor) window(a about) error {
	c.from, c.until = -event.Never, event.Never
	for _, b := range []struct {
		name, text string
		to         *event.Time
	}{{"from", c.t.opt.From, &c.from}, {"until", c.t.opt.Until, &c.until}} {
		if b.text == "" {
			continue
		}
		at, err := a.instant(b.text)
		if err != nil {
			return fmt.Errorf("option %s: %w", b.name, err)
		}
		*b.to = at
	}
	if c.from >= c.until {
		return fmt.Errorf("option from (%s) is not before until (%s)", c.t.opt.From, c.t.opt.Until)
	}
	return nil
}

// instant reads a time as a user writes it on the trace's clock.
func (a *about) instant(text string) (event.Time, error) {
	text = strings.TrimSpace(text)
	if at, why := instant([]byte(text), 9); why == "" {
		return at, nil
	}
	if !a.hasOrigin {
		return 0, fmt.Errorf("%q is not a number of seconds, and this trace's clock has no date", text)
	}
	tz := a.zone
	if tz == nil {
		tz = &zone{loc: time.UTC}
	}
	layouts := []string{plainLayout, rfc3339, "2006-01-02", "2006-01-02T15:04:05"}
	if a.layout != "" {
		layouts = append([]string{a.layout}, layouts...)
	}
	for _, layout := range layouts {
		f := &clockFormat{layout: layout, zone: tz, zoned: strings.Contains(layout, "Z07") || strings.Contains(layout, "-07")}
		if s, why := f.read([]byte(text)); why == "" {
			return s.at - a.origin, nil
		}
	}
	return 0, fmt.Errorf("%q is neither a number of seconds nor a time such as %s", text, plainLayout)
}

// leave ends a file.
func (c *cursor) leave() error {
	in := c.t.inputs[c.file]
	if c.tally != nil {
		in.lines = c.rd.lines()
		if err := c.s.finish(); err != nil {
			return err
		}
	}
	c.close()
	c.file++
	return nil
}

// close gives the file back.
func (c *cursor) close() {
	if c.s != nil {
		c.s.close()
	}
	c.s, c.rd = nil, nil
}

// record says what the current record is.
func (c *cursor) record(r *row) {
	in := c.t.inputs[c.file]
	c.ordinal++
	if c.tally != nil {
		in.records++
	}
	r.tally = c.tally
	r.reset(in.path, c.rd.line(), c.rd.bytes())
	for _, f := range c.filter {
		if string(trim(c.rd.value(f.column))) != f.value {
			r.skip("filtered-out", "%s is %q, not %q", f.column, trim(c.rd.value(f.column)), f.value)
			return
		}
	}
	if c.t.opt.Limit != nil && c.jobs >= *c.t.opt.Limit {
		r.skip("over-limit", "the first %d jobs are enough", *c.t.opt.Limit)
		return
	}
	r.checkEncoding()
	c.rd.fill(r)
	if r.hasSubmit && (r.job.Submit < c.from || r.job.Submit >= c.until) {
		r.issues, r.fate, r.tooBig = r.issues[:0], "", false
		r.skip("outside-window", "submitted at %s s", seconds(r.job.Submit))
		return
	}
	if r.hasSubmit && r.job.Submit < 0 && c.t.opt.Shift == "keep" {
		r.reject("negative", 0, "submitted at %s s, before time 0; use shift: zero", seconds(r.job.Submit))
	}
	r.account()
	c.rename(r)
	c.duplicate(r)
	if c.tally != nil {
		c.tally.order(r)
	}
	if r.fate == "" {
		c.jobs++
	}
}

// rename applies the option map (gpu_type is done where lists are read).
func (c *cursor) rename(r *row) {
	m := c.t.opt.Map
	if len(m) == 0 {
		return
	}
	for _, f := range []struct {
		name string
		at   *string
	}{{"user", &r.job.User}, {"tenant", &r.job.Tenant}, {"queue", &r.job.Queue}, {"partition", &r.job.Partition}, {"kind", &r.job.Kind}} {
		if to, ok := m[f.name][*f.at]; ok {
			*f.at = to
		}
	}
}

// duplicate looks whether the job's id came before.
func (c *cursor) duplicate(r *row) {
	if r.fate != "" || r.noID {
		return
	}
	var again repeat
	var known bool
	if c.seen != nil {
		again, known = c.seen.add(r.id, idPlace{c.file, r.line}, c.t.format.repeat)
		if known {
			c.t.again[c.ordinal] = again
		}
	} else {
		again, known = c.t.again[c.ordinal]
	}
	if !known {
		return
	}
	first := fmt.Sprintf("line %d", again.first.line)
	if again.first.file != c.file {
		first = where(c.t.inputs[again.first.file].path, again.first.line, 0)
	}
	switch {
	case again.n > 0:
		r.repeat = again.n
		r.note("duplicate-id", r.idColumn, "%s was the id of a job before, on %s; this one, on line %d, is kept as %s", clean(r.id), first, r.line, r.fullID())
	case r.partial:
		r.skip("step-row", "a part of job %s on %s, which is counted as a whole", clean(r.id), first)
	default:
		r.reject("duplicate-id", r.idColumn, "%s was the id of a job before, on %s; the first is kept, this one on line %d is not", clean(r.id), first, r.line)
	}
}

// wrap adds the file to an error.
func (c *cursor) wrap(err error) error { return atFile(c.t.inputs[c.file].path, err) }

// atFile adds the file to an error of one of its readers.
func atFile(path string, err error) error {
	var at *placeError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %s", where(path, at.line, at.column), at.message)
	}
	var over *limitError
	if errors.As(err, &over) {
		return fmt.Errorf("%s: %w", where(path, over.line, 0), err)
	}
	if err == nil || strings.Contains(err.Error(), path) { // an error of unpacking or of the file itself
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
