package trace

import (
	"bytes"
	"fmt"
	"io"
	"math/big"

	"gpusim/sim/event"
)

// machineList is the file cluster_machine_list, and which GPUs of its machines
// the log uses.
type machineList struct {
	path  string
	nodes []NodeRow // Model is the memory of one GPU, as written
	byID  map[string]int
	use   map[string]*machineUse
}

// machineUse is the highest GPU number that the log uses on a machine.
type machineUse struct {
	highest int64
	job     string // the first job that used it
}

// side opens a file beside the log as a table.
func (t *Trace) side(path string, visit func(tb *table) error) error {
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
	return atFile(path, func() error {
		tb, err := newTable(s)
		if err != nil {
			return err
		}
		for {
			if err := tb.next(); err == io.EOF {
				in.lines, in.records = tb.in.n, tb.rows
				return s.finish()
			} else if err != nil {
				return err
			}
			if err := visit(tb); err != nil {
				return err
			}
		}
	}())
}

// read reads the list: machine, number of GPUs, memory of one.
func (m *machineList) read(t *Trace) error {
	m.byID = map[string]int{}
	return t.side(m.path, func(tb *table) error {
		if len(tb.fields) < 2 {
			return tb.errorAt(0, "a machine needs a name and a number of GPUs")
		}
		n, why := whole(tb.field(1))
		if why == "" && (n < 0 || n > 1024) {
			why = "out-of-range"
		}
		if why != "" {
			return tb.errorAt(tb.fields[1].start, fmt.Sprintf("number of GPUs is %s: %s", quoted(tb.field(1)), explain(why)))
		}
		node := NodeRow{Name: clean(trim(tb.field(0))), GPUs: int(n), Line: tb.lineNo}
		if len(tb.fields) > 2 {
			node.Model = clean(trim(tb.field(2)))
		}
		if _, twice := m.byID[node.Name]; twice {
			return tb.errorAt(tb.fields[0].start, fmt.Sprintf("machine %q stands twice in the list", node.Name))
		}
		m.byID[node.Name] = len(m.nodes)
		m.nodes = append(m.nodes, node)
		return nil
	})
}

// noteMachines remembers which GPUs a job used, in the first reading.
func (p *phillyReader) noteMachines(r *row) {
	m := p.env.philly.machines
	if m == nil || r.tally == nil {
		return
	}
	for _, g := range p.rec.gpus {
		if none(g.machine) {
			continue
		}
		n := int64(-1)
		if k, why := whole(bytes.TrimPrefix(g.gpu, []byte("gpu"))); why == "" {
			n = k
		}
		u := m.use[string(g.machine)]
		if u == nil {
			u = &machineUse{highest: -1, job: clean(r.id)}
			m.use[clean(g.machine)] = u
		}
		if n > u.highest {
			u.highest, u.job = n, clean(r.id)
		}
	}
}

// describe adds the cluster, and where the log disagrees with it.
func (m *machineList) describe(t *Trace, rep *Report) {
	c := &ClusterReport{OutOfService: []OutOfService{}}
	memory := counts{}
	for _, n := range m.nodes {
		c.Nodes++
		c.GPUs += int64(n.GPUs)
		memory[n.Model] += int64(n.GPUs)
	}
	c.Usable = c.GPUs
	rep.Cluster = c
	rep.OfferedLoad = rep.loadOf(c.Usable, nil)
	rep.Facts.set("gpus_by_memory", memory.table(false))
	for _, name := range sortedKeys(m.use) {
		u := m.use[name]
		i, listed := m.byID[name]
		switch {
		case !listed:
			t.tally.issue(m.path, u.job, rowIssue{reason: "unknown-node", action: Noted, message: fmt.Sprintf("machine %s is used by jobs and not in the list", name)})
		case u.highest >= int64(m.nodes[i].GPUs):
			t.tally.issue(m.path, u.job, rowIssue{reason: "unknown-gpu", action: Noted, line: m.nodes[i].Line, message: fmt.Sprintf("machine %s is listed with %d GPUs, and a job uses its gpu%d", name, m.nodes[i].GPUs, u.highest)})
		}
	}
	rep.Issues = t.tally.sortedIssues()
}

// utilisation is what the file cluster_gpu_util says: a row a machine and
// minute with the utilisation of each GPU in percent.
type utilisation struct {
	Rows     int64            `json:"rows"`
	Readings int64            `json:"readings"`
	Missing  int64            `json:"missing"` // NA
	Mean     Decimal          `json:"mean"`    // over all readings
	First    Decimal          `json:"first_s"`
	Last     Decimal          `json:"last_s"`
	Sample   []utilisationRow `json:"first_rows"`
}

type utilisationRow struct {
	Time    Decimal `json:"time_s"`
	Machine string  `json:"machine"`
	GPUs    int64   `json:"gpus"` // with a reading
	Mean    Decimal `json:"mean"`
}

// readUtilisation reads the file. Its rows end in a comma that the header does
// not have; its times carry PDT or PST.
func readUtilisation(t *Trace, path string) (*utilisation, error) {
	clock, _, err := phillyClock(t.opt.Timezone)
	if err != nil {
		return nil, err
	}
	u := &utilisation{Sample: []utilisationRow{}}
	var total wide
	var first, last event.Time
	err = t.side(path, func(tb *table) error {
		if len(tb.fields) < 2 {
			return tb.errorAt(0, "a row needs a time and a machine")
		}
		at, ok := utilisationTime(clock, trim(tb.field(0)))
		if !ok {
			return tb.errorAt(tb.fields[0].start, quoted(tb.field(0))+" is not a time such as 2017-10-03 00:08:00 PDT")
		}
		var sum wide
		var n int64
		for i := 2; i < len(tb.fields); i++ {
			b := trim(tb.field(i))
			if len(b) == 0 {
				continue
			}
			if string(b) == "NA" {
				u.Missing++
				continue
			}
			v, why := decimal(b, 9)
			if why == "" && v < 0 {
				why = "negative"
			}
			if why != "" {
				return tb.errorAt(tb.fields[i].start, quoted(b)+": "+explain(why))
			}
			sum.add(uint64(v), 1)
			n++
		}
		if u.Rows == 0 || at < first {
			first = at
		}
		if u.Rows == 0 || at > last {
			last = at
		}
		u.Rows++
		u.Readings += n
		total.plus(sum)
		if len(u.Sample) < samples {
			u.Sample = append(u.Sample, utilisationRow{seconds(at), clean(trim(tb.field(1))), n, mean9(sum, n)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	u.Mean = mean9(total, u.Readings)
	if u.Rows > 0 {
		u.First, u.Last = seconds(first), seconds(last)
	}
	return u, nil
}

// mean9 is the mean of n numbers whose sum is in 10^-9.
func mean9(sum wide, n int64) Decimal {
	return ratio(sum.big(), new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000)), 6)
}

// utilisationTime reads a time with the abbreviation of its zone behind it.
func utilisationTime(clock *clockFormat, b []byte) (event.Time, bool) {
	if len(b) > 20 && b[19] == ' ' {
		wall, nanos, ok := plainStamp(b[:19])
		hours, known := map[string]int64{"PDT": 7, "PST": 8, "UTC": 0, "GMT": 0}[string(b[20:])]
		if !ok || !known || wall < firstUnix || wall > lastUnix {
			return 0, false
		}
		return oneStamp(wall+hours*3600, nanos).at, true
	}
	s, why := clock.read(b)
	return s.at, why == ""
}
