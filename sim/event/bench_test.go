package event

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// xorshift is the generator of testdata/hold.cc, so that both measure the same
// sequence.
type xorshift uint64

func (x *xorshift) next() uint64 {
	s := uint64(*x)
	s ^= s << 13
	s ^= s >> 7
	s ^= s << 17
	*x = xorshift(s)
	return s
}

// BenchmarkHold is the hold model: the earliest event is taken out and put back
// a random time later. Beside ns/op it reports the time of
// std::priority_queue in the same run, where there is a C++ compiler.
func BenchmarkHold(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "hold")
	cpp := exec.Command("g++", "-O2", "-o", bin, "testdata/hold.cc").Run() == nil
	for _, n := range []int{1e3, 1e5, 1e6} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			x := xorshift(88172645463325252)
			l := NewList(n)
			seq := uint64(0)
			for i := 0; i < n; i++ {
				l.Schedule(Time(x.next()%1e9), 0, seq, Event{A: int32(i)})
				seq++
			}
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				at, ev, _ := l.Next()
				l.Schedule(at+Time(x.next()%1e9), 0, seq, ev)
				seq++
			}
			b.StopTimer()
			if cpp {
				out, err := exec.Command(bin, strconv.Itoa(n)).Output()
				if err != nil {
					b.Fatal(err)
				}
				ns, err := strconv.ParseFloat(strings.Fields(string(out))[1], 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(ns, "C++-ns/op")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ns, "of-C++")
			}
		})
	}
}

// A pending event must not cost more than 64 bytes.
func TestBytesPerEvent(t *testing.T) {
	if n := unsafe.Sizeof(key{}) + unsafe.Sizeof(slot{}); n > 64 {
		t.Fatalf("%d bytes a pending event", n)
	}
	if unsafe.Sizeof(key{}) != 16 {
		t.Fatal(fmt.Sprint("a heap key takes ", unsafe.Sizeof(key{}), " bytes"))
	}
}
