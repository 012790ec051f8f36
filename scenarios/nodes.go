package scenarios

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gpusim/hardware/catalogue"
	"gpusim/hardware/units"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/workloads"
	"gpusim/workloads/document"
	"gpusim/workloads/trace"
)

// Bounds of a cluster, so that a slip of a key does not fill memory.
const (
	maxNodes       = 10_000_000
	maxClusterGPUs = 1_000_000_000
)

// buildCluster turns the cluster part into a spec.
func (s *Scenario) buildCluster(cat *catalogue.Catalogue) {
	c := &s.Doc.Cluster
	n := c.Node
	switch {
	case c.Trace != nil && c.Nodes != nil:
		s.fail(n.Errorf("cluster has both nodes and trace; give one"))
	case c.Trace != nil:
		s.nodesFromTrace(c.Trace)
	case c.Nodes == nil:
		s.fail(n.Errorf("cluster.nodes is missing: list the nodes, or name a trace of them"))
	}
	known := map[string]bool{}
	for i := range c.Nodes {
		s.node(i, &c.Nodes[i], cat, known)
	}
	for i := range s.Spec.Nodes {
		if len(c.Nodes) == 0 {
			known[s.Spec.Nodes[i].Name] = true
		}
	}
	s.nodeSets()
}

func (s *Scenario) node(i int, e *Node, cat *catalogue.Catalogue, known map[string]bool) {
	if e.Node == nil {
		return // no mapping: Decode has said so
	}
	at := fmt.Sprintf("cluster.nodes[%d]", i)
	spec := cluster.NodeSpec{GPU: e.GPU, CPUMilli: cluster.Uncounted, Memory: cluster.Uncounted, Rack: e.Rack, Labels: labels(e.Labels)}
	gpus := -1
	if e.Type != "" {
		t, ok := cat.NodeType(e.Type)
		if !ok {
			var names []string
			for _, x := range cat.NodeTypes() {
				names = append(names, x.Name)
			}
			s.fail(e.Node.At("type").Errorf("%s", document.Unknown("node type", e.Type, e.Type, names)))
			return
		}
		if spec.GPU == "" {
			spec.GPU = t.GPU
		}
		gpus, spec.CPUMilli, spec.Memory = t.GPUs, t.CPUMilli, t.Memory
	}
	if spec.GPU != "" && e.GPU != "" {
		if g, ok := cat.GPU(e.GPU); ok {
			spec.GPU = g.ID
		} else {
			near := ""
			if n := cat.Nearest(e.GPU); n != "" {
				near = "; did you mean " + n + "?"
			}
			s.warn("%s: GPU type %s is not in the catalogue, so nothing is known of it but its name%s", at, e.GPU, near)
		}
	}
	if e.GPUs != nil {
		gpus = *e.GPUs
	}
	if e.CPUs != nil {
		spec.CPUMilli = int64(*e.CPUs)
	}
	if e.Memory != nil {
		spec.Memory = int64(*e.Memory)
	}
	name := e.Name
	if name == "" {
		name = e.Type
	}
	switch {
	case name == "":
		s.fail(e.Node.Errorf("%s.name is missing", at))
		return
	case strings.ContainsAny(name, " \t\n,;:"):
		s.fail(e.Node.At("name").Errorf("%s.name %q has a blank, comma, colon or semicolon in it", at, name))
		return
	case gpus < 0 && e.GPUs == nil:
		s.fail(e.Node.Errorf("%s.gpus is missing (0 for a node without GPUs)", at))
		return
	case gpus < 0:
		s.fail(e.Node.At("gpus").Errorf("%s.gpus must not be negative", at))
		return
	case gpus > 1_000_000:
		s.fail(e.Node.At("gpus").Errorf("%s.gpus: %d GPUs on one node", at, gpus))
		return
	}
	spec.GPUs = gpus
	if spec.GPU == "" && gpus > 0 {
		spec.GPU = "GPU" // a type nobody named
	}
	add := func(name string) {
		if known[name] {
			s.fail(e.Node.At("name").Errorf("two nodes are named %s", name))
			return
		}
		known[name] = true
		spec.Name = name
		s.Spec.Nodes = append(s.Spec.Nodes, spec)
	}
	nodes := 1
	if e.Count != nil {
		nodes = *e.Count
	}
	if nodes > 0 && (len(s.Spec.Nodes)+min(nodes, maxNodes) > maxNodes || gpus > 0 && nodes <= maxNodes && nodes > (maxClusterGPUs-s.gpus)/gpus) {
		s.fail(e.Node.Errorf("%s: the cluster grows beyond %d nodes or %d GPUs", at, maxNodes, maxClusterGPUs))
		return
	}
	s.gpus += max(nodes, 0) * gpus
	if e.Count == nil {
		add(name)
		return
	}
	if *e.Count < 0 || *e.Count > maxNodes {
		s.fail(e.Node.At("count").Errorf("%s.count must be 0 to %d, not %d", at, maxNodes, *e.Count))
		return
	}
	for k := 0; k < *e.Count; k++ {
		add(fmt.Sprintf("%s-%d", name, k))
	}
}

func labels(m map[string]string) []workloads.Label {
	var ls []workloads.Label
	for k, v := range m {
		ls = append(ls, workloads.Label{Key: k, Value: v})
	}
	sort.Slice(ls, func(i, j int) bool { return ls[i].Key < ls[j].Key })
	return ls
}

func (s *Scenario) nodesFromTrace(e *Trace) {
	t := s.open(e)
	if t == nil {
		return
	}
	rows, err := t.Nodes()
	if err != nil {
		s.fail(e.Node.At("format").Errorf("%v", err))
		return
	}
	for _, r := range rows {
		gpu := r.Model
		if gpu == "" && r.GPUs > 0 {
			gpu = "GPU"
		}
		s.Spec.Nodes = append(s.Spec.Nodes, cluster.NodeSpec{Name: r.Name, GPU: gpu, GPUs: r.GPUs, CPUMilli: r.CPUMilli, Memory: r.Memory})
	}
}

// open reads a trace, makes its paths absolute and checks their hashes.
func (s *Scenario) open(e *Trace) *trace.Trace {
	if e.Node == nil {
		return nil // no mapping: Decode has said so
	}
	for i, p := range e.Path {
		e.Path[i] = s.path(p)
	}
	t, err := trace.Open(e.Format, e.Path, e.Options)
	if err != nil {
		s.failAll(e.Node, err)
		return nil
	}
	var sums Strings
	for _, f := range t.Report().Files {
		sums = append(sums, f.SHA256)
	}
	if len(e.SHA256) > 0 && !slices.Equal(e.SHA256, sums) {
		s.fail(e.Node.At("sha256").Errorf("the files of %s have changed since this scenario was written: sha256 %s, now %s", strings.Join(e.Path, ", "), strings.Join(e.SHA256, " "), strings.Join(sums, " ")))
		return nil
	}
	e.SHA256 = sums
	if e.Shift == "" {
		e.Shift = "zero"
	}
	for _, is := range t.Report().Issues {
		s.SetAside = append(s.SetAside, SetAside{Reason: is.Reason, Action: string(is.Action), Count: uint64(is.Count)})
	}
	return t
}

// partitions and reservations name nodes.
func (s *Scenario) nodeSets() {
	c := &s.Doc.Cluster
	if len(c.Partitions) == 0 && len(c.Reservations) == 0 {
		return
	}
	index := make(map[string]int, len(s.Spec.Nodes))
	for i := range s.Spec.Nodes {
		index[s.Spec.Nodes[i].Name] = i
	}
	if len(c.Partitions) > 0 {
		for _, k := range c.Node.Get("partitions").Keys {
			s.partition(k, index)
		}
	}
	for i := range c.Reservations {
		s.reservation(i, index)
	}
}

// named returns the positions of nodes given by names and ranges, sorted.
func (s *Scenario) named(what string, at *document.Node, names []string, index map[string]int) []int {
	var nodes []int
	if names != nil && len(names) == 0 {
		s.fail(at.Errorf("%s: nodes is empty; name a node", what))
	}
	for _, name := range names {
		from, to, ranged := strings.Cut(name, "..")
		if !ranged {
			to = from
		}
		a, okA := index[from]
		b, okB := index[to]
		if !okA || !okB || b < a {
			s.fail(at.Errorf("%s: %q names no node, or no range of nodes in the order of the file", what, name))
			continue
		}
		for ; a <= b; a++ {
			nodes = append(nodes, a)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

func (s *Scenario) partition(k *document.Node, index map[string]int) {
	p := s.Doc.Cluster.Partitions[k.Text]
	if p.Node == nil {
		return // no mapping: Decode has said so
	}
	part := cluster.Partition{Name: k.Text}
	if (p.Nodes == nil) == (p.Labels == nil) {
		s.fail(k.Errorf("partition %s needs nodes or labels, one of them", k.Text))
		return
	}
	part.Nodes = s.named("partition "+k.Text, p.Node.At("nodes"), p.Nodes, index)
	if p.Labels != nil {
		want := labels(p.Labels)
		if len(want) == 0 {
			s.fail(p.Node.At("labels").Errorf("partition %s: labels is empty; name a label", k.Text))
		}
		for i := range s.Spec.Nodes {
			if carries(s.Spec.Nodes[i].Labels, want) {
				part.Nodes = append(part.Nodes, i)
			}
		}
		if len(part.Nodes) == 0 {
			s.fail(p.Node.At("labels").Errorf("partition %s: no node carries these labels", k.Text))
		}
	}
	s.Spec.Partitions = append(s.Spec.Partitions, part)
}

func (s *Scenario) reservation(i int, index map[string]int) {
	e := &s.Doc.Cluster.Reservations[i]
	if e.Node == nil {
		return // no mapping: Decode has said so
	}
	what := fmt.Sprintf("cluster.reservations[%d]", i)
	v := cluster.Reservation{Name: e.Name, Start: duration(e.Start, 0), End: duration(e.End, 0), Tenants: e.Tenants}
	if e.Start != nil && e.End != nil && v.End <= v.Start {
		s.fail(e.Node.At("end").Errorf("%s.end must come after its start", what))
	}
	if v.End >= sim.Forever {
		s.fail(e.Node.At("end").Errorf("times beyond 73 years are not simulated"))
	}
	v.Nodes = s.named(what, e.Node.At("nodes"), e.Nodes, index)
	s.Spec.Reservations = append(s.Spec.Reservations, v)
}

func carries(have, want []workloads.Label) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}

// milli is a number of cores, 0 where absent.
func milli(c *units.Cores) int64 {
	if c == nil {
		return 0
	}
	return int64(*c)
}
