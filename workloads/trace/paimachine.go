package trace

import (
	"math"
	"math/big"
	"strings"

	"gpusim/sim/event"
)

// readMachines reads the list of machines.
func (t *Trace) readMachines(dir, path string) error {
	words := newInterner(t.opt.Map["gpu_type"])
	return t.bareSide(dir, path, "pai_machine_spec", paiMachineColumns(), func(tb *table, col []int) {
		if len(tb.fields) != len(tb.header) || tb.broken != "" || col[0] < 0 || col[4] < 0 {
			t.sideNote(path, tb, "", "damaged-line", "a machine needs the columns "+strings.Join(paiMachineColumns(), ", ")+"; it is left out")
			return
		}
		name := clean(trim(tb.field(col[0])))
		n, why := whole(tb.field(col[4]))
		if absent(tb.field(col[4])) {
			n, why = 0, ""
		}
		if why != "" || n < 0 || n > 1024 {
			t.sideNote(path, tb, name, "bad-quantity", "cap_gpu is "+quoted(tb.field(col[4]))+"; the machine is left out")
			return
		}
		node := NodeRow{Name: name, GPUs: int(n), Line: tb.lineNo}
		if col[1] >= 0 {
			node.Model = words.list(trim(tb.field(col[1]))).key
		}
		if n > 0 && (node.Model == "MISC" || node.Model == "") {
			t.sideNote(path, tb, name, "unknown-gpu", "the model of its GPUs has no name; the option map can give it one: map: {gpu_type: {MISC: NAME}}")
		}
		t.env.pai.machines = append(t.env.pai.machines, node)
	})
}

// describePai adds what the other tables say, and counts tasks without a job.
func describePai(t *Trace, rep *Report) {
	e := &t.env.pai
	for _, j := range e.order {
		if j.listed {
			continue
		}
		for range j.tasks {
			t.tally.issue(e.path, j.name, rowIssue{"orphan", Noted, j.line, 0, "a task of a job that the job table does not list; it is left out"})
		}
	}
	rep.Issues = t.tally.sortedIssues()
	if t.tally.anyJob && t.about.zone != nil {
		rep.Facts.set("first_submit_local", weekday(t.tally.first, t.about.zone))
		rep.Facts.set("first_sunday_s", seconds(nextSunday(t.tally.first, t.about.zone)))
	}
	if len(e.unread) > 0 {
		rep.Facts.set("tables_not_read", e.unread)
	}
	if e.machines != nil {
		c := &ClusterReport{OutOfService: []OutOfService{}}
		models, gpus, with := counts{}, counts{}, int64(0)
		for _, n := range e.machines {
			c.Nodes++
			c.GPUs += int64(n.GPUs)
			models[n.Model]++
			gpus[n.Model] += int64(n.GPUs)
			if n.GPUs > 0 {
				with++
			}
		}
		c.Usable, rep.Cluster = c.GPUs, c
		rep.Facts.set("machines_by_type", models.table(false))
		rep.Facts.set("gpus_by_type", gpus.table(false))
		rep.Facts.set("machines_with_gpus", with)
	}
	if e.metrics != "" && t.opt.Inspect {
		use, err := t.readMetrics()
		if err != nil {
			rep.Facts.set("utilisation_error", strings.TrimSpace(err.Error()))
			return
		}
		rep.Facts.set("utilisation", use)
	}
}

// nextSunday is the first midnight between a Saturday and a Sunday from t on.
func nextSunday(t event.Time, z *zone) event.Time {
	const day, week = 86400, 7 * 86400
	unix := floorDiv(int64(t)+int64(event.Second)-1, int64(event.Second)) // rounded up
	wall := unix + z.offset(unix)
	sunday := int64(3 * day) // 1970-01-04
	wall = sunday + -floorDiv(-(wall-sunday), week)*week
	return z.local(wall, 0).at
}

// paiUse is how busy the GPUs of machines were.
type paiUse struct {
	Rows    int64        `json:"rows"`
	Known   int64        `json:"known"`
	Missing int64        `json:"missing"` // no value
	NoGPU   int64        `json:"no_gpu"`  // a machine without GPUs, or one that is not listed
	Mean    Decimal      `json:"mean_percent"`
	First   []paiMachine `json:"first"`
}

// paiMachine is one measurement; no percentage where there is nothing to divide.
type paiMachine struct {
	Worker  string  `json:"worker"`
	Machine string  `json:"machine"`
	GPUs    int     `json:"gpus"`
	Percent Decimal `json:"percent"`
}

// readMetrics turns percent of one GPU into percent of a machine's GPUs.
func (t *Trace) readMetrics() (*paiUse, error) {
	e := &t.env.pai
	gpus := map[string]int{}
	for _, m := range e.machines {
		gpus[m.Name] = m.GPUs
	}
	u := &paiUse{First: []paiMachine{}}
	sum := new(big.Rat)
	dir := strings.TrimSuffix(e.metrics, e.metrics[strings.LastIndexAny(e.metrics, `/\`)+1:])
	err := t.bareSide(dir, e.metrics, "pai_machine_metric", paiMetricColumns(), func(tb *table, col []int) {
		const worker, machine, gpu = 0, 1, 7
		u.Rows++
		if len(tb.fields) != len(tb.header) || tb.broken != "" || col[machine] < 0 || col[gpu] < 0 {
			u.Missing++
			return
		}
		m := paiMachine{Machine: clean(trim(tb.field(col[machine])))}
		if col[worker] >= 0 {
			m.Worker = clean(trim(tb.field(col[worker])))
		}
		m.GPUs = gpus[m.Machine]
		v, why := decimal(tb.field(col[gpu]), 6)
		switch {
		case m.GPUs == 0:
			u.NoGPU++
		case why != "" || v < 0 || v > math.MaxInt64/2:
			u.Missing++
		default:
			u.Known++
			part := big.NewRat(v, int64(m.GPUs)*1_000_000)
			sum.Add(sum, part)
			m.Percent = ratio(part.Num(), part.Denom(), 6)
		}
		if len(u.First) < samples {
			u.First = append(u.First, m)
		}
	})
	if u.Known > 0 {
		sum.Quo(sum, big.NewRat(u.Known, 1))
		u.Mean = ratio(sum.Num(), sum.Denom(), 6)
	}
	return u, err
}
