package topology

import "slices"

// maxRing bounds the GPUs for which the best ring is found.
const maxRing = 16

// Ring is an order of all GPUs, as positions in GPUs from 0, in which neighbours
// are near each other, the last and the first included: of all rings one whose
// worst link is best, of these one with the best sum of ranks, of these the
// first in order. Beyond 16 GPUs it is the walk to the nearest next, which may
// be worse. Cost: 2^n n² steps.
func (n *Node) Ring() []int {
	switch count := len(n.GPUs); {
	case count > maxRing:
		return n.walk()
	case count < 4: // one ring only
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		return order
	}
	for _, least := range n.ranks() {
		if order := n.ringOf(least); order != nil {
			return order
		}
	}
	return nil // not reached: the least rank allows all rings
}

// ranks lists the ranks of the links between GPUs, the best first.
func (n *Node) ranks() []int {
	var list []int
	for i := range n.GPUs {
		for j := range n.GPUs[:i] {
			list = append(list, n.Links[i][j].Rank())
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return slices.Compact(list)
}

// ringOf is the ring of the best sum without links below a rank, nil when there
// is none. best[set][v] is the best sum of a way from v through the GPUs that
// are not in set and back to 0 (Held and Karp).
func (n *Node) ringOf(least int) []int {
	count := len(n.GPUs)
	full := 1<<count - 1
	best := make([][maxRing]int32, full+1)
	step := func(set, v, w int) int32 { // by way of w; negative when not possible
		r := n.Links[v][w].Rank()
		if r < least || best[set|1<<w][w] < 0 {
			return -1
		}
		return int32(r) + best[set|1<<w][w]
	}
	for set := full; set > 0; set-- {
		if set&1 == 0 {
			continue
		}
		for v := range count {
			if set&(1<<v) == 0 {
				continue
			}
			sum := int32(-1)
			if r := n.Links[v][0].Rank(); set == full && r >= least && v != 0 {
				sum = int32(r)
			}
			for w := range count {
				if set&(1<<w) == 0 {
					sum = max(sum, step(set, v, w))
				}
			}
			best[set][v] = sum
		}
	}
	if best[1][0] < 0 {
		return nil
	}
	order := []int{0}
	for set, v := 1, 0; set != full; {
		for w := range count {
			if set&(1<<w) == 0 && step(set, v, w) == best[set][v] {
				set, v = set|1<<w, w
				order = append(order, w)
				break
			}
		}
	}
	return order
}

// walk goes from each GPU to the nearest that is left.
func (n *Node) walk() []int {
	order := []int{0}
	done := make([]bool, len(n.GPUs))
	done[0] = true
	for len(order) < len(n.GPUs) {
		v, next := order[len(order)-1], -1
		for w := range n.GPUs {
			if !done[w] && (next < 0 || n.Links[v][w].Rank() > n.Links[v][next].Rank()) {
				next = w
			}
		}
		order, done[next] = append(order, next), true
	}
	return order
}
