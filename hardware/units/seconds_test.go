package units

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gpusim/sim/event"
)

func TestFormatSeconds(t *testing.T) {
	for want, v := range map[string]event.Time{"0": 0, "20.5": 20500 * event.Millisecond, "-3": -3 * event.Second, "0.000000001": 1, "-0.1": -100 * event.Millisecond,
		"100": 100 * event.Second, "9223372036.854775807": event.Never, "-9223372036.854775808": math.MinInt64} {
		if got := string(FormatSeconds(nil, v)); got != want {
			t.Errorf("%d: %s, want %s", v, got, want)
		}
	}
}

func TestFormatGPUSeconds(t *testing.T) {
	for _, c := range []struct {
		hi   int64
		lo   uint64
		want string
	}{
		{0, 0, "0"}, {0, 1, "0.000000000001"}, {0, 1e12, "1"}, {0, 1500e9, "1.5"}, {-1, math.MaxUint64, "-0.000000000001"},
		{1, 0, "18446744.073709551616"}, {math.MaxInt64, math.MaxUint64, "170141183460469231731687303.715884105727"},
		{math.MinInt64, 0, "-170141183460469231731687303.715884105728"},
	} {
		if got := string(FormatGPUSeconds(nil, c.hi, c.lo)); got != c.want {
			t.Errorf("%d:%d: %s, want %s", c.hi, c.lo, got, c.want)
		}
	}
}

// The text is exact (against math/big) and the float64 is the nearest to it
// (against strconv), over all sizes.
func TestSecondsAgainstTheLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	buf := make([]byte, 0, 64)
	for i := range 100000 {
		v := int64(rng.Uint64()) >> rng.IntN(64)
		if i%5 == 0 {
			v = v / 1e6 * 1e6
		}
		buf = FormatSeconds(buf[:0], event.Time(v))
		checkDecimal(t, buf, big.NewInt(v), 9)
		if want, _ := strconv.ParseFloat(string(buf), 64); SecondsFloat(event.Time(v)) != want {
			t.Fatalf("%s: %v, want %v", buf, SecondsFloat(event.Time(v)), want)
		}
		hi, lo := int64(rng.Uint64())>>rng.IntN(64), rng.Uint64()
		if i%3 == 0 {
			hi, lo = 0, lo>>rng.IntN(64)
		}
		if i%7 == 0 { // close to the middle between two float64
			lo = lo&^(1<<40-1) | uint64(rng.IntN(3))
		}
		buf = FormatGPUSeconds(buf[:0], hi, lo)
		wide := new(big.Int).Lsh(big.NewInt(hi), 64)
		checkDecimal(t, buf, wide.Add(wide, new(big.Int).SetUint64(lo)), 12)
		if want, _ := strconv.ParseFloat(string(buf), 64); GPUSecondsFloat(hi, lo) != want {
			t.Fatalf("%s: %v, want %v", buf, GPUSecondsFloat(hi, lo), want)
		}
	}
}

func checkDecimal(t *testing.T, text []byte, value *big.Int, digits int64) {
	t.Helper()
	r, ok := new(big.Rat).SetString(string(text))
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil))
	if !ok || new(big.Rat).Mul(r, scale).Cmp(new(big.Rat).SetInt(value)) != 0 {
		t.Fatalf("%s is not %s / 10^%d", text, value, digits)
	}
	if s := string(text); strings.Contains(s, ".") && strings.HasSuffix(s, "0") || strings.HasSuffix(s, ".") || s == "-0" {
		t.Fatalf("%s is not the shortest text", s)
	}
}

func TestFormattingDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		buf = FormatSeconds(buf[:0], 123456789012345)
		buf = FormatGPUSeconds(buf[:0], -5, 12345)
		_ = GPUSecondsFloat(7, 99)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFormatSeconds(b *testing.B) {
	buf := make([]byte, 0, 64)
	for i := range b.N {
		buf = FormatSeconds(buf[:0], event.Time(i)*987654321)
	}
}

func BenchmarkParseDuration(b *testing.B) {
	for range b.N {
		if _, err := ParseDuration("1h30m"); err != nil {
			b.Fatal(err)
		}
	}
}
