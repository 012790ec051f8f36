package trace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gpusim/sim/event"
)

// paiJob is what the tasks of a job say together.
type paiJob struct {
	gpu, cpu int64 // thousandths
	memory   int64 // bytes
	start    event.Time
	hasStart bool
	types    string // models, joined by bars
	misc     bool   // a task asks for MISC, which has no name
	parts    []paiPart
	assumed  string // what was assumed of a missing value
	reason   string // why the job cannot be used, and
	message  string // what is wrong
	listed   bool   // the job table has it
	name     string
	line     int64 // of its first task
	tasks    int64
}

// paiPart is a number of instances that ask for the same of a GPU.
type paiPart struct{ count, milli int64 }

// preparePai reads the tables beside the log.
func preparePai(t *Trace) error {
	if len(t.inputs) > 1 {
		return errors.New("one trace is one job table with the tables beside it; name one folder")
	}
	e := &t.env.pai
	e.jobs = map[string]*paiJob{}
	dir := filepath.Dir(t.inputs[0].path)
	var err error
	if e.names, err = paiHeader(dir, "pai_job_table", paiJobColumns()); err != nil {
		return err
	}
	if e.path = findTable(dir, "pai_task_table"); e.path != "" {
		if err := t.readTasks(dir); err != nil {
			return err
		}
	}
	if path := findTable(dir, "pai_machine_spec"); path != "" {
		if err := t.readMachines(dir, path); err != nil {
			return err
		}
	}
	e.metrics = findTable(dir, "pai_machine_metric")
	for _, name := range []string{"pai_group_tag_table", "pai_instance_table", "pai_sensor_table"} {
		if findTable(dir, name) != "" {
			e.unread = append(e.unread, name)
		}
	}
	return nil
}

// bareSide reads a table without a header beside the log. col holds where each
// column of the schema is, -1 for one that the table lacks.
func (t *Trace) bareSide(dir, path, name string, schema []string, visit func(tb *table, col []int)) error {
	names, err := paiHeader(dir, name, schema)
	if err != nil {
		return err
	}
	in, err := newInput(path)
	if err != nil {
		return err
	}
	t.sides = append(t.sides, in)
	s, err := in.open(true)
	if err != nil {
		return err
	}
	defer s.close()
	tb := newBareTable(s, names)
	col := make([]int, len(schema))
	for i, want := range schema {
		col[i] = tb.column(want)
	}
	for {
		if err := tb.nextBare(); err == io.EOF {
			in.lines, in.records = tb.in.n, tb.rows
			return atFile(path, s.finish())
		} else if err != nil {
			return atFile(path, err)
		}
		visit(tb, col)
	}
}

// sideNote counts a row of a side table that cannot be used.
func (t *Trace) sideNote(path string, tb *table, id, reason, message string) {
	t.tally.issue(path, id, rowIssue{reason, Noted, tb.lineNo, 0, message})
}

// readTasks adds up the tasks of each job.
func (t *Trace) readTasks(dir string) error {
	e := &t.env.pai
	words := newInterner(t.opt.Map["gpu_type"])
	return t.bareSide(dir, e.path, "pai_task_table", paiTaskColumns(), func(tb *table, col []int) {
		var name []byte
		if col[0] >= 0 && col[0] < len(tb.fields) {
			name = trim(tb.field(col[0]))
		}
		if len(name) == 0 {
			t.sideNote(e.path, tb, "", "missing", "a task without the name of its job is left out")
			return
		}
		j := e.jobs[string(name)]
		if j == nil {
			j = &paiJob{name: clean(name), line: tb.lineNo}
			e.jobs[string(name)] = j
			e.order = append(e.order, j)
		}
		j.tasks++
		if len(tb.fields) != len(tb.header) || tb.broken != "" {
			j.fail("damaged-line", fmt.Sprintf("its task on line %d of %s has %d fields, not %d", tb.lineNo, e.path, len(tb.fields), len(tb.header)))
			return
		}
		j.add(tb, col, e.path, words)
	})
}

// fail keeps the first thing that is wrong.
func (j *paiJob) fail(reason, message string) {
	if j.reason == "" {
		j.reason, j.message = reason, message
	}
}

// add takes in a task.
func (j *paiJob) add(tb *table, col []int, path string, words *interner) {
	const instances, start, cpu, memory, gpu, model = 2, 4, 6, 7, 8, 9
	number := func(k, places int) (v int64, known bool) {
		if col[k] < 0 || absent(tb.field(col[k])) {
			return 0, false
		}
		v, exact, why := exactDecimal(tb.field(col[k]), places)
		switch {
		case why != "":
		case v < 0 && k != start:
			why = "negative"
		case k == instances && !exact:
			why = "bad-quantity"
		case k != start && v > math.MaxInt32*1000:
			why = "out-of-range"
		}
		if why != "" {
			j.fail(why, fmt.Sprintf("%s of its task is %s: %s (%s)", tb.header[col[k]], quoted(tb.field(col[k])), explain(why), where(path, tb.lineNo, tb.at(col[k]))))
		}
		return v, why == ""
	}
	n, known := number(instances, 0)
	if !known {
		n = 1
		j.assumed = fmt.Sprintf("inst_num of a task is missing (%s); it is taken as 1", where(path, tb.lineNo, 0))
	}
	if at, known := number(start, 9); known && at >= 0 && event.Time(at) <= farthest && (!j.hasStart || event.Time(at) < j.start) {
		j.start, j.hasStart = event.Time(at), true
	}
	c, _ := number(cpu, 1) // percent of a core: thousandths of it are tenths of a percent
	g, _ := number(gpu, 1)
	m, _ := number(memory, 6)
	for _, x := range []struct {
		to   *int64
		each int64
	}{{&j.cpu, c}, {&j.gpu, g}} {
		if n > 0 && x.each > (math.MaxInt64/4-*x.to)/n {
			j.fail("out-of-range", "its tasks ask for more than counts can hold")
			return
		}
		*x.to += x.each * n
	}
	var w wide
	w.add(uint64(m), uint64(n)<<30)
	b := w.big()
	if b.Quo(b, thousand()).Quo(b, thousand()); !b.IsInt64() || b.Int64() > math.MaxInt64/2-j.memory {
		j.fail("out-of-range", "its tasks ask for more memory than counts can hold")
		return
	}
	j.memory += b.Int64()
	if g == 0 || n == 0 {
		return
	}
	j.part(n, g)
	if col[model] < 0 {
		return
	}
	for _, name := range words.list(trim(tb.field(col[model]))).types {
		switch {
		case name == "MISC":
			j.misc = true
		case name != "CPU" && !contains(strings.Split(j.types, "|"), name):
			j.types = strings.TrimPrefix(j.types+"|"+name, "|")
		}
	}
}

// part adds instances.
func (j *paiJob) part(n, milli int64) {
	for i := range j.parts {
		if j.parts[i].milli == milli {
			j.parts[i].count += n
			return
		}
	}
	j.parts = append(j.parts, paiPart{n, milli})
}
