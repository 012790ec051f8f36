package cluster

import (
	"fmt"
	"math/bits"
	"slices"
)

// Units returns how many of a request's GPUs a node can serve now (at most
// the gang's size); for a CPU job 1 or 0. The class is not looked at.
// Cost O(1), O(GPUs of the node) for a shared GPU.
func (c *Cluster) Units(n int, r *Request) int {
	nd := &c.nodes[n]
	u := 1
	switch {
	case r.GPUs == 0:
	case r.Share < 1000:
		if p, _ := c.ShareGPU(n, r.Share); p < 0 {
			return 0
		}
	default:
		u = min(int(nd.idle), r.GPUs)
	}
	return c.bound(u, r, nd.cpu, nd.mem)
}

// bound cuts u units to what free CPU and memory serve.
func (c *Cluster) bound(u int, r *Request, cpu, mem int64) int {
	if r.CPU > 0 && cpu != Uncounted {
		if r.GPUs == 0 {
			if cpu < r.CPU {
				return 0
			}
		} else {
			u = min(u, r.units(cpu, r.CPU))
		}
	}
	if r.Mem > 0 && mem != Uncounted {
		if r.GPUs == 0 {
			if mem < r.Mem {
				return 0
			}
		} else {
			u = min(u, r.units(mem, r.Mem))
		}
	}
	return u
}

// ShareGPU returns the position of the GPU of a node that serves a share of
// one GPU best: the one with the least free that is enough, the first among
// equals. It returns -1 when there is none, and how much is free on it.
func (c *Cluster) ShareGPU(n, share int) (pos, free int) {
	nd := &c.nodes[n]
	pos, free = -1, 1001
	if nd.partly == 0 && nd.idle == 0 {
		return pos, 0
	}
	first := 64 * int(nd.word)
	for p := first; p < first+int(nd.gpus); p++ {
		if m := int(c.milli[p]); m >= share && m < free {
			pos, free = p, m
		}
	}
	return pos, free
}

// Need is how many units the whole gang is: its GPUs, 1 for a CPU job.
func (r *Request) Need() int { return max(r.GPUs, 1) }

// Fits reports whether the request could be placed now, whatever the placement
// rule. Cost O(1) for a plain request, else O(nodes of the class).
func (c *Cluster) Fits(r *Request) bool {
	if r.Plain() {
		return r.Class.idle >= r.GPUs
	}
	return c.shapeFits(r, func(n int) int { return c.Units(n, r) })
}

// FitsEmpty reports whether the request could be placed on the idle cluster.
func (c *Cluster) FitsEmpty(r *Request) bool {
	return c.shapeFits(r, func(n int) int { return c.emptyUnits(n, r) })
}

func (c *Cluster) emptyUnits(n int, r *Request) int {
	s := &c.spec.Nodes[n]
	u := 1
	if r.GPUs > 0 {
		u = min(s.GPUs, r.GPUs)
	}
	return c.bound(u, r, s.CPUMilli, s.Memory)
}

func (c *Cluster) shapeFits(r *Request, units func(n int) int) bool {
	need := r.Need()
	switch {
	case r.GPUs == 0 || r.Share < 1000 || r.Nodes == 1 || r.MaxNodes == 1:
		for _, n := range r.Class.nodes {
			if units(int(n)) >= need {
				return true
			}
		}
		return false
	case r.PerNode > 0:
		left := r.Nodes
		for _, n := range r.Class.nodes {
			if units(int(n)) >= r.PerNode {
				if left--; left == 0 {
					return true
				}
			}
		}
		return false
	case r.MaxNodes > 0:
		var us []int
		for _, n := range r.Class.nodes {
			if u := units(int(n)); u > 0 {
				us = append(us, u)
			}
		}
		slices.Sort(us)
		for i := 0; i < r.MaxNodes && i < len(us); i++ {
			need -= us[len(us)-1-i]
		}
		return need <= 0
	}
	for _, n := range r.Class.nodes {
		if need -= units(int(n)); need <= 0 {
			return true
		}
	}
	return false
}

// Refusal says in words why a request fits no idle cluster of this kind, as a
// reason code and a sentence. It must be called only when FitsEmpty is false.
func (c *Cluster) Refusal(r *Request) (code, text string) {
	k := r.Class
	if len(k.nodes) == 0 {
		return "no-such-node", fmt.Sprintf("no node is %s", k)
	}
	most, cpu, mem, cpuOnly := 0, int64(0), int64(0), true
	for _, n := range k.nodes {
		s := &c.spec.Nodes[n]
		most = max(most, s.GPUs)
		cpu, mem = most64(cpu, s.CPUMilli), most64(mem, s.Memory)
		if s.GPUs > 0 {
			cpuOnly = false
		}
	}
	where := ""
	if !k.all {
		where = " (" + k.String() + ")"
	}
	bare := *r
	bare.CPU, bare.Mem = 0, 0
	if c.FitsEmpty(&bare) {
		if r.CPU > 0 {
			noMem := *r
			noMem.Mem = 0
			if !c.FitsEmpty(&noMem) {
				return "too-large", fmt.Sprintf("wants %s CPU cores for %s%s; the largest node that could serve it has %s", decimal(r.CPU), r.size(), where, decimal(cpu))
			}
		}
		return "too-large", fmt.Sprintf("wants %d bytes of memory for %s%s; the largest node that could serve it has %d", r.Mem, r.size(), where, mem)
	}
	if cpuOnly {
		return "too-large", fmt.Sprintf("wants %s; no node has any%s", r.size(), where)
	}
	if r.Nodes > 0 {
		fit := 0
		for _, n := range k.nodes {
			if c.spec.Nodes[n].GPUs >= r.PerNode {
				fit++
			}
		}
		if r.Nodes == 1 {
			return "too-large", fmt.Sprintf("wants %s on one node%s; the largest has %d", r.size(), where, most)
		}
		return "too-large", fmt.Sprintf("wants %d nodes with %d GPUs each%s; there are %d such nodes", r.Nodes, r.PerNode, where, fit)
	}
	if r.MaxNodes > 0 && r.GPUs <= k.gpus {
		return "too-large", fmt.Sprintf("wants %s on at most %d nodes%s; no choice of nodes has that many", r.size(), r.MaxNodes, where)
	}
	return "too-large", fmt.Sprintf("wants %s; there are %d%s (%d > %d)", r.size(), k.gpus, where, r.GPUs, k.gpus)
}

func (r *Request) size() string {
	switch {
	case r.GPUs == 0:
		return "a CPU job"
	case r.Share < 1000:
		return "0." + fmt.Sprintf("%03d", r.Share) + " GPU"
	case r.GPUs == 1:
		return "1 GPU"
	}
	return fmt.Sprintf("%d GPUs", r.GPUs)
}

func most64(a, b int64) int64 {
	if a == Uncounted || b == Uncounted {
		return Uncounted
	}
	return max(a, b)
}

func decimal(milli int64) string {
	if milli%1000 == 0 {
		return fmt.Sprint(milli / 1000)
	}
	return fmt.Sprintf("%d.%03d", milli/1000, milli%1000)
}

// Carve returns chunks with the first u units of a request on a node: the
// idle GPUs of lowest index, or the GPU that ShareGPU names.
func (c *Cluster) Carve(dst []Chunk, n int, r *Request, u int) []Chunk {
	nd := &c.nodes[n]
	if r.GPUs == 0 {
		return append(dst, Chunk{nd.word, 0})
	}
	if r.Share < 1000 {
		p, _ := c.ShareGPU(n, r.Share)
		return append(dst, Chunk{int32(p / 64), 1 << uint(p%64)})
	}
	for w := nd.word; u > 0; w++ {
		m := c.idle[w]
		if k := bits.OnesCount64(m); k > u {
			m = lowest(m, u)
			u = 0
		} else {
			u -= k
		}
		if m != 0 {
			dst = append(dst, Chunk{w, m})
		}
	}
	return dst
}

// lowest keeps the k lowest set bits of m (k >= 1).
func lowest(m uint64, k int) uint64 {
	rest := m
	for ; k > 0; k-- {
		rest &= rest - 1
	}
	return m &^ rest
}

// String says in words what the request asks for.
func (r *Request) String() string {
	s := r.size()
	switch {
	case r.Nodes == 1:
		s += " on one node"
	case r.Nodes > 1:
		s += fmt.Sprintf(" on %d nodes, %d on each", r.Nodes, r.PerNode)
	case r.MaxNodes > 0:
		s += fmt.Sprintf(" on at most %d nodes", r.MaxNodes)
	}
	if r.CPU > 0 {
		s += ", " + decimal(r.CPU) + " CPU cores"
	}
	if r.Mem > 0 {
		s += fmt.Sprintf(", %d bytes of memory", r.Mem)
	}
	if !r.Class.all || r.Class.Partition != "" {
		s += " (" + r.Class.String() + ")"
	}
	return s
}
