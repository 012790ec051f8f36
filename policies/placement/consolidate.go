package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// consolidate keeps a gang close: one node (best fit), else one rack (the one
// with the least free capacity that is enough), else the racks with the most
// free capacity until the rest fits one. Inside a rack it takes the fewest
// nodes. Nodes without a rack count as one rack.
//
// Source: the wish of Philly's scheduler (Jeon et al., ATC 2019, section 2.3),
// its relaxation by time left out. Cost: O(nodes), O(racks x nodes) where one
// rack is not enough.
type consolidate struct {
	bestFit
	units []int // by rack
}

func newConsolidate(_ any, env policies.Env) (Rule, error) {
	return &consolidate{bestFit: bestFit{newFinder(env)}, units: make([]int, env.Cluster.Racks())}, nil
}

func (p *consolidate) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	r := j.Req
	if !p.c.Fits(r) {
		return nil
	}
	p.s.Reset()
	need := r.Need()
	if r.PerNode > 0 {
		need = r.PerNode * r.Nodes
	} else if n := p.pick(j, need); n >= 0 {
		return p.carve(p, j, n, need, dst)
	} else if need == 1 {
		return nil
	}
	start, left, nodes := len(dst), need, 0
	for left > 0 {
		rack := p.rack(r, left)
		if rack < 0 {
			break
		}
		for left > 0 {
			n := p.nodeIn(j, rack, left)
			if n < 0 {
				break
			}
			u := min(p.c.Units(n, r), left)
			if r.PerNode > 0 {
				u = r.PerNode
			}
			dst = p.c.Carve(dst, n, r, u)
			p.s.Skip(n)
			left -= u
			nodes++
		}
	}
	if left > 0 || r.MaxNodes > 0 && nodes > r.MaxNodes {
		return p.place(&p.bestFit, j, dst[:start]) // closeness gives way to the bound on nodes
	}
	return dst
}

// rack returns the rack with the fewest units that serves left, or the one
// with the most when none does; -1 when no rack has any.
func (p *consolidate) rack(r *cluster.Request, left int) int {
	clear(p.units)
	p.s.Each(r, func(n, u int) bool {
		if r.PerNode > 0 {
			if u < r.PerNode {
				return true
			}
			u = r.PerNode
		}
		p.units[p.c.RackOf(n)] += u
		return true
	})
	tight, wide := -1, -1
	for i, u := range p.units {
		if u >= left && (tight < 0 || u < p.units[tight]) {
			tight = i
		}
		if u > 0 && (wide < 0 || u > p.units[wide]) {
			wide = i
		}
	}
	if tight >= 0 {
		return tight
	}
	return wide
}

// nodeIn returns the tightest node of a rack that serves what is left, or the
// widest when none does.
func (p *consolidate) nodeIn(j *cluster.Job, rack, left int) int {
	r := j.Req
	want := left
	if r.PerNode > 0 {
		want = r.PerNode
	}
	tight, free, wide, most := -1, 0, -1, 0
	p.s.Each(r, func(n, u int) bool {
		if p.c.RackOf(n) != rack {
			return true
		}
		if v := p.c.IdleMilli(n); u >= want && (tight < 0 || v < free) {
			tight, free = n, v
		}
		if u > most {
			wide, most = n, u
		}
		return true
	})
	if tight >= 0 || r.PerNode > 0 {
		return tight
	}
	return wide
}
