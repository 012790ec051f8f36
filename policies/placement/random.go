package placement

import (
	"hash/fnv"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// random takes any node that holds the whole gang, each as likely; several
// nodes: one of the widest, until the rest fits one. The draws of a job come
// from a stream of its own (its id and attempt), so no other job's presence
// moves them.
//
// Source: the usual baseline. Cost: O(nodes), and a hash for each job.
type random struct {
	finder
	seed  uint64
	draw  func() float64
	nodes []int
}

func newRandom(_ any, env policies.Env) (Rule, error) {
	return &random{finder: newFinder(env), seed: env.Seed}, nil
}

func (p *random) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	h := fnv.New64a()
	h.Write([]byte(j.Spec.ID))
	p.draw = event.Stream(p.seed, "placement", h.Sum64()+uint64(j.Attempts)).Float64
	return p.place(p, j, dst)
}

// choose draws one of the nodes collected.
func (p *random) choose() int {
	if len(p.nodes) == 0 {
		return -1
	}
	return p.nodes[int(p.draw()*float64(len(p.nodes)))]
}

func (p *random) pick(j *cluster.Job, need int) int {
	p.nodes = p.nodes[:0]
	p.s.Each(j.Req, func(n, u int) bool {
		if u >= need {
			p.nodes = append(p.nodes, n)
		}
		return true
	})
	return p.choose()
}

func (p *random) widest(j *cluster.Job) int {
	most := 0
	p.nodes = p.nodes[:0]
	p.s.Each(j.Req, func(n, u int) bool {
		if u > most {
			most = u
			p.nodes = p.nodes[:0]
		}
		if u == most {
			p.nodes = append(p.nodes, n)
		}
		return true
	})
	return p.choose()
}

func (p *random) gpu(j *cluster.Job, n int) int {
	p.nodes = p.nodes[:0]
	first := p.c.FirstGPU(n)
	for g := first; g < first+p.c.GPUsOn(n); g++ {
		if p.c.FreeMilli(g) >= j.Req.Share {
			p.nodes = append(p.nodes, g)
		}
	}
	return p.choose()
}
