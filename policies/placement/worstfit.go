package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// worstFit takes the node with the most free GPU capacity; several nodes: the
// widest ones, to the last. A share of a GPU goes to the GPU with the most
// left.
//
// Source: worst fit as in bin packing (Johnson et al., SIAM J. Comput. 3(4),
// 1974), on free GPUs alone. Cost: O(GPUs of a node + nodes / 64) for whole
// GPUs, else O(nodes).
type worstFit struct{ finder }

func newWorstFit(_ any, env policies.Env) (Rule, error) { return &worstFit{newFinder(env)}, nil }

func (p *worstFit) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	return p.place(p, j, dst)
}

func (p *worstFit) score(n int) int { return -p.c.IdleMilli(n) }

func (p *worstFit) pick(j *cluster.Job, need int) int {
	if indexed(j.Req) && p.c.Shared() == 0 {
		return p.s.Emptiest(j.Req, need)
	}
	return p.least(j.Req, need, p.score)
}

func (p *worstFit) widest(j *cluster.Job) int { return p.widestIndexed(j.Req, p.score) }

func (p *worstFit) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(free int) int { return -free })
}
