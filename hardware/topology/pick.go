package topology

import (
	"fmt"
	"slices"
)

// maxPick bounds the GPUs of a node among which Pick chooses.
const maxPick = 32

// Pick chooses k GPUs that are not busy: those whose worst link is best, of
// these those with the best sum of ranks, of these the lowest positions. Busy
// and the choice are positions in GPUs. The second value is the worst link,
// empty where k is 1. Cost: all sets at worst; far fewer where links are alike.
func (n *Node) Pick(k int, busy []int) ([]int, Link, error) {
	if len(n.GPUs) > maxPick {
		return nil, "", fmt.Errorf("the node has %d GPUs; the best are chosen among %d at most", len(n.GPUs), maxPick)
	}
	var free []int
	for i := range n.GPUs {
		if !slices.Contains(busy, i) {
			free = append(free, i)
		}
	}
	switch {
	case k < 1:
		return nil, "", fmt.Errorf("%d GPUs are wanted; ask for 1 or more", k)
	case k > len(free):
		return nil, "", fmt.Errorf("%d GPUs are wanted, but %d of %d are free", k, len(free), len(n.GPUs))
	}
	s := search{node: n, free: free, k: k, worst: -1}
	s.top = s.best(free)
	s.extend(nil, 0, s.top, 0)
	worst := Link("")
	for a, i := range s.found {
		for _, j := range s.found[:a] {
			if l := n.Links[i][j]; worst == "" || l.Rank() < worst.Rank() {
				worst = l
			}
		}
	}
	return s.found, worst, nil
}

// search is the state of Pick: sets are tried in order, so of equals the first
// stays.
type search struct {
	node       *Node
	free       []int
	k, top     int // GPUs wanted; the best rank there is
	found      []int
	worst, sum int // of found
}

// best is the best rank among GPUs.
func (s *search) best(gpus []int) int {
	top := 0
	for _, i := range gpus {
		for _, j := range gpus {
			if i != j {
				top = max(top, s.node.Links[i][j].Rank())
			}
		}
	}
	return top
}

// extend adds GPUs from free[from:] to a set, unless even the best links could
// not make it better than what was found.
func (s *search) extend(set []int, from, worst, sum int) {
	left := s.k*(s.k-1)/2 - len(set)*(len(set)-1)/2
	if worst < s.worst || worst == s.worst && sum+left*s.top <= s.sum {
		return
	}
	if len(set) == s.k {
		s.found, s.worst, s.sum = slices.Clone(set), worst, sum
		return
	}
	for i := from; i <= len(s.free)-(s.k-len(set)); i++ {
		w, add := worst, 0
		for _, j := range set {
			r := s.node.Links[s.free[i]][j].Rank()
			w, add = min(w, r), add+r
		}
		s.extend(append(slices.Clip(set), s.free[i]), i+1, w, sum+add)
	}
}
