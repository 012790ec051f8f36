package order

import (
	"math/bits"

	"gpusim/policies"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// srtf is shortest remaining time first: key = time the job would still run.
// It reads the real duration, which no real scheduler can.
//
// Source: Schrage, Operations Research 16(3), 1968; as in the Tiresias
// simulator's "shortest". Cost: O(1) a job.
type srtf struct{ still }

func newSRTF(any, policies.Env) (Order, error) { return srtf{}, nil }

func (srtf) Key(j *cluster.Job, now event.Time) cluster.Key {
	return cluster.Key{A: int64(j.Remaining(now))}
}

// KeepsRank: the published simulator sorts its list of unfinished jobs stably.
func (srtf) KeepsRank() {}

// srsf is smallest remaining service first: key = remaining time x GPUs. It
// reads the real duration, which no real scheduler can.
//
// Source: Tiresias (Gu et al., NSDI 2019), section 3.3; its simulator's
// "shortest-gpu". Cost: O(1) a job.
type srsf struct{ still }

func newSRSF(any, policies.Env) (Order, error) { return srsf{}, nil }

func (srsf) Key(j *cluster.Job, now event.Time) cluster.Key {
	return wide(j.Remaining(now), j.Req.Milli())
}

// KeepsRank: as srtf.
func (srsf) KeepsRank() {}

// wide is t x n as a key that orders like the exact product.
func wide(t event.Time, n int64) cluster.Key {
	hi, lo := bits.Mul64(uint64(t), uint64(n))
	return cluster.Key{A: int64(hi), B: int64(lo ^ 1<<63)} // as unsigned
}
