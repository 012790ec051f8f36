package trace

import (
	"bytes"
	"encoding/json"
	"sort"
)

// Report is what one reading of a trace found: the document that `trace
// inspect --output json` prints. Times are on the trace's own clock, as the
// files state them: shift and scale do not touch them. A value that the trace
// does not tell is null.
type Report struct {
	Format string       `json:"format"`
	Files  []FileReport `json:"files"`
	// Records is the number of records read, Accepted how many became jobs;
	// the difference is counted in the issues that are rejected or skipped.
	Records  int64   `json:"records"`
	Accepted int64   `json:"accepted"`
	Issues   []Issue `json:"issues"`
	Clock    Clock   `json:"clock"`
	// FirstSubmit and LastSubmit are over the accepted jobs, LastEnd over
	// those whose end is known. Span is LastEnd - FirstSubmit, SubmitSpan
	// LastSubmit - FirstSubmit.
	FirstSubmit Decimal `json:"first_submit_s"`
	LastSubmit  Decimal `json:"last_submit_s"`
	LastEnd     Decimal `json:"last_end_s"`
	Span        Decimal `json:"span_s"`
	SubmitSpan  Decimal `json:"submit_span_s"`
	// GPUSeconds is the GPU time that the log recorded for the accepted jobs.
	GPUSeconds Decimal  `json:"gpu_s"`
	Wait       WaitMean `json:"wait_s"`
	// JobsBy counts accepted jobs, GPUSecondsBy sums their GPU time.
	JobsBy       JobsBy       `json:"jobs_by"`
	GPUSecondsBy GPUSecondsBy `json:"gpu_s_by"`
	// Cluster is the machine the trace is held against: one that the trace
	// itself describes, or the one given to WithCluster.
	Cluster *ClusterReport `json:"cluster"`
	// OfferedLoad is GPU time over the GPUs' time during the span of
	// submissions: all, and by GPU type.
	OfferedLoad Table `json:"offered_load"`
	Facts       Facts `json:"facts"`
	// Next is a command worth trying now.
	Next string `json:"next"`
	// Jobs holds a row a record; the caller fills it from Trace.JobRows.
	Jobs []JobRow `json:"jobs,omitempty"`

	loads []typeLoad
	total wide
}

// FileReport is one file as it was read.
type FileReport struct {
	Path        string `json:"path"`
	Compression string `json:"compression"` // none, gzip, zstd
	Encoding    string `json:"encoding"`    // utf-8, utf-8-bom
	Lines       int64  `json:"lines"`
	Records     int64  `json:"records"`
	SHA256      string `json:"-"` // of the file as stored, in hexadecimal
}

// Issue is a reason with its exact count and the first places it was met.
type Issue struct {
	Reason string  `json:"reason"`
	Action Action  `json:"action"`
	Count  int64   `json:"count"`
	At     []Place `json:"at"`
}

// Place is where an issue was met. Line and Column count from 1, Column in
// bytes; they are null where the trouble is not at one place.
type Place struct {
	File    string `json:"file"`
	Line    *int64 `json:"line"`
	Column  *int64 `json:"column"`
	ID      string `json:"id"`
	Message string `json:"message"`
}

// Clock says what the trace's times mean: Origin is the instant of time 0 (RFC
// 3339), Timezone how stamps without a zone were read, StatedBy who says so:
// header, option, format default, or stamps (each carries its own offset).
type Clock struct {
	Origin   *string `json:"origin"`
	Timezone *string `json:"timezone"`
	StatedBy *string `json:"stated_by"`
}

func newClock(origin, timezone, statedBy string) Clock {
	return Clock{text(origin), text(timezone), text(statedBy)}
}

// text is s, or nothing for an empty one.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// WaitMean is the mean of the waits that the log tells, over Known jobs.
type WaitMean struct {
	Mean  Decimal `json:"mean"`
	Known int64   `json:"known"`
}

// JobsBy counts jobs by the values of a column; a column the format lacks is
// null. GPUs is what was asked (0.46 for a share), GPUType the list of
// acceptable types joined by |, "" where any will do.
type JobsBy struct {
	Status  Table `json:"status"`
	GPUs    Table `json:"gpus"`
	GPUType Table `json:"gpu_type"`
	Tenant  Table `json:"tenant"`
	Queue   Table `json:"queue"`
}

// GPUSecondsBy sums GPU time like JobsBy.
type GPUSecondsBy struct {
	Tenant  Table `json:"tenant"`
	GPUType Table `json:"gpu_type"`
}

// Table is a small table of numbers by name, in a fixed order; nil is null.
type Table []Entry

// Entry is one line of a Table.
type Entry struct {
	Key   string
	Value Decimal
}

// MarshalJSON writes an object with the keys in the table's order.
func (t Table) MarshalJSON() ([]byte, error) {
	if t == nil {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range t {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(e.Key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		value, err := e.Value.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Get is the value of a key, "" where there is none.
func (t Table) Get(key string) Decimal {
	for _, e := range t {
		if e.Key == key {
			return e.Value
		}
	}
	return ""
}

// Fact is something a format has to tell that no other has.
type Fact struct {
	Key   string
	Value any
}

// Facts are written as one object, in order.
type Facts []Fact

// MarshalJSON writes an object with the keys in order.
func (f Facts) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(e.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// set adds a fact, or replaces the one of the same name.
func (f *Facts) set(key string, value any) {
	for i := range *f {
		if (*f)[i].Key == key {
			(*f)[i].Value = value
			return
		}
	}
	*f = append(*f, Fact{key, value})
}

// Issue finds an issue by reason and action; its Count is 0 if there is none.
func (r *Report) Issue(reason string, action Action) Issue {
	for _, i := range r.Issues {
		if i.Reason == reason && i.Action == action {
			return i
		}
	}
	return Issue{Reason: reason, Action: action}
}

// counts is a table in the making.
type counts map[string]int64

// table is sorted by name; numeric says that names are numbers.
func (c counts) table(numeric bool) Table {
	t := make(Table, 0, len(c))
	for _, k := range sortedKeys(c) {
		t = append(t, Entry{k, fixed(c[k], 0)})
	}
	if numeric {
		value := func(s string) int64 { v, _ := decimal([]byte(s), 3); return v }
		sort.SliceStable(t, func(i, j int) bool { return value(t[i].Key) < value(t[j].Key) })
	}
	return t
}
