package topology

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// score is the worst rank and the sum of ranks of pairs.
func score(n *Node, pairs [][2]int) (worst, sum int) {
	worst = 1 << 20
	for _, p := range pairs {
		r := n.Links[p[0]][p[1]].Rank()
		worst, sum = min(worst, r), sum+r
	}
	return worst, sum
}

func better(w1, s1, w2, s2 int) bool { return w1 > w2 || w1 == w2 && s1 > s2 }

// TestPickIsBest compares with all sets, one after another.
func TestPickIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := randomNode(r)
		count := len(n.GPUs)
		var busy []int
		for i := range count {
			if r.IntN(4) == 0 {
				busy = append(busy, i)
			}
		}
		k := 1 + r.IntN(count)
		if k > count-len(busy) {
			if _, _, err := n.Pick(k, busy); err == nil || !strings.Contains(err.Error(), "are free") {
				t.Errorf("%v", err)
			}
			continue
		}
		var best []int
		bw, bs := -1, -1
		var all func(set []int, from int)
		all = func(set []int, from int) {
			if len(set) == k {
				var pairs [][2]int
				for i, a := range set {
					for _, b := range set[:i] {
						pairs = append(pairs, [2]int{a, b})
					}
				}
				if w, s := score(n, pairs); better(w, s, bw, bs) {
					best, bw, bs = slices.Clone(set), w, s
				}
				return
			}
			for i := from; i < count; i++ {
				if !slices.Contains(busy, i) {
					all(append(slices.Clip(set), i), i+1)
				}
			}
		}
		all(nil, 0)
		if got, _, err := n.Pick(k, busy); err != nil || !slices.Equal(got, best) {
			t.Fatalf("pick %d, busy %v: %v, %v, want %v\n%v", k, busy, got, err, best, n.Links)
		}
	}
}

// TestRingIsBest compares with all rings, one after another.
func TestRingIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		n := randomNode(r)
		count := min(len(n.GPUs), 7)
		n.GPUs = n.GPUs[:count]
		var best []int
		bw, bs := -1, -1
		var all func(order []int)
		all = func(order []int) {
			if len(order) == count {
				var pairs [][2]int
				for i := range order {
					if count > 1 {
						pairs = append(pairs, [2]int{order[i], order[(i+1)%count]})
					}
				}
				if w, s := score(n, pairs); better(w, s, bw, bs) {
					best, bw, bs = slices.Clone(order), w, s
				}
				return
			}
			for i := range count {
				if !slices.Contains(order, i) {
					all(append(slices.Clip(order), i))
				}
			}
		}
		all([]int{0})
		if got := n.Ring(); !slices.Equal(got, best) {
			t.Fatalf("ring %v, want %v\n%v", got, best, n.Links)
		}
	}
}

func TestLargeNodes(t *testing.T) {
	n := &Node{}
	for i := range 40 {
		n.GPUs = append(n.GPUs, GPU{Index: i})
		n.Links = append(n.Links, slices.Repeat([]Link{SYS}, 40))
		n.Links[i][i] = Self
	}
	if _, _, err := n.Pick(2, nil); err == nil || !strings.Contains(err.Error(), "32 at most") {
		t.Error(err)
	}
	ring := n.Ring()
	slices.Sort(ring)
	if len(slices.Compact(ring)) != 40 {
		t.Errorf("ring %v", ring)
	}
}
