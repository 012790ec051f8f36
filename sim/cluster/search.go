package cluster

import "math/bits"

// Search finds nodes through the index of idle GPUs. It serves requests that
// ask for whole GPUs; CPU and memory are checked node by node. Nodes named to
// Skip are passed over until Reset. A Search belongs to one cluster.
type Search struct {
	c     *Cluster
	mark  []uint32
	epoch uint32
}

// NewSearch returns a search with nothing skipped.
func NewSearch(c *Cluster) *Search {
	return &Search{c: c, mark: make([]uint32, len(c.nodes)), epoch: 1}
}

// Reset forgets what was skipped.
func (s *Search) Reset() { s.epoch++ }

// Skip passes over a node from now on.
func (s *Search) Skip(n int) { s.mark[n] = s.epoch }

// Skipped reports whether a node is passed over.
func (s *Search) Skipped(n int) bool { return s.mark[n] == s.epoch }

// scan returns the first node of a row of the index (nodes with idle GPUs
// exactly) that serves need units, from position from on; -1 if none.
func (s *Search) scan(r *Request, idle, need, from int) int {
	c := s.c
	row := c.byIdle[idle*c.row : (idle+1)*c.row]
	plain := r.CPU == 0 && r.Mem == 0
	for w := from >> 6; w < len(row); w++ {
		m := row[w]
		if !r.Class.all {
			m &= r.Class.bits[w]
		}
		if w == from>>6 {
			m &= ^uint64(0) << uint(from&63)
		}
		for ; m != 0; m &= m - 1 {
			n := w<<6 + bits.TrailingZeros64(m)
			if s.mark[n] != s.epoch && (plain || c.Units(n, r) >= need) {
				return n
			}
		}
	}
	return -1
}

// First returns the first node in file order that serves need units; -1 if
// none. Cost O(GPUs a node x nodes / 64).
func (s *Search) First(r *Request, need int) int {
	best := -1
	left := int32(len(s.c.nodes)) // nodes in rows not looked at; few rows hold any
	for f := s.c.max; f >= need && left > 0; f-- {
		if s.c.byCount[f] == 0 {
			continue
		}
		left -= s.c.byCount[f]
		if n := s.scan(r, f, need, 0); n >= 0 && (best < 0 || n < best) {
			best = n
		}
	}
	return best
}

// Tightest returns the node with the fewest idle GPUs that serves need units,
// the first among equals; -1 if none.
func (s *Search) Tightest(r *Request, need int) int {
	for f := need; f <= s.c.max; f++ {
		if s.c.byCount[f] == 0 {
			continue
		}
		if n := s.scan(r, f, need, 0); n >= 0 {
			return n
		}
	}
	return -1
}

// Emptiest returns the node with the most idle GPUs that serves need units,
// the first among equals; -1 if none.
func (s *Search) Emptiest(r *Request, need int) int {
	for f := s.c.max; f >= need; f-- {
		if s.c.byCount[f] == 0 {
			continue
		}
		if n := s.scan(r, f, need, 0); n >= 0 {
			return n
		}
	}
	return -1
}

// Each calls f for every node of the request's class that is not skipped, in
// file order, with the units it serves (more than 0), until f returns false.
// Cost O(nodes of the class).
func (s *Search) Each(r *Request, f func(n, units int) bool) {
	for _, n := range r.Class.nodes {
		if s.mark[n] == s.epoch {
			continue
		}
		if u := s.c.Units(int(n), r); u > 0 && !f(int(n), u) {
			return
		}
	}
}

// IdleMilli returns the free thousandths of GPUs of a node, shares included.
func (c *Cluster) IdleMilli(n int) int {
	nd := &c.nodes[n]
	free := 1000 * int(nd.idle)
	if nd.partly > 0 {
		first := 64 * int(nd.word)
		for p := first; p < first+int(nd.gpus); p++ {
			if m := int(c.milli[p]); m < 1000 {
				free += m
			}
		}
	}
	return free
}

// IdleOn returns how many GPUs of a node are wholly idle.
func (c *Cluster) IdleOn(n int) int { return int(c.nodes[n].idle) }

// GPUsOn returns how many GPUs a node has.
func (c *Cluster) GPUsOn(n int) int { return int(c.nodes[n].gpus) }

// RackOf returns the number of a node's rack, in order of first appearance.
func (c *Cluster) RackOf(n int) int { return int(c.nodes[n].rack) }

// Racks returns the number of racks (nodes without one share one).
func (c *Cluster) Racks() int { return len(c.racks) }

// FreeHost returns the free CPU (thousandths of a core) and memory (bytes) of a
// node; Uncounted where it does not limit them.
func (c *Cluster) FreeHost(n int) (cpu, mem int64) { return c.nodes[n].cpu, c.nodes[n].mem }
