package scenarios

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"gpusim/hardware/units"
	"gpusim/sim"
	"gpusim/sim/event"
	"gpusim/workloads"
	"gpusim/workloads/document"
)

// maxGPUs bounds a job, so that a slip of a key does not overflow.
const maxGPUs = 100_000_000

// list is a source of jobs in memory.
type list struct {
	jobs []*workloads.Job
	i    int
}

func (l *list) Next() (*workloads.Job, error) {
	if l.i == len(l.jobs) {
		return nil, io.EOF
	}
	l.i++
	return l.jobs[l.i-1], nil
}

// buildJobs turns the workload part into jobs.
func (s *Scenario) buildJobs() {
	w := &s.Doc.Workload
	switch {
	case w.Trace != nil && w.Jobs != nil:
		s.fail(w.Node.Errorf("workload has both jobs and trace; give one"))
	case w.Trace != nil:
		s.Trace = s.open(w.Trace)
		if s.Trace != nil {
			if _, err := s.Trace.Jobs(); err != nil {
				s.fail(w.Trace.Node.At("format").Errorf("%v", err))
			}
		}
	case w.Jobs == nil:
		s.fail(w.Node.Errorf("workload.jobs is missing: list the jobs, or name a trace"))
	}
	ids := map[string]*document.Node{}
	s.References = map[string]int{}
	counts := map[string]int{} // jobs that carry an id
	for i := range w.Jobs {
		s.job(i, &w.Jobs[i], ids, counts)
	}
	s.dependencies(counts)
	sort.SliceStable(s.Jobs, func(i, j int) bool { return s.Jobs[i].Submit < s.Jobs[j].Submit })
}

func (s *Scenario) job(i int, e *Job, ids map[string]*document.Node, counts map[string]int) {
	if e.Node == nil {
		return // no mapping: Decode has said so
	}
	at := fmt.Sprintf("workload.jobs[%d]", i)
	fail := func(key, format string, args ...any) {
		s.fail(e.Node.At(key).Errorf("%s (job %s): %s", at, e.ID, fmt.Sprintf(format, args...)))
	}
	if e.ID == "" || strings.ContainsAny(e.ID, " \t\n") {
		fail("id", "an id is a text without blanks")
	}
	known := func(id string) bool {
		if first, ok := ids[id]; ok {
			fail("id", "id %s is already used in line %d", id, first.Line)
			return true
		}
		ids[id] = e.Node
		return false
	}
	j := workloads.Job{ID: e.ID, Name: e.Name, User: e.User, Tenant: e.Tenant, Queue: e.Queue, Partition: e.Partition, Kind: e.Kind,
		Submit: event.Time(e.Submit), Share: 1000, Priority: e.Priority, CPUMilli: milli(e.CPUs),
		NodeSelector: labels(e.Selector), DependsOn: e.DependsOn}
	if e.Duration != nil {
		j.Duration = event.Time(*e.Duration)
	}
	if j.Duration >= sim.Forever || j.Submit >= sim.Forever {
		fail("duration", "times beyond 73 years are not simulated")
	}
	if e.Memory != nil {
		j.Memory = int64(*e.Memory)
	}
	s.jobShape(e, &j, fail)
	for _, g := range e.GPUType {
		j.GPUTypes = append(j.GPUTypes, s.typeName(g))
	}
	if e.TimeLimit != nil {
		j.HasLimit, j.TimeLimit = true, event.Time(*e.TimeLimit)
	}
	if e.Deadline != nil {
		j.HasDeadline, j.Deadline = true, event.Time(*e.Deadline)
	}
	if e.Partition != "" && !slices.ContainsFunc(s.Doc.partitionNames(), func(n string) bool { return n == e.Partition }) {
		fail("partition", "%s", document.Unknown("partition", e.Partition, e.Partition, s.Doc.partitionNames()))
	}
	if c := e.Checkpoint; c != nil {
		if s.Doc.Policy.Preemption.Name != "checkpoint" {
			fail("checkpoint", "checkpoint does nothing with preemption %s; set policy.preemption to checkpoint or remove it", orNone(s.Doc.Policy.Preemption.Name))
		}
		j.Checkpoint = &workloads.Checkpoint{Interval: event.Time(c.Interval), Cost: event.Time(c.Cost), Restart: event.Time(c.Restart)}
	}
	if o := e.Outcome; o != nil {
		if o.Fail != nil {
			j.Outcome, j.OutcomeAfter = workloads.OutcomeFail, event.Time(*o.Fail)
		}
		if o.Cancel != nil {
			j.Outcome, j.OutcomeAfter = workloads.OutcomeCancel, event.Time(*o.Cancel)
		}
	}
	if e.Array == "" {
		if e.Node.Get("array") != nil {
			fail("array", "array is empty; write it like 0-3, or leave it out")
		}
		if !known(e.ID) {
			counts[e.ID]++
			s.Jobs = append(s.Jobs, &j)
		}
		return
	}
	elements, throttle, err := arrayElements(e.Array)
	if err != nil {
		fail("array", "%v", err)
		return
	}
	if known(e.ID) {
		return
	}
	counts[e.ID] = len(elements)
	for _, n := range elements {
		el := j
		el.ID = fmt.Sprintf("%s_%d", e.ID, n)
		el.Array, el.Throttle = e.ID, throttle
		if !known(el.ID) {
			counts[el.ID]++
			s.Jobs = append(s.Jobs, &el)
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// jobShape fills in GPUs and shape, whose keys may imply each other.
func (s *Scenario) jobShape(e *Job, j *workloads.Job, fail func(key, format string, args ...any)) {
	positive := func(key string, v *int) int {
		if v == nil {
			return 0
		}
		if *v < 1 {
			fail(key, "%s must be 1 or more, not %d", key, *v)
			return 0
		}
		return *v
	}
	j.GPUsPerNode, j.Nodes, j.MaxNodes = positive("gpus_per_node", e.GPUsPerNode), positive("nodes", e.Nodes), positive("max_nodes", e.MaxNodes)
	switch {
	case e.GPUFraction != nil:
		if e.GPUs != nil && *e.GPUs != 1 {
			fail("gpu_fraction", "gpu_fraction is a share of one GPU; gpus says %d", *e.GPUs)
		}
		if j.GPUsPerNode > 1 || j.Nodes > 1 {
			fail("gpu_fraction", "a share of one GPU has no shape")
		}
		j.GPUs, j.Share = 1, int(*e.GPUFraction)
		j.GPUsPerNode, j.Nodes, j.MaxNodes = 0, 0, 0
		return
	case e.GPUs != nil:
		j.GPUs = *e.GPUs
	case j.GPUsPerNode > 0 && j.Nodes > 0:
		if j.GPUs = maxGPUs + 1; j.Nodes <= maxGPUs/j.GPUsPerNode {
			j.GPUs = j.GPUsPerNode * j.Nodes
		}
	default:
		fail("gpus", "gpus is missing (0 for a CPU job)")
		return
	}
	switch {
	case j.GPUs > maxGPUs && e.GPUs == nil:
		fail("gpus_per_node", "%d nodes of %d GPUs are more than 100,000,000 GPUs", j.Nodes, j.GPUsPerNode)
		j.GPUs = 0
	case j.GPUs < 0 || j.GPUs > maxGPUs:
		fail("gpus", "gpus must be 0 to 100,000,000, not %d", j.GPUs)
		j.GPUs = 0
	case j.GPUsPerNode > 0 && j.Nodes > 0 && (j.GPUs%j.Nodes != 0 || j.GPUs/j.Nodes != j.GPUsPerNode):
		fail("gpus_per_node", "%d nodes of %d GPUs are not %d GPUs", j.Nodes, j.GPUsPerNode, j.GPUs)
	case j.GPUsPerNode > 0 && j.GPUs%j.GPUsPerNode != 0:
		fail("gpus_per_node", "%d GPUs do not divide into nodes of %d", j.GPUs, j.GPUsPerNode)
	case j.Nodes > 0 && j.GPUs%j.Nodes != 0:
		fail("nodes", "%d GPUs do not divide evenly over %d nodes", j.GPUs, j.Nodes)
	case j.MaxNodes > 0 && j.Nodes > j.MaxNodes:
		fail("max_nodes", "nodes is %d, more than max_nodes %d", j.Nodes, j.MaxNodes)
	case j.GPUs == 0 && (j.GPUsPerNode > 0 || j.Nodes > 1):
		fail("gpus", "a CPU job (gpus: 0) sits on one node")
	}
	if j.Nodes > 0 || j.GPUsPerNode > 0 {
		j.MaxNodes = 0 // implied
	}
}

// typeName is the catalogue's name of a GPU type, or the name as it is.
func (s *Scenario) typeName(g string) string {
	if x, ok := s.cat.GPU(g); ok {
		return x.ID
	}
	return g
}

// dependencies checks depends_on: known ids, no circles.
func (s *Scenario) dependencies(counts map[string]int) {
	edges := map[string][]string{}
	var ids []string
	unknown := 0
	for i := range s.Doc.Workload.Jobs {
		e := &s.Doc.Workload.Jobs[i]
		for _, d := range e.DependsOn {
			if counts[d] == 0 {
				msg := fmt.Sprintf("workload.jobs[%d] (job %s): depends_on names %q, and no job has that id", i, e.ID, d)
				if unknown++; unknown <= 20 && len(counts) < 10_000 { // the search takes long
					if ids == nil {
						ids = slices.Sorted(maps.Keys(counts))
					}
					if near := document.Nearest(d, ids); near != "" {
						msg += "; did you mean " + near + "?"
					}
				}
				s.fail(e.Node.At("depends_on").Errorf("%s", msg))
				continue
			}
			s.References[d] = counts[d]
			edges[e.ID] = append(edges[e.ID], d)
			if base, _, ok := cutElement(d, counts); ok {
				edges[e.ID] = append(edges[e.ID], base)
			}
		}
	}
	state := map[string]int{} // 1 open, 2 done
	var visit func(id string) bool
	visit = func(id string) bool {
		if state[id] == 1 {
			return false
		}
		if state[id] == 2 {
			return true
		}
		state[id] = 1
		for _, d := range edges[id] {
			if !visit(d) {
				return false
			}
		}
		state[id] = 2
		return true
	}
	for i := range s.Doc.Workload.Jobs {
		e := &s.Doc.Workload.Jobs[i]
		if !visit(e.ID) {
			s.fail(e.Node.At("depends_on").Errorf("workload.jobs[%d] (job %s): the dependencies run in a circle", i, e.ID))
			return
		}
	}
}

// cutElement finds the array of an element's id.
func cutElement(id string, counts map[string]int) (array, element string, ok bool) {
	i := strings.LastIndexByte(id, '_')
	if i < 0 || counts[id[:i]] == 0 {
		return "", "", false
	}
	return id[:i], id[i+1:], true
}

func (d *Document) partitionNames() []string {
	var names []string
	for n := range d.Cluster.Partitions {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// duration is an optional length of time, or a default.
func duration(d *units.Duration, otherwise event.Time) event.Time {
	if d == nil {
		return otherwise
	}
	return event.Time(*d)
}
