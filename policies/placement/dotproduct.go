package placement

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
)

// dotProduct takes the node whose free amounts are most alike to what the job
// asks for: largest sum of free x asked over GPUs, CPU cores and memory, each
// as a share of the largest node. A resource that no node limits is left out.
//
// Source: the dot-product heuristic of vector bin packing (Panigrahy et al.,
// Heuristics for Vector Bin Packing, 2011; Tetris, SIGCOMM 2014). Cost:
// O(nodes).
type dotProduct struct {
	finder
	gpus     float64
	cpu, mem float64 // of the largest node; 0 where not counted
}

func newDotProduct(_ any, env policies.Env) (Rule, error) {
	p := &dotProduct{finder: newFinder(env)}
	for _, n := range env.Cluster.Spec().Nodes {
		p.gpus = max(p.gpus, float64(n.GPUs))
		p.cpu = max(p.cpu, float64(n.CPUMilli))
		p.mem = max(p.mem, float64(n.Memory))
	}
	return p, nil
}

func (p *dotProduct) Place(j *cluster.Job, dst []cluster.Chunk) []cluster.Chunk {
	return p.place(p, j, dst)
}

// score is the negated product in billionths: rounding makes ties of what
// differs by less, and keeps sums of floats from deciding.
func (p *dotProduct) score(r *cluster.Request) func(n int) int {
	return func(n int) int {
		sum := 0.0
		if p.gpus > 0 {
			sum += float64(p.c.IdleMilli(n)) / 1000 / p.gpus * float64(r.Milli()) / 1000 / p.gpus
		}
		cpu, mem := p.c.FreeHost(n)
		if p.cpu > 0 && cpu > 0 {
			sum += float64(cpu) / p.cpu * float64(r.CPU) / p.cpu
		}
		if p.mem > 0 && mem > 0 {
			sum += float64(mem) / p.mem * float64(r.Mem) / p.mem
		}
		return -int(sum * 1e9)
	}
}

func (p *dotProduct) pick(j *cluster.Job, need int) int {
	return p.least(j.Req, need, p.score(j.Req))
}

func (p *dotProduct) widest(j *cluster.Job) int { return p.widestBy(j.Req, p.score(j.Req)) }

func (p *dotProduct) gpu(j *cluster.Job, n int) int {
	return p.shareGPU(n, j.Req.Share, func(free int) int { return free })
}
