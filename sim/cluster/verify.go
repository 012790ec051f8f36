package cluster

import (
	"fmt"
	"math/bits"
)

// Verify recomputes every index from the raw state and compares. held lists
// what live jobs hold; the state must be exactly what is left beside it.
// Cost O(GPUs + held); for the debug mode.
func (c *Cluster) Verify(held []Holding) error {
	milli := make([]int16, len(c.milli))
	cpu, mem := make([]int64, len(c.nodes)), make([]int64, len(c.nodes))
	for i := range c.nodes {
		s := &c.spec.Nodes[i]
		cpu[i], mem[i] = s.CPUMilli, s.Memory
		first := c.FirstGPU(i)
		for g := 0; g < s.GPUs; g++ {
			milli[first+g] = 1000
		}
	}
	for _, h := range held {
		perNode := map[int32]int{}
		for _, ch := range h.Chunks {
			n := c.wordOf[ch.Word]
			perNode[n] += bits.OnesCount64(ch.Mask)
			for m := ch.Mask; m != 0; m &= m - 1 {
				p := 64*int(ch.Word) + bits.TrailingZeros64(m)
				if milli[p] -= int16(h.Request.Share); milli[p] < 0 {
					return fmt.Errorf("GPU %d of node %s is given out twice", p-c.FirstGPU(int(n)), c.spec.Nodes[n].Name)
				}
			}
		}
		for n, count := range perNode {
			if cpu[n] != Uncounted {
				if cpu[n] -= h.Request.part(h.Request.CPU, count); cpu[n] < 0 {
					return fmt.Errorf("node %s gives out more CPU than it has", c.spec.Nodes[n].Name)
				}
			}
			if mem[n] != Uncounted {
				if mem[n] -= h.Request.part(h.Request.Mem, count); mem[n] < 0 {
					return fmt.Errorf("node %s gives out more memory than it has", c.spec.Nodes[n].Name)
				}
			}
		}
	}
	freeGPU, shared, freeAll := 0, 0, int64(0)
	rows := make([]uint64, len(c.byIdle))
	counts := make([]int32, len(c.byCount))
	for i := range c.nodes {
		nd := &c.nodes[i]
		idle, partly := 0, 0
		first := c.FirstGPU(i)
		for g := 0; g < int(nd.gpus); g++ {
			p := first + g
			if c.milli[p] != milli[p] {
				return fmt.Errorf("node %s GPU %d: %d thousandths free, jobs leave %d", c.spec.Nodes[i].Name, g, c.milli[p], milli[p])
			}
			isIdle := c.idle[p>>6]>>uint(p&63)&1 == 1
			if isIdle != (milli[p] == 1000) {
				return fmt.Errorf("node %s GPU %d: idle bit %v with %d thousandths free", c.spec.Nodes[i].Name, g, isIdle, milli[p])
			}
			freeAll += int64(milli[p])
			switch {
			case milli[p] == 1000:
				idle++
			case milli[p] > 0:
				partly++
			}
		}
		if int(nd.idle) != idle || int(nd.partly) != partly {
			return fmt.Errorf("node %s: counts %d idle and %d shared GPUs, has %d and %d", c.spec.Nodes[i].Name, nd.idle, nd.partly, idle, partly)
		}
		if nd.cpu != cpu[i] || nd.mem != mem[i] {
			return fmt.Errorf("node %s: CPU %d and memory %d free, jobs leave %d and %d", c.spec.Nodes[i].Name, nd.cpu, nd.mem, cpu[i], mem[i])
		}
		freeGPU += idle
		rows[idle*c.row+i>>6] |= 1 << uint(i&63)
		counts[idle]++
	}
	for _, h := range held {
		if h.Request.Share < 1000 {
			shared++
		}
	}
	if (c.shared > 0) != (shared > 0) {
		return fmt.Errorf("%d shared GPUs for %d jobs that share", c.shared, shared)
	}
	if freeAll != c.freeAll {
		return fmt.Errorf("the index counts %d free thousandths, there are %d", c.freeAll, freeAll)
	}
	if freeGPU != c.freeGPU {
		return fmt.Errorf("the index counts %d idle GPUs, there are %d", c.freeGPU, freeGPU)
	}
	for i := range rows {
		if rows[i] != c.byIdle[i] {
			return fmt.Errorf("the index of nodes by idle GPUs differs in word %d", i)
		}
	}
	for i := range counts {
		if counts[i] != c.byCount[i] {
			return fmt.Errorf("the index counts %d nodes with %d idle GPUs, there are %d", c.byCount[i], i, counts[i])
		}
	}
	for _, k := range c.classes {
		idle := 0
		for _, n := range k.nodes {
			idle += int(c.nodes[n].idle)
		}
		if idle != k.idle {
			return fmt.Errorf("class %s: %d idle GPUs indexed, there are %d", k, k.idle, idle)
		}
	}
	return nil
}

// Holding is what one job holds.
type Holding struct {
	Request *Request
	Chunks  []Chunk
}
