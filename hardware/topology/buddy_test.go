package topology

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBuddySplit is golden case 071.
func TestBuddySplit(t *testing.T) {
	levels := []int{1, 2, 4, 8}
	b, err := NewBuddy(levels, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		size, first int
		ok          bool
		free        []int // of 1, 2, 4, 8
	}{{1, 0, true, []int{1, 1, 1, 0}}, {2, 2, true, []int{1, 0, 1, 0}}, {4, 4, true, []int{1, 0, 0, 0}}, {2, 0, false, []int{1, 0, 0, 0}}} {
		first, ok := b.Take(c.size)
		var free []int
		for _, l := range levels {
			free = append(free, b.Free(l))
		}
		if first != c.first || ok != c.ok || !slices.Equal(free, c.free) {
			t.Errorf("request %d of %d: %d %v, free %v", i, c.size, first, ok, free)
		}
	}
}

// TestBuddyGivesBack: cells never overlap, and when all are back the node is
// whole.
func TestBuddyGivesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	b, err := NewBuddy([]int{1, 2, 4, 16}, 2)
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, 32)
	mark := func(c [2]int, to bool) {
		for i := c[0]; i < c[0]+c[1]; i++ {
			if used[i] == to {
				t.Fatalf("GPU %d is taken or given twice", i)
			}
			used[i] = to
		}
	}
	var cells [][2]int
	for range 5000 {
		if len(cells) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(cells))
			mark(cells[i], false)
			b.Give(cells[i][0], cells[i][1])
			cells = slices.Delete(cells, i, i+1)
			continue
		}
		size := []int{1, 2, 4, 16}[r.IntN(4)]
		if first, ok := b.Take(size); ok {
			cells = append(cells, [2]int{first, size})
			mark(cells[len(cells)-1], true)
		}
	}
	for _, c := range cells {
		b.Give(c[0], c[1])
	}
	if b.Free(16) != 2 || b.Free(1)+b.Free(2)+b.Free(4) != 0 {
		t.Errorf("free %v", b.free)
	}
	for _, levels := range [][]int{{}, {0}, {2, 3}, {2, 2}, {4, 2}} {
		if _, err := NewBuddy(levels, 1); err == nil {
			t.Errorf("levels %v are taken", levels)
		}
	}
	if _, ok := b.Take(3); ok {
		t.Error("a cell of 3")
	}
}
