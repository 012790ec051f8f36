package order

import (
	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Order ranks jobs.
type Order interface {
	// Key is the job's rank now. It may change the order's own fields of the
	// job (those of cluster.Job's last block) but nothing else. It is called
	// when the job begins to wait, at the instants that Next names, and for a
	// running job in every round.
	Key(j *cluster.Job, now event.Time) cluster.Key
	// Next is the next instant after now at which the key of a job, as it
	// stands, changes by itself and a round must see it; Never if none.
	Next(j *cluster.Job, now event.Time) event.Time
}

// Follower is implemented by orders that must know who holds GPUs.
type Follower interface {
	Started(j *cluster.Job, now event.Time)
	Stopped(j *cluster.Job, now event.Time)
}

// Shifter is implemented by orders under which the keys of waiting jobs can
// change at any time. Shift is called at the start of every round and reports
// whether they must be asked for again.
type Shifter interface{ Shift(now event.Time) bool }

// RankKeeper is implemented by orders under which running jobs of equal key
// keep the rank they had against each other, instead of falling back to
// submission: keys that only meet in passing must not make jobs change places.
type RankKeeper interface{ KeepsRank() }

// still is embedded by orders whose keys change with nothing but the job's
// state.
type still struct{}

func (still) Next(*cluster.Job, event.Time) event.Time { return event.Never }

// Table lists the orders.
func Table() []policies.Entry[Order] {
	return []policies.Entry[Order]{
		{Name: "fifo", Doc: "by time of submission", New: newFIFO},
		{Name: "sjf", Doc: "shortest estimate first", New: newSJF},
		{Name: "srtf", Doc: "shortest remaining time first (sees the real duration)", New: newSRTF},
		{Name: "srsf", Doc: "smallest remaining time x GPUs first (sees the real duration)", New: newSRSF},
		{Name: "smallest-first", Doc: "fewest GPUs first", New: newSmallest},
		{Name: "largest-first", Doc: "most GPUs first", New: newLargest},
		{Name: "priority", Doc: "largest priority first, rising with the time waited if asked", Config: func() any { return new(PriorityConfig) }, New: newPriority},
		{Name: "las", Doc: "least attained GPU time first", Config: func() any { return new(LASConfig) }, New: newLAS},
		{Name: "tiresias", Doc: "queues by attained GPU time, inside a queue by first start (2D-LAS, discretised)", Config: func() any { return new(TiresiasConfig) }, New: newTiresias},
		{Name: "edf", Doc: "earliest deadline first; jobs without one last", New: newEDF},
		{Name: "gittins", Doc: "largest Gittins index of the attained GPU time first, over a sample of services", Config: func() any { return new(GittinsConfig) }, New: newGittins},
		{Name: "fair", Doc: "those first whose users have used the least, old usage counting less", Config: func() any { return new(FairConfig) }, New: newFair},
	}
}
