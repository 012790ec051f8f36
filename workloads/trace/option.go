package trace

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"gpusim/sim/event"
)

// Options are what a user may say about a trace beside its format and path. An
// option that is not given is the zero value. One that means nothing for the
// chosen format is an error.
type Options struct {
	Limit       *int64                       `yaml:"limit" doc:"keep the first N jobs of the file"`
	From        string                       `yaml:"from" doc:"leave out what is submitted before this time of the trace's clock: seconds, or a stamp where the trace has stamps"`
	Until       string                       `yaml:"until" doc:"leave out what is submitted at or after this time of the trace's clock"`
	Where       map[string]string            `yaml:"where" doc:"keep the records whose column has this value; several columns must all agree"`
	Shift       string                       `yaml:"shift" doc:"zero: the first submission that becomes a job is time 0 (default); keep: the trace's clock is kept"`
	Scale       Scale                        `yaml:"scale" doc:"factors on times"`
	Map         map[string]map[string]string `yaml:"map" doc:"new names for values: map: {gpu_type: {V100: V100-SXM2-16GB}}"`
	Strict      bool                         `yaml:"strict" doc:"the first record that would be rejected is an error"`
	Columns     map[string]string            `yaml:"columns" doc:"csv: which column of the file holds what: columns: {id: jobid, submit: timestamp}"`
	TimeFormat  string                       `yaml:"time_format" doc:"csv: how times are written: seconds (default), milliseconds, microseconds, nanoseconds, rfc3339, or a layout such as 2006-01-02 15:04:05"`
	Timezone    string                       `yaml:"timezone" doc:"the time zone of stamps that carry none"`
	Processors  string                       `yaml:"processors" doc:"swf: a processor is a GPU (gpus, default) or a CPU core (cpus)"`
	Attempts    string                       `yaml:"attempts" doc:"philly: which attempt gives a job its GPUs: last (default) or first, with the length of all together; or each: every attempt is a job"`
	Pending     string                       `yaml:"pending" doc:"openb: what to do with pods that never ran: skip (default), or the run time to give them"`
	Lifetime    string                       `yaml:"lifetime" doc:"openb: recorded (default), or forever: pods never leave"`
	Unfinished  string                       `yaml:"unfinished" doc:"philly, sacct: what to do with jobs that were still running: skip (default), or until: they end at the option until, or with the last time of the log (sacct: at report_time)"`
	ReportTime  string                       `yaml:"report_time" doc:"sacct, kubernetes: when the log was taken; jobs that were running then are replayed for the time they had run"`
	Annotations map[string]string            `yaml:"annotations" doc:"kubernetes: which annotations hold the submission and the run time: annotations: {submit: KEY, duration: KEY}"`

	// Inspect asks for facts that only a look at the trace needs and a run does
	// not (philly: the utilisation file of the folder).
	Inspect bool `yaml:"-"`
}

// Scale are factors on the times of a trace.
type Scale struct {
	Submit   *float64 `yaml:"submit" doc:"factor on the time between submissions"`
	Duration *float64 `yaml:"duration" doc:"factor on run times"`
}

// common are the options of every format.
var commonOptions = [...]string{"limit", "from", "until", "where", "shift", "scale", "map", "strict"}

// allOptions are the keys that Set knows.
var allOptions = [...]string{"limit", "from", "until", "where", "shift", "scale", "map", "strict",
	"columns", "time_format", "timezone", "processors", "attempts", "pending", "lifetime", "unfinished", "report_time", "annotations"}

// given lists the options that were given, in a fixed order.
func (o *Options) given() []string {
	var names []string
	add := func(name string, is bool) {
		if is {
			names = append(names, name)
		}
	}
	add("limit", o.Limit != nil)
	add("from", o.From != "")
	add("until", o.Until != "")
	add("where", len(o.Where) > 0)
	add("shift", o.Shift != "")
	add("scale", o.Scale.Submit != nil || o.Scale.Duration != nil)
	add("map", len(o.Map) > 0)
	add("strict", o.Strict)
	add("columns", len(o.Columns) > 0)
	add("time_format", o.TimeFormat != "")
	add("timezone", o.Timezone != "")
	add("processors", o.Processors != "")
	add("attempts", o.Attempts != "")
	add("pending", o.Pending != "")
	add("lifetime", o.Lifetime != "")
	add("unfinished", o.Unfinished != "")
	add("report_time", o.ReportTime != "")
	add("annotations", len(o.Annotations) > 0)
	return names
}

// check compares the options with what the format takes and with the words
// they may have; all errors at once.
func (o *Options) check(f *Format) error {
	var errs []error
	takes := f.options()
	for _, name := range o.given() {
		if !contains(takes, name) {
			errs = append(errs, fmt.Errorf("option %s does nothing for format %s; remove it (%s takes: %s)", name, f.Name, f.Name, strings.Join(takes, ", ")))
		}
	}
	for _, w := range []struct {
		name, value string
		words       []string
	}{
		{"shift", o.Shift, []string{"zero", "keep"}},
		{"processors", o.Processors, []string{"gpus", "cpus"}},
		{"attempts", o.Attempts, []string{"last", "first", "each"}},
		{"lifetime", o.Lifetime, []string{"recorded", "forever"}},
		{"unfinished", o.Unfinished, []string{"skip", "until"}},
	} {
		if w.value != "" && !contains(w.words, w.value) {
			errs = append(errs, fmt.Errorf("option %s: %w", w.name, unknownWord("value", w.value, w.words)))
		}
	}
	if o.Limit != nil && *o.Limit < 0 {
		errs = append(errs, fmt.Errorf("option limit: %d is negative", *o.Limit))
	}
	for _, s := range []struct {
		name   string
		factor *float64
	}{{"submit", o.Scale.Submit}, {"duration", o.Scale.Duration}} {
		if _, err := newFactor(s.factor); err != nil {
			errs = append(errs, fmt.Errorf("option scale.%s: %w", s.name, err))
		}
	}
	for _, key := range sortedKeys(o.Columns) {
		if !contains(jobColumns[:], key) {
			errs = append(errs, fmt.Errorf("option columns: %w", unknownWord("there is no", key, jobColumns[:])))
		}
	}
	for _, key := range sortedKeys(o.Annotations) {
		if what := []string{"submit", "duration"}; !contains(what, key) {
			errs = append(errs, fmt.Errorf("option annotations: %w", unknownWord("there is no", key, what)))
		} else if o.Annotations[key] == "" {
			errs = append(errs, fmt.Errorf("option annotations.%s: name the key of an annotation", key))
		}
	}
	if _, _, err := pendingLength(o.Pending); err != nil {
		errs = append(errs, err)
	}
	if o.TimeFormat != "" || o.Timezone != "" && contains(takes, "time_format") {
		if _, err := newClockFormat(o.TimeFormat, o.Timezone); err != nil {
			errs = append(errs, err)
		}
	} else if o.Timezone != "" {
		if _, err := newZone(o.Timezone); err != nil {
			errs = append(errs, err)
		}
	}
	for _, field := range sortedKeys(o.Map) {
		if contains(takes, "map") && !contains(f.names, field) {
			errs = append(errs, fmt.Errorf("option map: %w", unknownWord("format "+f.Name+" fills no", field, f.names)))
		}
	}
	return errors.Join(errs...)
}

// pendingLength reads the option pending: a run time, or none.
func pendingLength(value string) (d event.Time, given bool, err error) {
	if value == "" || value == "skip" {
		return 0, false, nil
	}
	d, ok := duration(value)
	if !ok {
		return 0, false, fmt.Errorf("option pending: %q is neither skip nor a length of time such as 1h or 90s", value)
	}
	return d, true, nil
}

// duration reads 90s, 1h30m, 7d or a bare number of seconds.
func duration(text string) (event.Time, bool) {
	if t, why := length([]byte(text), 9); why == "" {
		return t, true
	}
	units := []struct {
		name string
		size event.Time
	}{{"ns", event.Nanosecond}, {"us", event.Microsecond}, {"ms", event.Millisecond}, {"s", event.Second}, {"m", event.Minute}, {"h", event.Hour}, {"d", event.Day}}
	if text == "" {
		return 0, false
	}
	var total event.Time
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if n <= 0 {
			return 0, false
		}
		number, rest := text[:n], text[n:]
		k := strings.IndexAny(rest, "0123456789.")
		if k < 0 {
			k = len(rest)
		}
		found := false
		for _, u := range units {
			if rest[:k] != u.name {
				continue
			}
			v, why := decimal([]byte(number), 9)
			if why != "" {
				return 0, false
			}
			var w wide
			w.add(uint64(v), uint64(u.size))
			q := w.big()
			q.Quo(q, big.NewInt(1_000_000_000))
			if !q.IsInt64() || event.Time(q.Int64()) > farthest-total {
				return 0, false
			}
			total += event.Time(q.Int64())
			found = true
		}
		if !found {
			return 0, false
		}
		text = rest[k:]
	}
	return total, true
}
