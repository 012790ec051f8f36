package queue

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpusim/sim/cluster"
	"gpusim/sim/event"
	"gpusim/workloads"
)

func job(r *rand.Rand, i int) *cluster.Job {
	return &cluster.Job{
		Spec:  &workloads.Job{Duration: event.Time(r.IntN(40))},
		Req:   &cluster.Request{GPUs: 1 + r.IntN(16)},
		Left:  cluster.WorkOf(0),
		Index: int32(i),
		Key:   cluster.Key{A: int64(r.IntN(6))},
	}
}

func TestListAgainstSortedSlice(t *testing.T) {
	for seed := uint64(0); seed < 12; seed++ {
		r := rand.New(rand.NewPCG(seed, 9))
		var l List
		var want []*cluster.Job
		for i := 0; i < 4000; i++ {
			if len(want) == 0 || r.IntN(100) < 55-int(seed%3)*10 {
				j := job(r, i)
				// PlannedRun counts what is kept as done; make nothing done.
				j.Left = cluster.WorkOf(j.Spec.Duration)
				l.Insert(j)
				want = append(want, j)
				slices.SortFunc(want, func(a, b *cluster.Job) int {
					if Before(a, b) {
						return -1
					}
					return 1
				})
			} else {
				k := r.IntN(len(want))
				if !l.Remove(want[k]) || l.Remove(want[k]) {
					t.Fatal("remove must work once")
				}
				want = slices.Delete(want, k, k+1)
			}
			if l.Len() != len(want) {
				t.Fatalf("len %d want %d", l.Len(), len(want))
			}
			units, length := r.IntN(18), event.Time(r.IntN(45))
			var after *cluster.Job
			if len(want) > 0 && r.IntN(2) == 0 {
				after = want[r.IntN(len(want))]
			}
			var exp *cluster.Job
			for _, j := range want {
				if j.Req.GPUs <= units && j.PlannedRun() <= length && (after == nil || Before(after, j)) {
					exp = j
					break
				}
			}
			if got := l.FindAfter(after, units, length); got != exp {
				t.Fatalf("seed %d step %d: found %v want %v", seed, i, got, exp)
			}
			if len(want) > 0 && l.First() != want[0] {
				t.Fatal("first")
			}
			if i%500 == 0 {
				var all []*cluster.Job
				l.Each(func(j *cluster.Job) bool { all = append(all, j); return true })
				if !slices.Equal(all, want) {
					t.Fatal("order differs")
				}
			}
		}
	}
}
