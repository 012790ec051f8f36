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

// The pai format is the Alibaba GPU cluster trace of 2020 (alibaba/clusterdata,
// cluster-trace-gpu-v2020): a folder, or its job table. The tables have no
// header; columns have the order of the published schema unless a file
// TABLE.header beside a table lists another. A first row that repeats the names
// is a header all the same.
//
//	pai_job_table       job_name, inst_id, user, status, start_time (the
//	                    submission), end_time
//	pai_task_table      job_name, task_name, inst_num, status, start_time (the
//	                    launch), end_time, plan_cpu and plan_gpu (percent of
//	                    one core or GPU, of each instance), plan_mem (GiB of
//	                    each instance), gpu_type
//	pai_machine_spec    machine, gpu_type, cap_cpu, cap_mem, cap_gpu: the
//	                    cluster of the report
//	pai_machine_metric  worker_name, machine, ..., machine_gpu (percent of one
//	                    GPU, so up to 800 on a machine with 8): facts of an
//	                    inspection
//
// A job asks for inst_num x plan of all its tasks; it waits from its start_time
// to the earliest start of a task and runs from there to its end_time. Seconds
// of a clock that shows the true time of day and week in Asia/Shanghai
// (timezone says otherwise), on a false date. An empty cell is a missing value,
// and so is an end of 0; a negative time lies outside the log. An empty plan is
// nothing asked; a task without inst_num has one instance (noted: missing).
//
// An instance with a part of a GPU shares one. A job with several of them is
// handed on in pieces, JOB.1, JOB.2, ..., one for each such instance and one
// for all instances with whole GPUs, because a simulated job can share one GPU
// only (noted: split). gpu_type MISC is several old models and no name of one:
// it binds the job to no model (noted: unknown-gpu) unless the option map gives
// it a name; CPU is none.
//
// status: Terminated is success, Failed fails; Running is skipped as
// still-running, Waiting and jobs without a launched task as never-started.
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing (no name, no
// submission, no task), not-a-number, negative, out-of-range, bad-quantity,
// time-backwards, duplicate-id; noted: orphan (a task of a job that is not
// listed), unknown-gpu, missing, split, start-before-submit, out-of-order,
// unknown-state; repaired: encoding.
func paiFormat() Format {
	return Format{
		Name:     "pai",
		Doc:      "Alibaba GPU trace of 2020 (pai_job_table and the tables beside it), alone or with its folder",
		Sample:   "pai_job_table.csv",
		extra:    []string{"timezone"},
		names:    []string{"gpu_type", "user"},
		open:     openPai,
		folder:   findPai,
		prepare:  preparePai,
		describe: describePai,
	}
}

// paiZone is where the log was written.
const paiZone = "Asia/Shanghai"

// The schema of the tables.
func paiJobColumns() []string {
	return []string{"job_name", "inst_id", "user", "status", "start_time", "end_time"}
}

func paiTaskColumns() []string {
	return []string{"job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem", "plan_gpu", "gpu_type"}
}

func paiMachineColumns() []string {
	return []string{"machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"}
}

func paiMetricColumns() []string {
	return []string{"worker_name", "machine", "start_time", "end_time", "machine_cpu_iowait", "machine_cpu_kernel", "machine_cpu_usr", "machine_gpu",
		"machine_load_1", "machine_net_receive", "machine_num_worker", "machine_cpu"}
}

// paiEnv is what the tables beside the log say.
type paiEnv struct {
	names    []string // columns of the job table
	jobs     map[string]*paiJob
	order    []*paiJob // as they come in the task table
	path     string    // of the task table
	machines []NodeRow
	metrics  string   // path of the table of metrics
	unread   []string // tables that are there and not read
}

// findPai finds the job table in a folder.
func findPai(dir string, e *env) (string, error) {
	if path := findTable(dir, "pai_job_table"); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("%s is a folder without pai_job_table (.csv, .csv.gz or .csv.zst)", dir)
}

// findTable finds a table in a folder; "" where there is none.
func findTable(dir, name string) string {
	for _, end := range []string{".csv", "", ".csv.gz", ".csv.zst", ".gz", ".zst"} {
		path := filepath.Join(dir, name+end)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

// paiHeader is the header of a table: from the file beside it, or the schema.
func paiHeader(dir, name string, schema []string) ([]string, error) {
	path := filepath.Join(dir, name+".header")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(strings.TrimSpace(string(text))) == 0 {
		return schema, nil
	}
	if err != nil {
		return nil, err
	}
	if len(text) > 1<<16 {
		return nil, fmt.Errorf("%s is too large for a list of column names", path)
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(string(text), "\ufeff"), "\n")
	var names []string
	for _, n := range strings.Split(line, ",") {
		names = append(names, strings.TrimSpace(n))
	}
	return names, nil
}

// newBareTable cuts a file whose columns have these names and no header.
func newBareTable(r io.Reader, names []string) *table {
	return &table{in: newLines(r), most: len(names) + 16, header: names}
}

// nextBare moves to the next record, past a header at the top.
func (t *table) nextBare() error {
	err := t.next()
	if err == nil && t.rows == 1 && len(t.fields) > 0 && string(trim(t.field(0))) == t.header[0] {
		t.rows = 0
		err = t.next()
	}
	return err
}

const (
	paiName = iota
	paiInst
	paiUser
	paiStatus
	paiStart
	paiEnd
)

type paiReader struct {
	*table
	env     *env
	col     [6]int
	head    about
	waiting bool // the first record has been read already
	err     error
}

func openPai(r io.Reader, e *env) (reader, error) {
	name, by := e.opt.Timezone, "option"
	if name == "" {
		name, by = paiZone, "format default"
	}
	zone, err := newZone(name)
	if err != nil {
		return nil, err
	}
	names := e.pai.names
	if names == nil {
		names = paiJobColumns()
	}
	p := &paiReader{table: newBareTable(r, names), env: e, waiting: true}
	p.head = about{clock: newClock("1970-01-01T00:00:00Z", name, by), hasOrigin: true, zone: zone, layout: plainLayout, has: fields{status: true, gpuType: true}}
	for i, want := range paiJobColumns() {
		if p.col[i] = p.column(want); p.col[i] < 0 && i != paiInst && i != paiUser {
			return nil, fmt.Errorf("pai_job_table.header does not name %q (it has: %s)", want, cutList(names))
		}
	}
	if p.err = p.nextBare(); p.err != nil && p.err != io.EOF {
		return nil, p.err
	}
	if p.err == io.EOF && p.in.n == 0 {
		return nil, &placeError{message: "the file is empty: no record"}
	}
	if e.pai.path == "" {
		p.head.notes = append(p.head.notes, note{reason: "missing", message: "there is no pai_task_table beside the job table, so no job's GPUs and run time are known"})
	}
	return p, nil
}

func (p *paiReader) about() about { return p.head }

func (p *paiReader) next() error {
	if p.waiting {
		p.waiting = false
		return p.err
	}
	return p.nextBare()
}

// text is a column's text; nil where it is missing or says nothing.
func (p *paiReader) text(k int) []byte {
	if i := p.col[k]; i >= 0 && i < len(p.fields) && !absent(p.field(i)) {
		return trim(p.field(i))
	}
	return nil
}

// instant reads a time; one of 0 at the end, or a negative one, is none.
func (p *paiReader) instant(r *row, k int) (at event.Time, known bool) {
	b := p.text(k)
	if b == nil {
		return 0, false
	}
	v, why := instant(b, 9)
	switch {
	case why != "":
		p.bad(r, p.col[k], why)
		return 0, false
	case v < 0:
		r.note("negative", p.at(p.col[k]), "%s is %s s, which lies before the log: it is not known", p.header[p.col[k]], seconds(v))
		return 0, false
	}
	return v, v > 0 || k != paiEnd
}
