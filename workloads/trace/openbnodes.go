package trace

import (
	"io"
	"math"
)

// The openb-nodes format is the node list of the Alibaba GPU cluster trace of
// 2023: a table with the columns sn (the node's name), cpu_milli, memory_mib,
// gpu (whole GPUs) and model (empty on nodes without GPUs; G1, G2, G3 stand for
// models the publisher does not name).
//
// Reasons: too-few-fields, too-many-fields, damaged-line, missing,
// not-a-number, out-of-range, negative, bad-quantity, duplicate-id; noted:
// unknown-gpu (GPUs without a model), unknown-column; repaired: encoding.
func openbNodesFormat() Format {
	return Format{
		Name:     "openb-nodes",
		Doc:      "node list of the Alibaba 2023 GPU trace (openb_node_list_*.csv)",
		Nodes:    true,
		Sample:   "openb_node_list_gpu_node.csv",
		lacks:    []string{"from", "until", "shift", "scale"},
		names:    []string{"gpu_type"},
		open:     openOpenbNodes,
		describe: describeNodes,
	}
}

type openbNodesReader struct {
	*table
	env  *env
	col  [5]int
	head about
}

var openbNodeColumns = [...]string{"sn", "cpu_milli", "memory_mib", "gpu", "model"}

func openOpenbNodes(r io.Reader, e *env) (reader, error) {
	t, err := newTable(r)
	if err != nil {
		return nil, err
	}
	o := &openbNodesReader{table: t, env: e}
	used := map[int]bool{}
	for i, name := range openbNodeColumns {
		if o.col[i] = t.column(name); o.col[i] < 0 {
			return nil, noColumn(t, name)
		}
		used[o.col[i]] = true
	}
	o.head.has = fields{gpuType: true}
	o.head.notes = t.unknown(func(i int) bool { return used[i] })
	return o, nil
}

func (o *openbNodesReader) about() about { return o.head }

// fill implements reader.
func (o *openbNodesReader) fill(r *row) {
	if o.col[0] < len(o.fields) {
		r.id, r.idColumn = trim(o.field(o.col[0])), o.at(o.col[0])
	}
	if !o.well(r) {
		return
	}
	if len(r.id) == 0 {
		o.bad(r, o.col[0], "missing")
	}
	var v [3]int64
	for k := range v {
		i := o.col[k+1]
		n, why := whole(o.field(i))
		switch {
		case why != "":
		case n < 0:
			why = "negative"
		case n > math.MaxInt32:
			why = "out-of-range"
		}
		if why != "" {
			o.bad(r, i, why)
			return
		}
		v[k] = n
	}
	r.job.CPUMilli, r.job.Memory = v[0], v[1]<<20
	r.setGPUs(v[2])
	l := o.env.words.list(trim(o.field(o.col[4])))
	r.typesKey = l.key
	if v[2] > 0 && l.key == "" {
		r.note("unknown-gpu", o.at(o.col[4]), "node %s has %d GPUs of no stated model", clean(r.id), v[2])
	}
}

// node is the row as a node.
func (r *row) node() NodeRow {
	return NodeRow{Name: clean(r.id), CPUMilli: r.job.CPUMilli, Memory: r.job.Memory, GPUs: r.job.GPUs, Model: r.typesKey, Line: r.line}
}

// describeNodes turns the report of a list of nodes into one of a cluster.
func describeNodes(t *Trace, rep *Report) {
	rep.FirstSubmit, rep.LastSubmit, rep.SubmitSpan, rep.GPUSeconds = "", "", "", ""
	rep.JobsBy, rep.GPUSecondsBy = JobsBy{}, GPUSecondsBy{}
	var c ClusterReport
	models, gpus := counts{}, counts{}
	var cpus, memory wide
	for _, n := range t.nodes {
		c.Nodes++
		c.GPUs += int64(n.GPUs)
		cpus.add(uint64(n.CPUMilli), 1)
		memory.add(uint64(n.Memory), 1)
		models[n.Model]++
		gpus[n.Model] += int64(n.GPUs)
	}
	c.Usable, c.OutOfService = c.GPUs, []OutOfService{}
	rep.Cluster = &c
	rep.Facts.set("nodes_by_model", models.table(false))
	rep.Facts.set("gpus_by_model", gpus.table(false))
	rep.Facts.set("cpus", cpus.fixed(3))
	rep.Facts.set("memory_bytes", memory.fixed(0))
}
