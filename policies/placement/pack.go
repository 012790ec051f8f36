package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// pack keeps as few nodes in use as it can: one node before several and the
// fewest of several, then best fit, and among equally tight nodes one already
// in use before an idle one (there best-fit takes the first in the file).
//
// Source: our own rule; the wish behind it is that of the most-allocated
// scores of cluster schedulers. Cost: O(nodes).
type pack struct{ finder }

func newPack(_ any, env policies.Env) (Rule, error) { return &pack{newFinder(env)}, nil }

func (p *pack) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	return p.place(p, j, dst)
}

func (p *pack) score(n int) int {
	free := p.c.IdleMilli(n)
	if free == 1000*p.c.GPUsOn(n) {
		return 2*free + 1
	}
	return 2 * free
}

func (p *pack) pick(j *cluster.Job, need int) int { return p.least(j.Req, need, p.score) }

func (p *pack) widest(j *cluster.Job) int { return p.widestBy(j.Req, p.score) }

func (p *pack) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(free int) int { return free })
}
