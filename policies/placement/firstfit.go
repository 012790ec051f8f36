package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// firstFit takes the first node in file order that holds the whole gang. Where
// none does, it fills nodes in file order, as much of each as fits; only a
// bound on the number of nodes makes it look for the fewest. A share of a GPU
// goes to the first GPU with enough left.
//
// Cost: O(GPUs of a node + nodes / 64) for plain requests, else O(nodes).
type firstFit struct{ finder }

func newFirstFit(_ any, env policies.Env) (Rule, error) { return &firstFit{newFinder(env)}, nil }

func (p *firstFit) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	r := j.Req
	if r.PerNode > 0 || r.Need() == 1 {
		return p.place(p, j, dst)
	}
	if !p.c.Fits(r) {
		return nil
	}
	p.s.Reset()
	if n := p.pick(j, r.GPUs); n >= 0 {
		return p.c.Carve(dst, n, r, r.GPUs)
	}
	left, nodes, start := r.GPUs, 0, len(dst)
	p.s.Each(r, func(n, u int) bool {
		u = min(u, left)
		dst = p.c.Carve(dst, n, r, u)
		left -= u
		nodes++
		return left > 0
	})
	if left > 0 || r.MaxNodes > 0 && nodes > r.MaxNodes {
		return p.fewest(p, j, dst[:start])
	}
	return dst
}

func (p *firstFit) pick(j *cluster.Job, need int) int {
	if indexed(j.Req) {
		return p.s.First(j.Req, need)
	}
	return p.least(j.Req, need, func(int) int { return 0 })
}

func (p *firstFit) widest(j *cluster.Job) int {
	return p.widestIndexed(j.Req, func(int) int { return 0 })
}

func (p *firstFit) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(int) int { return 0 })
}
