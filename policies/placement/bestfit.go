package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// bestFit takes the node with the least free GPU capacity that holds the whole
// gang, so that large free places stay whole; several nodes: the widest ones
// until the rest fits one, and the tightest for the rest. A share of a GPU goes
// to the GPU with the least left that is enough.
//
// Source: best fit as in bin packing (Johnson et al., SIAM J. Comput. 3(4),
// 1974), on free GPUs alone. Cost: O(GPUs of a node + nodes / 64) for whole
// GPUs, else O(nodes).
type bestFit struct{ finder }

func newBestFit(_ any, env policies.Env) (Rule, error) { return &bestFit{newFinder(env)}, nil }

func (p *bestFit) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	return p.place(p, j, dst)
}

func (p *bestFit) pick(j *cluster.Job, need int) int {
	if indexed(j.Req) && p.c.Shared() == 0 {
		return p.s.Tightest(j.Req, need)
	}
	return p.least(j.Req, need, p.c.IdleMilli)
}

func (p *bestFit) widest(j *cluster.Job) int { return p.widestIndexed(j.Req, p.c.IdleMilli) }

func (p *bestFit) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(free int) int { return free })
}
