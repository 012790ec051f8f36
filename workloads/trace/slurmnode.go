package trace

import (
	"fmt"
	"math"
	"strings"

	"gpusim/sim/event"
)

// fill implements reader.
func (s *slurmConfReader) fill(r *row) {
	n := &s.nodes[s.i-1]
	r.id = []byte(n.name)
	if n.bad != "" {
		r.reject("bad-quantity", 1, "NodeName: %s", n.bad)
		return
	}
	if n.first > 0 {
		r.reject("duplicate-id", 1, "node %s is on line %d already; the first is kept", n.name, n.first)
		return
	}
	r.job.CPUMilli = s.cpus(r, n) * 1000
	r.job.Memory = s.number(r, n, "realmemory", 0) << 20
	configured, err := ParseGRES(n.config["gres"])
	if err != nil {
		r.reject("bad-quantity", 0, "Gres: %s", err)
		return
	}
	r.setGPUs(configured.GPUs)
	if r.slices, r.hasSlices = configured.Slices, configured.Known; r.slices > 0 {
		r.note("mig-slices", 0, "node %s has %d MIG instances, which are no GPUs; it is a node without them", n.name, r.slices)
	}
	if r.fate != "" {
		return
	}
	found, known := s.env.slurm.gres.found(n.name, configured)
	models := configured.Models
	if known && len(models) == 0 {
		models = found.Models
	}
	s.fillModel(r, n, models)
	if r.tally != nil {
		s.env.slurm.nodes++
		s.env.slurm.gpus += configured.GPUs
	}
	if reason := outState(n.state); reason != "" {
		s.outOfService(r, n, reason, configured.GPUs, found.GPUs, known)
		return
	}
	switch {
	case configured.GPUs == 0:
	case !known:
		r.note("gres-unknown", 0, "node %s: nothing says which GPUs it finds; the %d that are configured count", n.name, configured.GPUs)
	case short(configured, found):
		s.outOfService(r, n, fmt.Sprintf("gres/gpu: %d found where %d are configured", found.GPUs, configured.GPUs), configured.GPUs, found.GPUs, true)
	case found.GPUs > configured.GPUs:
		r.note("gres-mismatch", 0, "node %s finds %d GPUs where %d are configured; those that are configured count", n.name, found.GPUs, configured.GPUs)
	}
}

// short says whether a node finds fewer GPUs than it is meant to have.
func short(configured, found Resources) bool {
	if found.GPUs < configured.GPUs {
		return true
	}
	if len(configured.Models) == 0 || len(found.Models) == 0 {
		return false
	}
	for _, m := range configured.Models {
		var n int64
		for _, f := range found.Models {
			if strings.EqualFold(f.Model, m.Model) {
				n += f.Count
			}
		}
		if n < m.Count {
			return true
		}
	}
	return false
}

// outState is why a State of slurm.conf takes a node out of service.
func outState(state string) string {
	for _, word := range []string{"DOWN", "DRAIN", "FAIL", "FUTURE"} {
		if strings.HasPrefix(strings.ToUpper(state), word) {
			return "State=" + strings.ToUpper(state)
		}
	}
	return ""
}

// outOfService sets a node aside.
func (s *slurmConfReader) outOfService(r *row, n *slurmNode, reason string, configured, found int64, known bool) {
	o := OutOfService{Node: n.name, Reason: reason, Configured: &configured}
	if known {
		o.Found = &found
	}
	if r.tally != nil {
		s.env.slurm.out = append(s.env.slurm.out, o)
	}
	r.skip("out-of-service", "node %s: %s", n.name, reason)
}

// number reads a number of a node's line.
func (s *slurmConfReader) number(r *row, n *slurmNode, key string, otherwise int64) int64 {
	text, given := n.config[key]
	if !given {
		return otherwise
	}
	v, why := whole([]byte(text))
	switch {
	case why != "":
	case v < 0:
		why = "negative"
	case v > math.MaxInt32:
		why = "out-of-range"
	}
	if why != "" {
		r.reject(why, 0, "%s of node %s is %s: %s", key, n.name, quoted([]byte(text)), explain(why))
		return otherwise
	}
	return v
}

// cpus is how many CPUs a node has.
func (s *slurmConfReader) cpus(r *row, n *slurmNode) int64 {
	if v := s.number(r, n, "cpus", s.number(r, n, "procs", 0)); v > 0 {
		return v
	}
	product := int64(1)
	any := false
	for _, key := range []string{"boards", "sockets", "socketsperboard", "corespersocket", "threadspercore"} {
		v := s.number(r, n, key, 1)
		_, given := n.config[key]
		any = any || given
		if v > 0 && product > math.MaxInt32/v {
			r.reject("out-of-range", 0, "the CPUs of node %s are more than counts can hold", n.name)
			return 0
		}
		product *= v
	}
	if !any {
		return 0
	}
	return product
}

// fillModel names the model of the node's GPUs.
func (s *slurmConfReader) fillModel(r *row, n *slurmNode, models []ModelCount) {
	if r.job.GPUs == 0 {
		return
	}
	if len(models) != 1 {
		what := "no stated type"
		if len(models) > 1 {
			what = fmt.Sprintf("%d types", len(models))
		}
		r.note("unknown-gpu", 0, "node %s has %d GPUs of %s", n.name, r.job.GPUs, what)
	}
	var names []string
	for _, m := range models {
		names = append(names, m.Model)
	}
	l := s.env.words.list([]byte(strings.Join(names, "|")))
	r.typesKey = l.key
}

// slurmPartition is a partition, for the report.
type slurmPartition struct {
	Name    string  `json:"name"`
	Nodes   string  `json:"nodes"`
	Default bool    `json:"default"`
	MaxTime Decimal `json:"max_time_s"` // null: no limit
	State   string  `json:"state"`
	Billing Facts   `json:"billing_weights"`

	list []string
	line int64
}

// newSlurmPartition reads a PartitionName line.
func newSlurmPartition(l *confLine, odd func(*confLine, string)) slurmPartition {
	p := slurmPartition{line: l.line, State: "UP"}
	for _, w := range l.words {
		switch strings.ToLower(w.key) {
		case "partitionname":
			p.Name = w.value
		case "nodes":
			p.Nodes = w.value
			list, err := expandHosts(w.value)
			if err != nil {
				odd(l, err.Error()+": this")
			}
			p.list = list
		case "default":
			p.Default = strings.EqualFold(w.value, "YES")
		case "state":
			p.State = strings.ToUpper(w.value)
		case "maxtime":
			d, known, why := slurmLength([]byte(w.value), event.Minute)
			if why != "" {
				odd(l, fmt.Sprintf("MaxTime %q, which is no length of time,", w.value))
			} else if known {
				p.MaxTime = seconds(d)
			}
		case "tresbillingweights":
			for _, part := range splitResources(w.value) {
				name, weight, _ := strings.Cut(part, "=")
				p.Billing.set(strings.TrimSpace(name), strings.TrimSpace(weight))
			}
		case "defaulttime", "priorityjobfactor", "prioritytier", "maxnodes", "minnodes", "oversubscribe", "qos", "allowgroups", "allowaccounts", "allowqos",
			"denyaccounts", "denyqos", "gracetime", "preemptmode", "defmempercpu", "defmempernode", "maxmempercpu", "maxmempernode", "defcpupergpu", "defmempergpu", "hidden":
		default:
			odd(l, fmt.Sprintf("key %q of a partition", w.key+w.value))
		}
	}
	return p
}

// unknownNodes notes names that no NodeName line defines.
func (s *slurmConfReader) unknownNodes(partitions []slurmPartition, down map[string]string, known map[string]bool) {
	say := func(line int64, name, who string) {
		s.head.notes = append(s.head.notes, note{"unknown-node", line, 0, fmt.Sprintf("%s names node %s, which no NodeName line defines", who, name)})
	}
	for _, p := range partitions {
		for _, n := range p.list {
			if !known[n] && n != "ALL" {
				say(p.line, n, "partition "+p.Name)
			}
		}
	}
	for _, n := range sortedKeys(down) {
		if !known[n] {
			say(0, n, "DownNodes")
		}
	}
	if g := s.env.slurm.gres; g != nil {
		for _, n := range sortedKeys(g.byNode) {
			if !known[n] {
				say(0, n, g.path)
			}
		}
	}
}

// describeSlurmConf turns the report into one of a cluster.
func describeSlurmConf(t *Trace, rep *Report) {
	describeNodes(t, rep)
	e := t.env.slurm
	rep.Cluster.Usable = rep.Cluster.GPUs
	rep.Cluster.Nodes, rep.Cluster.GPUs = e.nodes, e.gpus
	rep.Cluster.OutOfService = append(rep.Cluster.OutOfService, e.out...)
	for _, f := range e.facts {
		rep.Facts.set(f.Key, f.Value)
	}
	rep.Facts.set("partitions", append([]slurmPartition{}, e.partitions...))
	for _, p := range e.partitions {
		if len(p.Billing) > 0 {
			rep.Facts.set("billing_rule", billingRule(e.facts))
			break
		}
	}
}

// billingRule is how the weights of resources make a bill.
func billingRule(facts Facts) string {
	for _, f := range facts {
		if text, ok := f.Value.(string); ok && f.Key == "priorityflags" && strings.Contains(strings.ToUpper(text), "MAX_TRES") {
			return "max"
		}
	}
	return "sum"
}
