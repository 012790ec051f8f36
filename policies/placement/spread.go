package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// spread takes the node of which the smallest share of GPUs is in use, so that
// load evens out between nodes of different size: score = used / total,
// compared in millionths. A share of a GPU goes to the GPU with the most left.
//
// Source: the spread strategy of KAI-Scheduler's nodeplacement plug-in (free /
// total). Cost: O(nodes).
type spread struct{ finder }

func newSpread(_ any, env policies.Env) (Rule, error) { return &spread{newFinder(env)}, nil }

func (p *spread) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	return p.place(p, j, dst)
}

func (p *spread) score(n int) int {
	total := 1000 * p.c.GPUsOn(n)
	if total == 0 {
		return 0
	}
	return (total - p.c.IdleMilli(n)) * 1_000_000 / total
}

func (p *spread) pick(j *cluster.Job, need int) int { return p.least(j.Req, need, p.score) }

func (p *spread) widest(j *cluster.Job) int { return p.widestBy(j.Req, p.score) }

func (p *spread) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(free int) int { return -free })
}
