package cluster

import (
	"fmt"
	"math/bits"
)

// Take gives the GPUs of chunks to a job that asked for r. It refuses, and
// changes nothing, when something of it is not free, not of r's class or not
// of r's shape: a policy can be wrong but cannot corrupt the state. The chunks
// must stay unchanged until they are given back. Cost O(chunks).
func (c *Cluster) Take(r *Request, chunks []Chunk) error {
	if err := c.valid(r, chunks); err != nil {
		return err
	}
	c.apply(r, chunks, false)
	if len(c.marks) > 0 {
		c.log = append(c.log, change{r, chunks, false})
	}
	return nil
}

// Give takes back what Take gave. The caller must name the same request and
// chunks.
func (c *Cluster) Give(r *Request, chunks []Chunk) {
	c.apply(r, chunks, true)
	c.version++
	if len(c.marks) > 0 {
		c.log = append(c.log, change{r, chunks, true})
	}
}

// Begin starts a what-if; it may be nested.
func (c *Cluster) Begin() { c.marks = append(c.marks, logMark{len(c.log), c.version}) }

// Rollback undoes everything since the matching Begin, the capacity version
// included.
func (c *Cluster) Rollback() {
	m := c.marks[len(c.marks)-1]
	for i := len(c.log) - 1; i >= m.at; i-- {
		ch := c.log[i]
		c.apply(ch.req, ch.chunks, !ch.gave)
	}
	clear(c.log[m.at:])
	c.log = c.log[:m.at]
	c.marks = c.marks[:len(c.marks)-1]
	c.version = m.version
}

// apply is Take (back false) or Give (back true) without checks.
func (c *Cluster) apply(r *Request, chunks []Chunk, back bool) {
	for i := 0; i < len(chunks); {
		n := c.wordOf[chunks[i].Word]
		nd := &c.nodes[n]
		idle, count := nd.idle, 0
		for ; i < len(chunks) && c.wordOf[chunks[i].Word] == n; i++ {
			ch := chunks[i]
			count += bits.OnesCount64(ch.Mask)
			if r.Share < 1000 {
				idle += c.applyShare(nd, ch, int16(r.Share), back)
				continue
			}
			if back {
				c.idle[ch.Word] |= ch.Mask
				idle += int32(bits.OnesCount64(ch.Mask))
			} else {
				c.idle[ch.Word] &^= ch.Mask
				idle -= int32(bits.OnesCount64(ch.Mask))
			}
			free := int16(0)
			if back {
				free = 1000
			}
			base := 64 * int(ch.Word)
			for m := ch.Mask; m != 0; m &= m - 1 {
				c.milli[base+bits.TrailingZeros64(m)] = free
			}
		}
		c.setIdle(n, idle)
		c.freeAll -= signed(int64(count)*int64(r.Share), back)
		if r.CPU > 0 && nd.cpu != Uncounted {
			nd.cpu -= signed(r.part(r.CPU, count), back)
		}
		if r.Mem > 0 && nd.mem != Uncounted {
			nd.mem -= signed(r.part(r.Mem, count), back)
		}
	}
}

func signed(v int64, negative bool) int64 {
	if negative {
		return -v
	}
	return v
}

// applyShare changes one GPU's free thousandths and returns the change of the
// node's number of idle GPUs.
func (c *Cluster) applyShare(nd *node, ch Chunk, share int16, back bool) int32 {
	p := 64*int(ch.Word) + bits.TrailingZeros64(ch.Mask)
	was := c.milli[p]
	now := was - share
	if back {
		now = was + share
	}
	c.milli[p] = now
	partly := func(v int16) int32 {
		if v > 0 && v < 1000 {
			return 1
		}
		return 0
	}
	d := partly(now) - partly(was)
	nd.partly += d
	// A GPU that is wholly given out in shares counts as shared too.
	if (was == 1000) != (now == 1000) {
		if now == 1000 {
			c.shared--
			c.idle[ch.Word] |= ch.Mask
			return 1
		}
		c.shared++
		c.idle[ch.Word] &^= ch.Mask
		return -1
	}
	return 0
}

// valid says what is wrong with a placement, if anything.
func (c *Cluster) valid(r *Request, chunks []Chunk) error {
	gpus, nodes := 0, 0
	for i := 0; i < len(chunks); {
		n := c.wordOf[chunks[i].Word]
		nd := &c.nodes[n]
		if !r.Class.Has(int(n)) {
			return fmt.Errorf("node %s may not serve it (%s)", c.spec.Nodes[n].Name, r.Class)
		}
		count := 0
		for ; i < len(chunks) && c.wordOf[chunks[i].Word] == n; i++ {
			ch := chunks[i]
			if r.Share < 1000 {
				if bits.OnesCount64(ch.Mask) != 1 || int(c.milli[64*int(ch.Word)+bits.TrailingZeros64(ch.Mask)]) < r.Share {
					return fmt.Errorf("node %s: %d thousandths of one GPU are not free there", c.spec.Nodes[n].Name, r.Share)
				}
			} else if ch.Mask&^c.idle[ch.Word] != 0 {
				return fmt.Errorf("node %s: a GPU is taken twice", c.spec.Nodes[n].Name)
			}
			count += bits.OnesCount64(ch.Mask)
		}
		if r.CPU > 0 && nd.cpu != Uncounted && r.part(r.CPU, count) > nd.cpu {
			return fmt.Errorf("node %s: not enough CPU", c.spec.Nodes[n].Name)
		}
		if r.Mem > 0 && nd.mem != Uncounted && r.part(r.Mem, count) > nd.mem {
			return fmt.Errorf("node %s: not enough memory", c.spec.Nodes[n].Name)
		}
		if r.PerNode > 0 && count != r.PerNode {
			return fmt.Errorf("node %s: %d GPUs where the shape wants %d a node", c.spec.Nodes[n].Name, count, r.PerNode)
		}
		gpus += count
		nodes++
	}
	if gpus != r.GPUs || nodes == 0 {
		return fmt.Errorf("placed %d GPUs on %d nodes, asked for %d", gpus, nodes, r.GPUs)
	}
	if r.Nodes > 0 && nodes != r.Nodes || r.MaxNodes > 0 && nodes > r.MaxNodes {
		return fmt.Errorf("placed on %d nodes, against its shape", nodes)
	}
	return nil
}

// Hide takes, inside a what-if, up to the given amounts of what is free on a
// node: CPU, memory and, for each GPU position, thousandths of it.
func (c *Cluster) Hide(n int, cpu, mem int64, milli func(pos int) int) {
	nd := &c.nodes[n]
	take := func(r *Request, ch Chunk) {
		chunks := []Chunk{ch}
		c.apply(r, chunks, false)
		c.log = append(c.log, change{r, chunks, false})
	}
	if nd.cpu != Uncounted || nd.mem != Uncounted {
		r := &Request{Share: 1000}
		if nd.cpu != Uncounted {
			r.CPU = min(cpu, nd.cpu)
		}
		if nd.mem != Uncounted {
			r.Mem = min(mem, nd.mem)
		}
		take(r, Chunk{Word: nd.word})
	}
	first := c.FirstGPU(n)
	for p := first; p < first+int(nd.gpus); p++ {
		m := min(milli(p), int(c.milli[p]))
		if m > 0 {
			take(&Request{GPUs: 1, Share: m}, Chunk{Word: int32(p / 64), Mask: 1 << uint(p%64)})
		}
	}
}

// PartCPU is a node's part of the job's CPU when it holds n of its GPUs.
func (r *Request) PartCPU(n int) int64 { return r.part(r.CPU, n) }

// PartMem is a node's part of the job's memory when it holds n of its GPUs.
func (r *Request) PartMem(n int) int64 { return r.part(r.Mem, n) }

// Free reports whether Take of the same would be accepted.
func (c *Cluster) Free(r *Request, chunks []Chunk) bool { return c.valid(r, chunks) == nil }
