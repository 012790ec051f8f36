package trace

import (
	"fmt"
	"math/big"
	"strings"

	"gpusim/workloads"
)

// Cluster is a park of machines that a trace is held against, in the plainest
// words; the caller fills it from a scenario.
type Cluster struct {
	Nodes        []Node
	OutOfService []OutOfService
}

// Node is one machine.
type Node struct {
	Name     string
	GPUs     int
	GPUType  string
	CPUMilli int64 // thousandths of a core; 0 = not counted
	Memory   int64 // bytes; 0 = not counted
}

// OutOfService is a node that jobs cannot use, and the GPUs it was meant to
// have and has.
type OutOfService struct {
	Node       string `json:"node"`
	Reason     string `json:"reason"`
	Configured *int64 `json:"configured"`
	Found      *int64 `json:"found"`
}

// ClusterReport is the part of a Report about machines.
type ClusterReport struct {
	Nodes        int64          `json:"nodes"`
	GPUs         int64          `json:"gpus"`
	Usable       int64          `json:"usable_gpus"`
	OutOfService []OutOfService `json:"out_of_service"`
}

// typeLoad is the GPU time of the jobs that accept one list of types.
type typeLoad struct {
	types string
	gpu   wide
}

// out says whether a node is out of service.
func (c *Cluster) out(name string) bool {
	for _, o := range c.OutOfService {
		if o.Node == name {
			return true
		}
	}
	return false
}

// WithCluster fills in the cluster and the offered load: GPU time divided by
// the time of the usable GPUs over the span of submissions; for jobs that name
// GPU types, also over the GPUs of those types.
func (r *Report) WithCluster(c Cluster) {
	rep := &ClusterReport{Nodes: int64(len(c.Nodes)), OutOfService: append([]OutOfService{}, c.OutOfService...)}
	usable := map[string]int64{}
	for _, n := range c.Nodes {
		rep.GPUs += int64(n.GPUs)
		if !c.out(n.Name) {
			rep.Usable += int64(n.GPUs)
			usable[n.GPUType] += int64(n.GPUs)
		}
	}
	r.Cluster = rep
	r.OfferedLoad = r.loadOf(rep.Usable, usable)
}

// loadOf works out the offered load on so many GPUs.
func (r *Report) loadOf(all int64, byType map[string]int64) Table {
	span, why := decimal([]byte(r.SubmitSpan), 9)
	if why != "" {
		return nil
	}
	load := func(gpu wide, gpus int64) Decimal {
		capacity := new(big.Int).Mul(big.NewInt(gpus*1000), big.NewInt(span))
		return ratio(gpu.big(), capacity, 9)
	}
	t := Table{{"all", load(r.total, all)}}
	for _, l := range r.loads {
		if l.types == "" {
			continue
		}
		var gpus int64
		for _, name := range strings.Split(l.types, "|") {
			gpus += byType[name]
		}
		t = append(t, Entry{l.types, load(l.gpu, gpus)})
	}
	return t
}

// Eligible lists the nodes that could take the job, or a part of it where it
// may be split, if they were empty; why says what stands against it where there
// is none.
func (c *Cluster) Eligible(j *workloads.Job) (nodes []string, why string) {
	nodes = []string{}
	// What one node must hold: the whole gang where it is not split, otherwise
	// the smallest part that is placed.
	part := 1
	switch {
	case j.GPUsPerNode > 0:
		part = j.GPUsPerNode
	case j.Nodes > 0:
		part = (j.GPUs + j.Nodes - 1) / j.Nodes
	}
	cpu, memory := j.CPUMilli, j.Memory
	if j.GPUs > 0 {
		part = min(part, j.GPUs)
		cpu = share(cpu, part, j.GPUs)
		memory = share(memory, part, j.GPUs)
	} else {
		part = 0
	}
	var ofType, enoughGPUs, enoughCPU, most int
	total := 0
	for _, n := range c.Nodes {
		if c.out(n.Name) {
			continue
		}
		if len(j.GPUTypes) > 0 && !contains(j.GPUTypes, n.GPUType) {
			continue
		}
		ofType++
		most = max(most, n.GPUs)
		if n.GPUs < part {
			continue
		}
		enoughGPUs++
		if n.CPUMilli > 0 && cpu > n.CPUMilli {
			continue
		}
		enoughCPU++
		if n.Memory > 0 && memory > n.Memory {
			continue
		}
		total += n.GPUs
		nodes = append(nodes, n.Name)
	}
	defer func() {
		if why != "" {
			why += c.outWords()
		}
	}()
	switch {
	case ofType == 0:
		return nodes, "no node: the cluster has no GPU of type " + strings.Join(j.GPUTypes, " or ")
	case enoughGPUs == 0:
		return nodes, fmt.Sprintf("no node: %d GPUs are wanted on one node, the most on one is %d", part, most)
	case enoughCPU == 0:
		return nodes, fmt.Sprintf("no node: %s CPU cores are wanted on one node, more than any that has the GPUs", fixed(cpu, 3))
	case len(nodes) == 0:
		return nodes, fmt.Sprintf("no node: %d bytes of memory are wanted on one node, more than any that has the GPUs and CPUs", memory)
	case total < j.GPUs:
		return []string{}, fmt.Sprintf("no placement: %d GPUs are wanted, the nodes that could take a part have %d in all", j.GPUs, total)
	}
	return nodes, ""
}

// outWords names the nodes out of service, for a job that finds no place.
func (c *Cluster) outWords() string {
	const most = 10
	var b strings.Builder
	for i, o := range c.OutOfService {
		switch {
		case i == 0:
			b.WriteString("; out of service: ")
		case i == most:
			fmt.Fprintf(&b, " and %d more", len(c.OutOfService)-most)
			return b.String()
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s)", o.Node, o.Reason)
	}
	return b.String()
}

// share is part/all of an amount, rounded up.
func share(amount int64, part, all int) int64 {
	q := new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(part)))
	q.Add(q, big.NewInt(int64(all-1)))
	return q.Quo(q, big.NewInt(int64(all))).Int64()
}
