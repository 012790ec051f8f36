package event

import "math/bits"

// Phase orders the events of one instant. The numbers are the kernel's; the
// list only compares them.
type Phase uint8

// Limits of the packed order word.
const (
	seqBits  = 36
	slotBits = 24

	// MaxSequence is the largest sequence number an event can carry.
	MaxSequence = 1<<seqBits - 1
	// MaxPending is the largest number of events that can be pending.
	MaxPending = 1<<slotBits - 2
	// MaxPhase is the largest phase.
	MaxPhase = 1<<(64-seqBits-slotBits) - 1
)

// Event is what the list carries: who it is for and what it says. It holds no
// pointer, so the list costs the garbage collector nothing.
type Event struct {
	Owner uint8 // the process it is for
	Kind  uint8 // that process's own kind
	A, B  int32 // that process's own operands
}

// Handle names a pending event for Move and Cancel. The zero Handle names none.
type Handle uint64

// key is one heap entry: 16 bytes, compared as one 128-bit number. The low
// bits of order hold the slot, which never decides (sequence numbers of one
// instant and phase should differ) but makes the order total in any case.
type key struct {
	at    Time
	order uint64 // phase | sequence | slot
}

func (a *key) less(b *key) bool { return a.before(b) != 0 }

// before is less as 1 or 0, without a branch: which of four children is the
// smallest cannot be predicted.
func (a *key) before(b *key) uint64 {
	_, borrow := bits.Sub64(a.order, b.order, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// slot is the payload of one pending event. A heap entry is live only while
// its slot still holds the same time and order; Cancel and Move change the
// slot and leave the old entry behind to be skipped (and swept when such
// entries are the majority), which costs less than keeping heap positions.
type slot struct {
	at    Time
	order uint64 // 0 = free
	ev    Event
	gen   uint32
}

// first is the index of the heap's root: with the root at 3 the four children
// of every entry share one cache line.
const first = 3

// List is the future event list: a 4-ary heap of 16-byte keys over a slab of
// payloads. Schedule, Next, Move and Cancel cost O(log n) (Move and Cancel
// amortised), and no allocation in steady state. At most 48 bytes a pending
// event beside the growth slack of two slices. The zero List is not usable;
// call NewList.
type List struct {
	heap  []key
	slots []slot
	free  []uint32
	live  int
	fired uint64
}

// NewList returns an empty list with room for n pending events.
func NewList(n int) *List {
	return &List{
		heap:  make([]key, first, first+n),
		slots: make([]slot, 1, n+1), // slot 0 is never used, so Handle 0 names nothing
	}
}

// Len returns the number of pending events.
func (l *List) Len() int { return l.live }

// Fired returns how many events Next has handed out.
func (l *List) Fired() uint64 { return l.fired }

// Schedule adds ev at the given time, phase and sequence. Sequence numbers are
// the caller's: they break ties inside a phase. at must not be negative.
func (l *List) Schedule(at Time, phase Phase, seq uint64, ev Event) Handle {
	var i uint32
	if n := len(l.free); n > 0 {
		i = l.free[n-1]
		l.free = l.free[:n-1]
	} else {
		i = uint32(len(l.slots))
		l.slots = append(l.slots, slot{})
	}
	s := &l.slots[i]
	s.at = at
	s.order = uint64(phase)<<(seqBits+slotBits) | seq<<slotBits | uint64(i)
	s.ev = ev
	l.live++
	l.push(key{at, s.order})
	return Handle(uint64(s.gen)<<32 | uint64(i))
}

// lookup returns the slot of a handle, or nil when its event is gone.
func (l *List) lookup(h Handle) *slot {
	i := uint32(h)
	if i == 0 || int(i) >= len(l.slots) {
		return nil
	}
	s := &l.slots[i]
	if s.order == 0 || s.gen != uint32(h>>32) {
		return nil
	}
	return s
}

// Pending reports whether the event of h has neither fired nor been cancelled.
func (l *List) Pending(h Handle) bool { return l.lookup(h) != nil }

// Move changes the time of a pending event and reports whether it was pending.
// Its phase and sequence stay.
func (l *List) Move(h Handle, at Time) bool {
	s := l.lookup(h)
	if s == nil {
		return false
	}
	if s.at != at {
		s.at = at
		l.push(key{at, s.order})
		l.sweep()
	}
	return true
}

// Cancel removes a pending event and reports whether it was pending.
func (l *List) Cancel(h Handle) bool {
	s := l.lookup(h)
	if s == nil {
		return false
	}
	l.release(s, uint32(h))
	l.sweep()
	return true
}

func (l *List) release(s *slot, i uint32) {
	s.order = 0
	s.gen++
	l.free = append(l.free, i)
	l.live--
}

// Peek returns the time and phase of the next event, and false when there is
// none.
func (l *List) Peek() (Time, Phase, bool) {
	if !l.settle() {
		return 0, 0, false
	}
	k := l.heap[first]
	return k.at, Phase(k.order >> (seqBits + slotBits)), true
}

// Next removes and returns the next event; false when there is none.
func (l *List) Next() (Time, Event, bool) {
	if !l.settle() {
		return 0, Event{}, false
	}
	k := l.heap[first]
	l.pop()
	i := uint32(k.order & (1<<slotBits - 1))
	s := &l.slots[i]
	ev := s.ev
	l.release(s, i)
	l.fired++
	return k.at, ev, true
}

// settle drops dead entries from the top; false when nothing is left.
func (l *List) settle() bool {
	for len(l.heap) > first {
		k := l.heap[first]
		s := &l.slots[k.order&(1<<slotBits-1)]
		if s.order == k.order && s.at == k.at {
			return true
		}
		l.pop()
	}
	return false
}

// sweep rebuilds the heap without its dead entries once they outnumber the
// live ones.
func (l *List) sweep() {
	n := len(l.heap) - first
	if n < 64 || n <= 2*l.live {
		return
	}
	kept := l.heap[:first]
	for _, k := range l.heap[first:] {
		s := &l.slots[k.order&(1<<slotBits-1)]
		if s.order == k.order && s.at == k.at {
			kept = append(kept, k)
		}
	}
	l.heap = kept
	for i := (len(kept)-1)>>2 + 2; i >= first; i-- {
		if i < len(kept) {
			l.down(i, kept[i])
		}
	}
}

func (l *List) push(k key) {
	l.heap = append(l.heap, k)
	h := l.heap
	i := len(h) - 1
	for i > first {
		p := i>>2 + 2
		if !k.less(&h[p]) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = k
}

func (l *List) pop() {
	n := len(l.heap) - 1
	k := l.heap[n]
	l.heap = l.heap[:n]
	if n > first {
		l.down(first, k)
	}
}

// down places k at or below position i. It walks the hole to a leaf along the
// smallest children and then lets k rise: the last entry of a heap belongs
// near the bottom, so this compares less than stopping early.
func (l *List) down(i int, k key) {
	h := l.heap
	top := i
	for {
		c := i<<2 - 8
		if c+4 > len(h) {
			break
		}
		q := (*[4]key)(h[c:])
		a := q[1].before(&q[0])
		b := 2 + q[3].before(&q[2])
		m := a ^ (a^b)&-q[b&3].before(&q[a&3])
		h[i] = q[m&3]
		i = c + int(m)
	}
	if c := i<<2 - 8; c < len(h) {
		m := c
		for j := c + 1; j < len(h); j++ {
			if h[j].less(&h[m]) {
				m = j
			}
		}
		h[i] = h[m]
		i = m
	}
	for i > top {
		p := i>>2 + 2
		if !k.less(&h[p]) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = k
}
