package trace

import (
	"fmt"
	"io"
	"strings"

	"gpusim/sim/event"
)

// Format is one entry of the table of formats: a word of the scenario file and
// the code that reads it.
type Format struct {
	// Name is the word in the scenario file.
	Name string
	// Doc is one line for lists of formats.
	Doc string
	// Nodes says that the files describe nodes; all others describe jobs.
	Nodes bool
	// Sample names the files of the format as a user finds them.
	Sample string

	extra  []string // options beyond the common ones that mean something
	lacks  []string // common options that mean nothing
	names  []string // fields whose values the option map can rename
	repeat bool     // a repeated id is a job of its own, under ID#2
	open   func(r io.Reader, e *env) (reader, error)
	// folder finds the log in a folder and notes its other parts in the env;
	// nil: a path must be a file.
	folder func(path string, e *env) (log string, err error)
	// prepare runs before the first reading, describe adds to the report after
	// it; both may be nil.
	prepare  func(t *Trace) error
	describe func(t *Trace, rep *Report)
}

// Formats is the table of formats, in the order of lists.
func Formats() []Format {
	return []Format{
		nativeFormat(),
		csvFormat(),
		swfFormat(),
		openbFormat(),
		openbNodesFormat(),
		phillyFormat(),
		heliosFormat(),
		acmeFormat(),
		tiresiasFormat(),
		sacctFormat(),
		paiFormat(),
		kubernetesFormat(),
		jobcompFormat(),
		slurmConfFormat(),
	}
}

// options are the options the format takes.
func (f *Format) options() []string {
	var names []string
	for _, n := range commonOptions {
		if !contains(f.lacks, n) {
			names = append(names, n)
		}
	}
	return append(names, f.extra...)
}

// lookup finds a format by name.
func lookup(name string) (*Format, error) {
	all := Formats()
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, fmt.Errorf("trace: %w", unknownWord("unknown format", name, names))
}

// reader takes one file of a format apart. Its methods are called by one
// goroutine, and what they return is valid until the next call of next.
type reader interface {
	// next moves to the next record; io.EOF after the last. Any other error
	// means that the file cannot be read on.
	next() error
	// columns are the names that the option where may use.
	columns() []string
	// value is the text of a column of the current record ("" where the record
	// is too short).
	value(column string) []byte
	// fill says what the current record is. The row comes with its line and
	// nothing else.
	fill(r *row)
	// about says what is known before the first record.
	about() about
	// line is the line on which the current record begins, lines how many have
	// been read.
	line() int64
	lines() int64
	// bytes are the bytes of the current record as they are in the file.
	bytes() []byte
}

// about is what a file says of itself.
type about struct {
	clock Clock
	// origin is the instant of time 0 where it is known (hasOrigin), from 1970;
	// zone and layout are how the file writes stamps.
	origin    event.Time
	hasOrigin bool
	zone      *zone
	layout    string
	has       fields // what the records carry
	facts     Facts
	notes     []note // issues of the header
}

// fields says which parts of a job a format's records carry, so that a report
// can tell an empty value from an unknown one.
type fields struct{ status, tenant, queue, gpuType bool }

// note is an issue found before the first record.
type note struct {
	reason       string
	line, column int64
	message      string
}

// env is what a reader may know beside its file.
type env struct {
	opt    Options
	words  *interner
	philly phillyEnv
	pai    paiEnv
	kube   *kubeTotals
	slurm  *slurmEnv
	openb  *openbTotals
	log    *logTotals // of logs in Slurm's words
}

// interner keeps one copy of each of the strings that come again and again
// (users, queues, lists of GPU types). It stops learning when it is full.
type interner struct {
	words  map[string]string
	lists  map[string]typeList
	rename map[string]string // option map.gpu_type
}

// typeList is a list of acceptable GPU types, and the same as one word.
type typeList struct {
	types []string
	key   string
}

const internerSize = 1 << 16

func newInterner(rename map[string]string) *interner {
	return &interner{map[string]string{}, map[string]typeList{}, rename}
}

func (in *interner) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := in.words[string(b)]; ok {
		return s
	}
	s := clean(b)
	if len(in.words) < internerSize && len(b) <= 256 {
		in.words[string(b)] = s
	}
	return s
}

// list reads a list of GPU types joined by bars; a type that stands twice
// counts once.
func (in *interner) list(b []byte) typeList {
	if len(b) == 0 {
		return typeList{}
	}
	if l, ok := in.lists[string(b)]; ok {
		return l
	}
	var l typeList
	for _, word := range strings.Split(clean(b), "|") {
		word = strings.TrimSpace(word)
		if to, ok := in.rename[word]; ok {
			word = to
		}
		if word != "" && !contains(l.types, word) {
			l.types = append(l.types, word)
		}
	}
	l.key = strings.Join(l.types, "|")
	if len(in.lists) < internerSize && len(b) <= 256 {
		in.lists[string(b)] = l
	}
	return l
}
