package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// Rule chooses GPUs for jobs.
type Rule interface {
	// Place returns the GPUs for a job, appended to dst, or nil when the job
	// does not fit now. It must find a place whenever Cluster.Fits says that
	// there is one, and must not change the cluster.
	Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk
}

// Table lists the placement rules.
func Table() []policies.Entry[Rule] {
	return []policies.Entry[Rule]{
		{Name: "first-fit", Doc: "the first node in file order that fits", New: newFirstFit},
		{Name: "best-fit", Doc: "the node that is left with the fewest free GPUs", New: newBestFit},
		{Name: "worst-fit", Doc: "the node with the most free GPUs", New: newWorstFit},
		{Name: "random", Doc: "any node that fits, each as likely", New: newRandom},
		{Name: "pack", Doc: "the fewest nodes, then best fit, then nodes already in use", New: newPack},
		{Name: "spread", Doc: "the node of which the smallest share is in use", New: newSpread},
		{Name: "consolidate", Doc: "one node, else one rack, else the fewest racks", New: newConsolidate},
		{Name: "dot-product", Doc: "the node whose free GPUs, CPU and memory are most alike to what is asked", New: newDotProduct},
	}
}

// picker is what differs between rules: which node, and which GPU of it for a
// share of one.
type picker interface {
	// pick returns the best node that serves need units of the job's request
	// and is not skipped; -1 if none.
	pick(j *cluster.Job, need int) int
	// widest returns the node with the most units, the best by the rule among
	// equals; -1 if none has any.
	widest(j *cluster.Job) int
	// gpu returns the position of the GPU of a node for a share of one.
	gpu(j *cluster.Job, n int) int
}

// finder is what the rules share.
type finder struct {
	c *cluster.Cluster
	s *cluster.Search
}

func newFinder(env policies.Env) finder {
	return finder{env.Cluster, cluster.NewSearch(env.Cluster)}
}

// place puts a job by a picker: a fixed shape node by node, else on one node,
// else on the fewest.
func (f *finder) place(p picker, j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	r := j.Req
	if !f.c.Fits(r) {
		return nil
	}
	f.s.Reset()
	if r.PerNode > 0 && r.Share == 1000 {
		for k := 0; k < r.Nodes; k++ {
			n := p.pick(j, r.PerNode)
			if n < 0 {
				return nil
			}
			f.s.Skip(n)
			dst = f.c.Carve(dst, n, r, r.PerNode)
		}
		return dst
	}
	if n := p.pick(j, r.Need()); n >= 0 {
		return f.carve(p, j, n, r.Need(), dst)
	}
	return f.fewest(p, j, dst)
}

// fewest takes the widest nodes until what is left fits one.
func (f *finder) fewest(p picker, j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	r := j.Req
	if r.Need() == 1 {
		return nil
	}
	f.s.Reset()
	left, nodes := r.GPUs, 0
	for left > 0 {
		if nodes++; r.MaxNodes > 0 && nodes > r.MaxNodes {
			return nil
		}
		n := -1
		if nodes > 1 {
			n = p.pick(j, left)
		}
		if n < 0 {
			n = p.widest(j)
		}
		if n < 0 {
			return nil
		}
		u := min(f.c.Units(n, r), left)
		dst = f.c.Carve(dst, n, r, u)
		left -= u
		f.s.Skip(n)
	}
	return dst
}

// carve takes u units of one node.
func (f *finder) carve(p picker, j *cluster.Job, n, u int, dst []cluster.Chunk) []cluster.Chunk {
	if j.Req.Share < 1000 {
		pos := p.gpu(j, n)
		return append(dst, cluster.Chunk{Word: int32(pos / 64), Mask: 1 << uint(pos%64)})
	}
	return f.c.Carve(dst, n, j.Req, u)
}

// indexed reports whether the index of idle GPUs can answer for a request.
func indexed(r *cluster.Request) bool { return r.GPUs > 0 && r.Share == 1000 }

// least returns the node with the smallest score among those that serve need
// units, the first among equals; -1 if none. Cost O(nodes of the class).
func (f *finder) least(r *cluster.Request, need int, score func(n int) int) int {
	best, low := -1, 0
	f.s.Each(r, func(n, u int) bool {
		if u >= need {
			if v := score(n); best < 0 || v < low {
				best, low = n, v
			}
		}
		return true
	})
	return best
}

// widestBy returns the node with the most units, the smallest score among
// equals.
func (f *finder) widestBy(r *cluster.Request, score func(n int) int) int {
	best, most, low := -1, 0, 0
	f.s.Each(r, func(n, u int) bool {
		if v := score(n); u > most || u == most && best >= 0 && v < low {
			best, most, low = n, u, v
		}
		return true
	})
	return best
}

// widestIndexed is widestBy for a plain request under a rule that does not
// tell nodes with equally many idle GPUs apart.
func (f *finder) widestIndexed(r *cluster.Request, score func(n int) int) int {
	if r.Plain() {
		return f.s.Emptiest(r, 1)
	}
	return f.widestBy(r, score)
}

// shareGPU returns the position of the GPU of a node with the smallest score
// among those with the share free; score sees the free thousandths.
func (f *finder) shareGPU(n, share int, score func(free int) int) int {
	best, low := -1, 0
	first := f.c.FirstGPU(n)
	for p := first; p < first+f.c.GPUsOn(n); p++ {
		if m := f.c.FreeMilli(p); m >= share {
			if v := score(m); best < 0 || v < low {
				best, low = p, v
			}
		}
	}
	return best
}
