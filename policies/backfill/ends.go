package backfill

import (
	"fmt"
	"sort"

	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// blockLen is the most entries of a block of ends.
const blockLen = 128

// ends lists running jobs by planned end (then index), in blocks that know
// their sum of GPUs, so that "when are so many GPUs back" costs
// O(running / 128 + 128).
type ends struct {
	blocks []endBlock
}

type endBlock struct {
	entries []endEntry
	sum     int // GPUs
}

type endEntry struct {
	at    event.Time
	index int32
	gpus  int32
	job   *cluster.Job
}

func (e *ends) find(at event.Time, index int32) (b, i int) {
	b = sort.Search(len(e.blocks), func(k int) bool {
		last := &e.blocks[k].entries[len(e.blocks[k].entries)-1]
		return last.at > at || last.at == at && last.index >= index
	})
	if b == len(e.blocks) {
		return b, 0
	}
	en := e.blocks[b].entries
	lo, hi := 0, len(en)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if en[m].at < at || en[m].at == at && en[m].index < index {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return b, lo
}

func (e *ends) insert(j *cluster.Job) {
	en := endEntry{j.PlannedEnd, j.Index, int32(j.Req.GPUs), j}
	b, i := e.find(en.at, en.index)
	if b == len(e.blocks) {
		if b == 0 {
			e.blocks = append(e.blocks, endBlock{entries: make([]endEntry, 0, blockLen)})
		} else {
			b--
			i = len(e.blocks[b].entries)
		}
		b = len(e.blocks) - 1
	}
	blk := &e.blocks[b]
	if len(blk.entries) == blockLen {
		half := blockLen / 2
		up := endBlock{entries: append(make([]endEntry, 0, blockLen), blk.entries[half:]...)}
		clear(blk.entries[half:])
		blk.entries = blk.entries[:half]
		blk.resum()
		up.resum()
		e.blocks = append(e.blocks, endBlock{})
		copy(e.blocks[b+2:], e.blocks[b+1:])
		e.blocks[b+1] = up
		if i > half {
			b, i = b+1, i-half
		}
		blk = &e.blocks[b]
	}
	blk.entries = append(blk.entries, endEntry{})
	copy(blk.entries[i+1:], blk.entries[i:])
	blk.entries[i] = en
	blk.sum += int(en.gpus)
}

func (b *endBlock) resum() {
	b.sum = 0
	for i := range b.entries {
		b.sum += int(b.entries[i].gpus)
	}
}

func (e *ends) remove(j *cluster.Job) {
	b, i := e.find(j.PlannedEnd, j.Index)
	if b == len(e.blocks) || i == len(e.blocks[b].entries) || e.blocks[b].entries[i].job != j {
		return
	}
	blk := &e.blocks[b]
	blk.sum -= int(blk.entries[i].gpus)
	copy(blk.entries[i:], blk.entries[i+1:])
	blk.entries[len(blk.entries)-1] = endEntry{}
	blk.entries = blk.entries[:len(blk.entries)-1]
	if len(blk.entries) == 0 {
		e.blocks = append(e.blocks[:b], e.blocks[b+1:]...)
	}
}

// each calls f for every running job by planned end.
func (e *ends) each(f func(*cluster.Job)) {
	for b := range e.blocks {
		for i := range e.blocks[b].entries {
			f(e.blocks[b].entries[i].job)
		}
	}
}

// first returns the earliest planned end, Never if nothing runs.
func (e *ends) first() event.Time {
	if len(e.blocks) == 0 {
		return event.Never
	}
	return e.blocks[0].entries[0].at
}

// back returns when need more GPUs are back by plan, and how many are back by
// then in all. Ends before now are planned to be now. ok is false when so many
// never come back.
func (e *ends) back(now event.Time, need int) (at event.Time, sum int, ok bool) {
	for b := range e.blocks {
		blk := &e.blocks[b]
		if !ok {
			if sum+blk.sum < need {
				sum += blk.sum
				continue
			}
		} else if blk.entries[len(blk.entries)-1].at <= at {
			sum += blk.sum
			continue
		}
		for i := range blk.entries {
			en := &blk.entries[i]
			if ok && en.at > at {
				return at, sum, true
			}
			sum += int(en.gpus)
			if !ok && sum >= need {
				ok = true
				at = max(en.at, now)
			}
		}
	}
	return at, sum, ok
}

func (e *ends) check() error {
	last := endEntry{at: -1}
	for b := range e.blocks {
		sum := 0
		for _, en := range e.blocks[b].entries {
			if en.at < last.at || en.at == last.at && en.index <= last.index {
				return fmt.Errorf("planned ends are out of order at job %s", en.job.Spec.ID)
			}
			if en.at != en.job.PlannedEnd {
				return fmt.Errorf("job %s is planned to end at %d, listed at %d", en.job.Spec.ID, en.job.PlannedEnd, en.at)
			}
			if s := en.job.State; s != cluster.Running {
				return fmt.Errorf("job %s is listed as running, is %v", en.job.Spec.ID, s)
			}
			last = en
			sum += int(en.gpus)
		}
		if sum != e.blocks[b].sum {
			return fmt.Errorf("a block of planned ends sums %d GPUs, holds %d", e.blocks[b].sum, sum)
		}
	}
	return nil
}
