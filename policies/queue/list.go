// Package queue holds waiting jobs in the order of a policy.
//
// Mental model: a [List] is a sorted list of jobs, kept as a tree of small
// blocks that each know their narrowest and shortest job, so that "the first
// in order that is at most this wide and this long" needs no walk through the
// queue. A [Groups] is one List for each different request, so that what is
// learned of a request (it does not fit) is learned for all its jobs.
package queue

import (
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// fan is the most entries of a block.
const fan = 48

// item is one waiting job with what searching needs.
type item struct {
	key    cluster.Key
	index  int32
	units  int32
	length event.Time
	job    *cluster.Job
}

func (a *item) less(b *item) bool {
	if a.key != b.key {
		return a.key.Less(b.key)
	}
	return a.index < b.index
}

// block is a leaf (items) or an inner block (kids).
type block struct {
	items []item
	kids  []*block
	first item // copy of its first item
	units int32
	short event.Time
}

// List is a list of waiting jobs sorted by (Job.Key, Job.Index). A job's Key
// must not change while it is in the list. Insert, Remove and Find cost
// O(log n) as long as wide and narrow, long and short jobs are not perfectly
// interleaved.
type List struct {
	root *block
	n    int
}

// Len returns the number of jobs.
func (l *List) Len() int { return l.n }

func itemOf(j *cluster.Job) item {
	return item{key: j.Key, index: j.Index, units: int32(j.Req.GPUs), length: j.PlannedRun(), job: j}
}

// Insert adds a job.
func (l *List) Insert(j *cluster.Job) {
	it := itemOf(j)
	l.n++
	if l.root == nil {
		l.root = &block{items: make([]item, 0, fan)}
	}
	if split := l.root.insert(&it); split != nil {
		old := l.root
		l.root = &block{kids: append(make([]*block, 0, fan), old, split)}
		l.root.sum()
	}
}

// Remove takes a job out and reports whether it was there.
func (l *List) Remove(j *cluster.Job) bool {
	if l.root == nil {
		return false
	}
	it := item{key: j.Key, index: j.Index}
	if !l.root.remove(&it) {
		return false
	}
	if l.n--; l.n == 0 {
		if l.root.kids != nil {
			l.root = nil
		}
		return true
	}
	for len(l.root.kids) == 1 {
		l.root = l.root.kids[0]
	}
	return true
}

// First returns the first job, nil if there is none.
func (l *List) First() *cluster.Job {
	if l.n == 0 {
		return nil
	}
	return l.root.first.job
}

// Find returns the first job in order that asks for at most units GPUs and is
// planned to run at most length; nil if there is none.
func (l *List) Find(units int, length event.Time) *cluster.Job {
	if l.n == 0 {
		return nil
	}
	return l.root.find(nil, int32(min(units, 1<<30)), length)
}

// FindAfter is Find among the jobs behind j in order (j need not be there).
func (l *List) FindAfter(j *cluster.Job, units int, length event.Time) *cluster.Job {
	if l.n == 0 {
		return nil
	}
	if j == nil {
		return l.Find(units, length)
	}
	it := item{key: j.Key, index: j.Index}
	return l.root.find(&it, int32(min(units, 1<<30)), length)
}

// Each calls f for every job in order until f returns false. The list must not
// change meanwhile.
func (l *List) Each(f func(*cluster.Job) bool) {
	if l.n > 0 {
		l.root.each(f)
	}
}

func (b *block) each(f func(*cluster.Job) bool) bool {
	for i := range b.items {
		if !f(b.items[i].job) {
			return false
		}
	}
	for _, k := range b.kids {
		if !k.each(f) {
			return false
		}
	}
	return true
}

func (b *block) find(after *item, units int32, length event.Time) *cluster.Job {
	if b.units > units || b.short > length {
		return nil
	}
	if b.kids == nil {
		for i := range b.items {
			it := &b.items[i]
			if it.units <= units && it.length <= length && (after == nil || after.less(it)) {
				return it.job
			}
		}
		return nil
	}
	for i, k := range b.kids {
		if after != nil && i+1 < len(b.kids) && !after.less(&b.kids[i+1].first) {
			continue // everything in it is at or before after
		}
		if j := k.find(after, units, length); j != nil {
			return j
		}
	}
	return nil
}

// sum recomputes what the block knows of its entries.
func (b *block) sum() {
	if b.kids == nil {
		b.first = b.items[0]
		b.units, b.short = b.items[0].units, b.items[0].length
		for i := range b.items {
			b.units = min(b.units, b.items[i].units)
			b.short = min(b.short, b.items[i].length)
		}
		return
	}
	b.first = b.kids[0].first
	b.units, b.short = b.kids[0].units, b.kids[0].short
	for _, k := range b.kids {
		b.units = min(b.units, k.units)
		b.short = min(b.short, k.short)
	}
}

// insert adds it below b and returns the upper half if b had to be split.
func (b *block) insert(it *item) *block {
	if b.kids == nil {
		i := len(b.items)
		if i > 0 && it.less(&b.items[i-1]) {
			lo, hi := 0, i-1
			for lo < hi {
				m := int(uint(lo+hi) >> 1)
				if it.less(&b.items[m]) {
					hi = m
				} else {
					lo = m + 1
				}
			}
			i = lo
		}
		if len(b.items) == 0 {
			b.items = append(b.items, *it)
			b.sum()
			return nil
		}
		var up *block
		if len(b.items) == fan {
			// Splitting an append at the end leaves the left block full: a
			// first-come queue then packs its blocks.
			cut := fan / 2
			if i == fan {
				cut = fan
			}
			up = &block{items: append(make([]item, 0, fan), b.items[cut:]...)}
			clear(b.items[cut:])
			b.items = b.items[:cut]
			if i >= cut {
				up.items = insertAt(up.items, i-cut, it)
			} else {
				b.items = insertAt(b.items, i, it)
			}
			b.sum()
			up.sum()
			return up
		}
		b.items = insertAt(b.items, i, it)
		b.units, b.short = min(b.units, it.units), min(b.short, it.length)
		if i == 0 {
			b.first = *it
		}
		return nil
	}
	i := len(b.kids) - 1
	for i > 0 && it.less(&b.kids[i].first) {
		i--
	}
	up := b.kids[i].insert(it)
	b.units, b.short = min(b.units, it.units), min(b.short, it.length)
	if i == 0 {
		b.first = b.kids[0].first
	}
	if up == nil {
		return nil
	}
	if len(b.kids) < fan {
		b.kids = append(b.kids, nil)
		copy(b.kids[i+2:], b.kids[i+1:])
		b.kids[i+1] = up
		return nil
	}
	cut := fan / 2
	if i == fan-1 {
		cut = fan - 1
	}
	all := make([]*block, 0, fan+1)
	all = append(append(append(all, b.kids[:i+1]...), up), b.kids[i+1:]...)
	right := &block{kids: append(make([]*block, 0, fan), all[cut:]...)}
	clear(b.kids)
	b.kids = append(b.kids[:0], all[:cut]...)
	b.sum()
	right.sum()
	return right
}

func insertAt(items []item, i int, it *item) []item {
	items = append(items, item{})
	copy(items[i+1:], items[i:])
	items[i] = *it
	return items
}

// remove takes the item with it's key and index out of b. A block left empty
// is dropped by its parent.
func (b *block) remove(it *item) bool {
	if b.kids == nil {
		lo, hi := 0, len(b.items)
		for lo < hi {
			m := int(uint(lo+hi) >> 1)
			if b.items[m].less(it) {
				lo = m + 1
			} else {
				hi = m
			}
		}
		if lo == len(b.items) || b.items[lo].index != it.index || b.items[lo].key != it.key {
			return false
		}
		gone := b.items[lo]
		copy(b.items[lo:], b.items[lo+1:])
		b.items[len(b.items)-1] = item{}
		b.items = b.items[:len(b.items)-1]
		if len(b.items) > 0 && (lo == 0 || gone.units == b.units || gone.length == b.short) {
			b.sum()
		}
		return true
	}
	i := len(b.kids) - 1
	for i > 0 && it.less(&b.kids[i].first) {
		i--
	}
	k := b.kids[i]
	units, short := k.units, k.short
	if !k.remove(it) {
		return false
	}
	if len(k.items) == 0 && len(k.kids) == 0 {
		copy(b.kids[i:], b.kids[i+1:])
		b.kids[len(b.kids)-1] = nil
		b.kids = b.kids[:len(b.kids)-1]
		if len(b.kids) > 0 {
			b.sum()
		}
		return true
	}
	if i == 0 || units != k.units || short != k.short {
		b.sum()
	}
	return true
}
