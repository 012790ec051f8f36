package cluster

import (
	"fmt"
	"math/bits"
)

// Chunk is some GPUs of one node: the set bits of one 64-GPU word. A CPU job
// holds a chunk without bits. The chunks of one node stand together.
type Chunk struct {
	Word int32
	Mask uint64
}

// node is the state of one node. Its GPUs are the words [word, word+words).
type node struct {
	word, words int32
	gpus        int32
	idle        int32 // GPUs of which nothing is taken
	partly      int32 // GPUs of which something, but not all, is taken
	cpu, mem    int64 // free; Uncounted where not limited
	classes     []int32
	rack        int32
}

// Cluster is the state. It is not safe for concurrent use.
type Cluster struct {
	spec    Spec
	nodes   []node
	idle    []uint64 // a bit a GPU that is wholly free, 64 a word
	milli   []int16  // thousandths free, a GPU; meaningful for every GPU
	wordOf  []int32  // word -> node
	racks   []string
	total   int
	shared  int // GPUs that are partly taken
	freeGPU int
	freeAll int64 // free thousandths of GPUs, shares included

	countsCPU, countsMem bool // some node limits it

	byIdle  []uint64 // nodes by number of idle GPUs: maxGPUs+1 rows of bits
	byCount []int32  // how many nodes a row holds
	row     int      // words in a row
	max     int      // most GPUs on a node

	classes    []*Class
	classByKey map[string]*Class
	requests   []*Request
	reqByKey   map[requestKey]*Request
	effective  map[string]*Request // by base request and the reservations that bar it

	version uint64 // rises whenever capacity comes back
	log     []change
	marks   []logMark
}

// change is one entry of the undo log.
type change struct {
	req    *Request
	chunks []Chunk
	gave   bool
}

type logMark struct {
	at      int
	version uint64
}

// New builds an idle cluster. Cost O(GPUs).
func New(spec Spec) (*Cluster, error) {
	c := &Cluster{spec: spec, classByKey: map[string]*Class{}, reqByKey: map[requestKey]*Request{}, effective: map[string]*Request{}}
	rackID := map[string]int32{}
	for i := range spec.Nodes {
		s := &spec.Nodes[i]
		if s.GPUs < 0 {
			return nil, fmt.Errorf("node %s: %d GPUs", s.Name, s.GPUs)
		}
		words := max((s.GPUs+63)/64, 1)
		n := node{word: int32(len(c.idle)), words: int32(words), gpus: int32(s.GPUs), idle: int32(s.GPUs), cpu: s.CPUMilli, mem: s.Memory}
		id, ok := rackID[s.Rack]
		if !ok {
			id = int32(len(c.racks))
			rackID[s.Rack] = id
			c.racks = append(c.racks, s.Rack)
		}
		n.rack = id
		for left := s.GPUs; words > 0; words-- {
			k := min(left, 64)
			c.idle = append(c.idle, ones(k))
			c.wordOf = append(c.wordOf, int32(i))
			left -= k
		}
		c.total += s.GPUs
		c.countsCPU = c.countsCPU || s.CPUMilli != Uncounted
		c.countsMem = c.countsMem || s.Memory != Uncounted
		c.max = max(c.max, s.GPUs)
		c.nodes = append(c.nodes, n)
	}
	c.freeGPU = c.total
	c.freeAll = 1000 * int64(c.total)
	c.milli = make([]int16, 64*len(c.idle))
	for w, set := range c.idle {
		for ; set != 0; set &= set - 1 {
			c.milli[64*w+bits.TrailingZeros64(set)] = 1000
		}
	}
	c.row = (len(c.nodes) + 63) / 64
	c.byIdle = make([]uint64, (c.max+1)*c.row)
	c.byCount = make([]int32, c.max+1)
	for i := range c.nodes {
		c.enter(int32(i), c.nodes[i].idle)
	}
	all := make([]int, len(c.nodes))
	for i := range all {
		all[i] = i
	}
	c.addClass("", "", all) // class 0: every node
	for _, p := range spec.Partitions {
		for _, i := range p.Nodes {
			if i < 0 || i >= len(c.nodes) {
				return nil, fmt.Errorf("partition %s: there is no node %d", p.Name, i)
			}
		}
	}
	return c, nil
}

// ones returns a word with the k lowest bits set.
func ones(k int) uint64 {
	if k >= 64 {
		return ^uint64(0)
	}
	return 1<<uint(k) - 1
}

// Spec returns the description the cluster was built from.
func (c *Cluster) Spec() *Spec { return &c.spec }

// GPUs returns the number of GPUs.
func (c *Cluster) GPUs() int { return c.total }

// Idle returns the number of GPUs of which nothing is taken.
func (c *Cluster) Idle() int { return c.freeGPU }

// FreeAll returns the free thousandths of all GPUs, shares included.
func (c *Cluster) FreeAll() int64 { return c.freeAll }

// Shared returns the number of GPUs that are partly taken.
func (c *Cluster) Shared() int { return c.shared }

// Nodes returns the number of nodes.
func (c *Cluster) Nodes() int { return len(c.nodes) }

// NodeOf returns the position of the node a chunk lies on.
func (c *Cluster) NodeOf(ch Chunk) int { return int(c.wordOf[ch.Word]) }

// GPUIndex returns the index within its node of bit b of a chunk.
func (c *Cluster) GPUIndex(ch Chunk, b int) int {
	return 64*int(ch.Word-c.nodes[c.wordOf[ch.Word]].word) + b
}

// FirstGPU returns the position of a node's first GPU in [0, Slots).
func (c *Cluster) FirstGPU(n int) int { return 64 * int(c.nodes[n].word) }

// Slots returns how many GPU positions there are; a node's positions are
// FirstGPU(node) + GPU index. Not every position is a GPU.
func (c *Cluster) Slots() int { return 64 * len(c.idle) }

// FreeMilli returns how many thousandths of the GPU at a position are free.
func (c *Cluster) FreeMilli(pos int) int { return int(c.milli[pos]) }

// Version rises whenever capacity comes back: a request that did not fit still
// does not fit while it is unchanged.
func (c *Cluster) Version() uint64 { return c.version }

func (c *Cluster) enter(i, idle int32) {
	c.byIdle[int(idle)*c.row+int(i>>6)] |= 1 << uint(i&63)
	c.byCount[idle]++
}

func (c *Cluster) leave(i, idle int32) {
	c.byIdle[int(idle)*c.row+int(i>>6)] &^= 1 << uint(i&63)
	c.byCount[idle]--
}

// setIdle changes a node's number of idle GPUs and every index of it.
func (c *Cluster) setIdle(i int32, idle int32) {
	n := &c.nodes[i]
	d := int(idle - n.idle)
	if d == 0 {
		return
	}
	c.leave(i, n.idle)
	n.idle = idle
	c.enter(i, idle)
	c.freeGPU += d
	for _, id := range n.classes {
		c.classes[id].idle += d
	}
}
