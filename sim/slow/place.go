package slow

// room is what is free, by node: which GPUs, and how many thousandths of CPUs.
type room struct {
	nodes []Node
	gpu   [][]bool
	cpu   []int
}

func emptyRoom(nodes []Node) *room {
	r := &room{nodes: nodes}
	for _, n := range nodes {
		g := make([]bool, n.GPUs)
		for i := range g {
			g[i] = true
		}
		r.gpu = append(r.gpu, g)
		r.cpu = append(r.cpu, 1000*n.CPU)
	}
	return r
}

// where is a place for a job: GPUs, or a node for a job without any.
type where struct {
	spots []Spot
	node  int
}

// nodeCPU is a node's part of a job's CPUs when it gives n of its GPUs, in
// thousandths, rounded up.
func nodeCPU(j *Job, n int) int {
	if j.GPUs == 0 {
		return 1000 * j.CPU
	}
	return (n*1000*j.CPU + j.GPUs - 1) / j.GPUs
}

// change takes (free false) or gives back a place.
func (r *room) change(j *Job, w where, free bool) {
	count := map[int]int{}
	for _, s := range w.spots {
		r.gpu[s.Node][s.GPU] = free
		count[s.Node]++
	}
	if j.GPUs == 0 {
		count[w.node] = 0
	}
	for n, k := range count {
		if r.nodes[n].CPU == None {
			continue
		}
		if free {
			r.cpu[n] += nodeCPU(j, k)
		} else {
			r.cpu[n] -= nodeCPU(j, k)
		}
	}
}

func (r *room) take(j *Job, w where) { r.change(j, w, false) }
func (r *room) give(j *Job, w where) { r.change(j, w, true) }

// has says whether a place is free.
func (r *room) has(j *Job, at where) bool {
	for _, s := range at.spots {
		if !r.gpu[s.Node][s.GPU] {
			return false
		}
	}
	c := r.clone()
	c.take(j, at)
	for n := range c.nodes {
		if c.nodes[n].CPU != None && c.cpu[n] < 0 {
			return false
		}
	}
	return true
}

func (r *room) clone() *room {
	c := &room{nodes: r.nodes, cpu: append([]int(nil), r.cpu...)}
	for _, g := range r.gpu {
		c.gpu = append(c.gpu, append([]bool(nil), g...))
	}
	return c
}

func (r *room) freeOn(n int) int {
	k := 0
	for _, f := range r.gpu[n] {
		if f {
			k++
		}
	}
	return k
}

// serves says whether a node belongs to what the job may use.
func (r *room) serves(j *Job, n int) bool {
	return j.Partition == "" || r.nodes[n].Partition == j.Partition
}

// units is how many of the job's GPUs a node can give.
func (r *room) units(j *Job, n int) int {
	if !r.serves(j, n) {
		return 0
	}
	u := min(r.freeOn(n), j.GPUs)
	for u > 0 && r.nodes[n].CPU != None && nodeCPU(j, u) > r.cpu[n] {
		u--
	}
	return u
}

// spots are the first u free GPUs of a node.
func (r *room) spots(n, u int) []Spot {
	var s []Spot
	for g, f := range r.gpu[n] {
		if f && len(s) < u {
			s = append(s, Spot{n, g})
		}
	}
	return s
}

// place finds where the rule puts a job; ok is false if there is no place.
func (r *room) place(rule string, j *Job) (w where, ok bool) {
	if j.GPUs == 0 {
		return r.placeCPU(rule, j)
	}
	if per, nodes := shape(j); per > 0 {
		if per*nodes != j.GPUs {
			return where{}, false
		}
		return r.placeShape(rule, j, per, nodes)
	}
	if n := r.bestNode(rule, j, j.GPUs, nil); n >= 0 {
		return where{spots: r.spots(n, j.GPUs)}, true
	}
	if rule == "first-fit" {
		if w, ok := r.inFileOrder(j); ok {
			return w, true
		}
	}
	return r.fewest(rule, j)
}

// shape is GPUs a node and nodes, 0 0 where the job leaves them open.
func shape(j *Job) (per, nodes int) {
	per, nodes = j.PerNode, j.Nodes
	if per == 0 && nodes == 0 {
		return 0, 0
	}
	if per == 0 {
		per = j.GPUs / nodes
	}
	if nodes == 0 {
		nodes = j.GPUs / per
	}
	return per, nodes
}

// bestNode is the node that the rule likes best among those that can give u.
func (r *room) bestNode(rule string, j *Job, u int, used map[int]bool) int {
	best := -1
	for n := range r.nodes {
		if used[n] || r.units(j, n) < u {
			continue
		}
		if best < 0 || rule == "best-fit" && r.freeOn(n) < r.freeOn(best) {
			best = n
		}
	}
	return best
}

func (r *room) placeCPU(rule string, j *Job) (where, bool) {
	best := -1
	for n := range r.nodes {
		if !r.serves(j, n) || r.nodes[n].CPU != None && r.cpu[n] < nodeCPU(j, 0) {
			continue
		}
		if best < 0 || rule == "best-fit" && r.freeOn(n) < r.freeOn(best) {
			best = n
		}
	}
	return where{node: best}, best >= 0
}

func (r *room) placeShape(rule string, j *Job, per, nodes int) (where, bool) {
	w, used := where{}, map[int]bool{}
	for range nodes {
		n := r.bestNode(rule, j, per, used)
		if n < 0 {
			return where{}, false
		}
		used[n] = true
		w.spots = append(w.spots, r.spots(n, per)...)
	}
	return w, true
}

// inFileOrder takes as much of each node as fits, in file order.
func (r *room) inFileOrder(j *Job) (where, bool) {
	w, left, nodes := where{}, j.GPUs, 0
	for n := range r.nodes {
		if u := min(r.units(j, n), left); u > 0 {
			w.spots = append(w.spots, r.spots(n, u)...)
			left -= u
			nodes++
		}
	}
	return w, left == 0 && (j.MaxNodes == 0 || nodes <= j.MaxNodes)
}

// fewest takes the widest nodes until the rest fits one.
func (r *room) fewest(rule string, j *Job) (where, bool) {
	w, left, used := where{}, j.GPUs, map[int]bool{}
	for left > 0 {
		n := -1
		if len(used) > 0 {
			n = r.bestNode(rule, j, left, used)
		}
		if n < 0 {
			n = r.widest(rule, j, used)
		}
		if n < 0 || j.MaxNodes > 0 && len(used) == j.MaxNodes {
			return where{}, false
		}
		u := min(r.units(j, n), left)
		w.spots = append(w.spots, r.spots(n, u)...)
		left -= u
		used[n] = true
	}
	return w, true
}

func (r *room) widest(rule string, j *Job, used map[int]bool) int {
	best := -1
	for n := range r.nodes {
		u := r.units(j, n)
		if used[n] || u == 0 {
			continue
		}
		if best < 0 || u > r.units(j, best) || rule == "best-fit" && u == r.units(j, best) && r.freeOn(n) < r.freeOn(best) {
			best = n
		}
	}
	return best
}
