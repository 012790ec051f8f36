package topology

import (
	"fmt"
	"slices"
)

// Buddy hands out the GPUs of a node in cells of a hierarchy, such as pairs
// inside halves inside the node, so that each request gets GPUs that are near
// each other and large cells stay whole as long as they can. As in HiveD (Zhao
// et al., OSDI 2020, buddy cell allocation): the smallest free cell that is
// large enough is split down to the wanted level; a cell whose parts have all
// come back is whole again.
type Buddy struct {
	levels []int   // sizes of cells, rising
	free   [][]int // of each level, the first GPUs of its free cells, rising
}

// NewBuddy makes a hierarchy of cells of these sizes over whole cells of the
// last; each size must divide the next.
func NewBuddy(levels []int, cells int) (*Buddy, error) {
	for i, size := range levels {
		if size < 1 || i > 0 && (size <= levels[i-1] || size%levels[i-1] != 0) {
			return nil, fmt.Errorf("levels %v: each size must divide the next, from 1 up", levels)
		}
	}
	if len(levels) == 0 || cells < 1 {
		return nil, fmt.Errorf("%d levels and %d cells: there must be some of both", len(levels), cells)
	}
	b := &Buddy{levels: slices.Clone(levels), free: make([][]int, len(levels))}
	for i := range cells {
		b.free[len(levels)-1] = append(b.free[len(levels)-1], i*levels[len(levels)-1])
	}
	return b, nil
}

// Free counts the free cells of a size; those inside larger free ones do not
// count.
func (b *Buddy) Free(size int) int {
	if l := slices.Index(b.levels, size); l >= 0 {
		return len(b.free[l])
	}
	return 0
}

// Take takes a cell of a size and returns its first GPU; false when none is free
// at this size or above.
func (b *Buddy) Take(size int) (int, bool) {
	level := slices.Index(b.levels, size)
	from := level
	for from >= 0 && from < len(b.levels) && len(b.free[from]) == 0 {
		from++
	}
	if level < 0 || from == len(b.levels) {
		return 0, false
	}
	first := b.free[from][0]
	b.free[from] = b.free[from][1:]
	for l := from - 1; l >= level; l-- { // keep the first part, free the others
		for at := first + b.levels[l]; at < first+b.levels[l+1]; at += b.levels[l] {
			b.put(l, at)
		}
	}
	return first, true
}

// Give gives a cell back that Take has taken.
func (b *Buddy) Give(first, size int) {
	level := slices.Index(b.levels, size)
	for ; level >= 0; level++ {
		b.put(level, first)
		if level+1 == len(b.levels) {
			return
		}
		whole := b.levels[level+1]
		first = first / whole * whole
		inside := func(at int) bool { return at >= first && at < first+whole }
		parts := 0
		for _, at := range b.free[level] {
			if inside(at) {
				parts++
			}
		}
		if parts < whole/b.levels[level] {
			return
		}
		b.free[level] = slices.DeleteFunc(b.free[level], inside)
	}
}

func (b *Buddy) put(level, first int) {
	i, _ := slices.BinarySearch(b.free[level], first)
	b.free[level] = slices.Insert(slices.Clone(b.free[level]), i, first)
}
