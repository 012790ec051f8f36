package event

import (
	"math/rand/v2"
	"sort"
	"testing"
)

// naive is the oracle: an unsorted slice, searched each time.
type naive struct {
	at    Time
	phase Phase
	seq   uint64
	ev    Event
	h     Handle
}

func TestListAgainstSortedSlice(t *testing.T) {
	for seed := uint64(0); seed < 20; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		l := NewList(0)
		var want []naive
		seq := uint64(0)
		for step := 0; step < 3000; step++ {
			switch op := r.IntN(10); {
			case op < 5:
				at, ph := Time(r.IntN(50)), Phase(r.IntN(4))
				ev := Event{Owner: uint8(r.IntN(5)), Kind: 1, A: int32(seq), B: int32(step)}
				want = append(want, naive{at, ph, seq, ev, l.Schedule(at, ph, seq, ev)})
				seq++
			case op < 7 && len(want) > 0:
				i := r.IntN(len(want))
				want[i].at = Time(r.IntN(50))
				if !l.Move(want[i].h, want[i].at) {
					t.Fatal("a pending event could not be moved")
				}
			case op < 8 && len(want) > 0:
				i := r.IntN(len(want))
				if !l.Cancel(want[i].h) || l.Cancel(want[i].h) || l.Pending(want[i].h) {
					t.Fatal("cancel must work once")
				}
				want = append(want[:i], want[i+1:]...)
			default:
				sort.Slice(want, func(i, j int) bool {
					a, b := want[i], want[j]
					if a.at != b.at {
						return a.at < b.at
					}
					if a.phase != b.phase {
						return a.phase < b.phase
					}
					return a.seq < b.seq
				})
				at, ph, ok := l.Peek()
				if ok != (len(want) > 0) {
					t.Fatalf("peek says %v with %d pending", ok, len(want))
				}
				if !ok {
					continue
				}
				if at != want[0].at || ph != want[0].phase {
					t.Fatalf("peek (%d,%d), want (%d,%d)", at, ph, want[0].at, want[0].phase)
				}
				gotAt, ev, _ := l.Next()
				if gotAt != want[0].at || ev != want[0].ev {
					t.Fatalf("next %d %v, want %d %v", gotAt, ev, want[0].at, want[0].ev)
				}
				if l.Move(want[0].h, 3) {
					t.Fatal("a fired event could be moved")
				}
				want = want[1:]
			}
			if l.Len() != len(want) {
				t.Fatalf("len %d, want %d", l.Len(), len(want))
			}
		}
	}
}

// An event moved away and back, or cancelled and scheduled again in the same
// place, fires exactly once.
func TestMovedBackFiresOnce(t *testing.T) {
	l := NewList(0)
	h := l.Schedule(5, 1, 7, Event{A: 1})
	l.Move(h, 9)
	l.Move(h, 5)
	l.Cancel(h)
	l.Schedule(5, 1, 7, Event{A: 2})
	if _, ev, ok := l.Next(); !ok || ev.A != 2 {
		t.Fatalf("got %v %v", ev, ok)
	}
	if _, ev, ok := l.Next(); ok {
		t.Fatalf("fired twice: %v", ev)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	l := NewList(0)
	r := rand.New(rand.NewPCG(1, 2))
	var hs [512]Handle
	for i := range hs {
		hs[i] = l.Schedule(Time(r.IntN(1000)), 0, uint64(i), Event{A: int32(i)})
	}
	run := func() {
		for i := 0; i < 2000; i++ {
			at, ev, _ := l.Next()
			hs[ev.A] = l.Schedule(at+Time(r.IntN(1000)), 0, uint64(ev.A), ev)
			k := r.IntN(len(hs))
			l.Move(hs[k], at+Time(r.IntN(1000)))
			k = r.IntN(len(hs))
			l.Cancel(hs[k])
			hs[k] = l.Schedule(at+5, 0, uint64(k), Event{A: int32(k)})
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Fatalf("%v allocations in steady state", n)
	}
}

func TestStreamsAreIndependentAndFixed(t *testing.T) {
	a, b := Stream(1, "arrivals", 0), Stream(1, "arrivals", 1)
	if a.Uint64() == b.Uint64() {
		t.Fatal("two entities share a stream")
	}
	if Stream(1, "x", 0).Uint64() != Stream(1, "x", 0).Uint64() {
		t.Fatal("a stream is not reproducible")
	}
}
