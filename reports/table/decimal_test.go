package table

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gpusim/sim/event"
)

// edges are integers at which digits, signs and roundings change.
func edges() []int64 {
	list := []int64{0, 1, 9, 10, 999, 1000, 1001, 999_999_999, 1_000_000_000, 1_000_000_001, 1<<53 - 1, 1 << 53, 1<<53 + 1,
		1<<62 - 1, 1 << 62, math.MaxInt64 - 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		list = append(list, int64(r.Uint64()>>r.IntN(64)))
	}
	for _, v := range list {
		list = append(list, -v)
	}
	return list
}

// exactText divides by 10^digits with big numbers: the independent answer.
func exactText(v *big.Int, digits int) string {
	s := new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)).FloatString(digits)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func wide(hi int64, lo uint64) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(hi), 64)
	return v.Add(v, new(big.Int).SetUint64(lo))
}

func checkNumber(t *testing.T, got []byte, want string, nearest float64) {
	t.Helper()
	if string(got) != want {
		t.Fatalf("text %s, want %s", got, want)
	}
	parsed, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	if math.Float64bits(parsed) != math.Float64bits(nearest) && parsed != 0 {
		t.Fatalf("%s: float64 %v, the text reads as %v", want, nearest, parsed)
	}
}

func TestSecondsAreExact(t *testing.T) {
	for _, v := range edges() {
		checkNumber(t, appendSeconds(nil, v), exactText(big.NewInt(v), 9), nearest(v, perSecond))
	}
}

func TestMilliIsExact(t *testing.T) {
	for _, v := range edges() {
		checkNumber(t, appendMilli(nil, v), exactText(big.NewInt(v), 3), nearest(v, perUnit))
	}
}

func TestGPUSecondsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, v := range edges() {
		checkNumber(t, appendGPUSeconds(nil, v>>63, uint64(v)), exactText(big.NewInt(v), 12), nearestWide(v>>63, uint64(v), perGPUSecond))
		lo := r.Uint64()
		checkNumber(t, appendGPUSeconds(nil, v, lo), exactText(wide(v, lo), 12), nearestWide(v, lo, perGPUSecond))
		checkNumber(t, appendGPUSeconds(nil, v, 0), exactText(wide(v, 0), 12), nearestWide(v, 0, perGPUSecond))
	}
}

// A quotient exactly between two float64 must go to the even one, and to the
// upper one as soon as anything follows: the cases a sticky bit is for.
func TestNearestBetweenTwoFloats(t *testing.T) {
	for _, k := range []uint64{1 << 53, 1<<53 + 2, 1<<53 + 4, 1<<54 - 2} {
		for _, extra := range []uint64{0, 1} {
			v := new(big.Int).Mul(new(big.Int).SetUint64(k+1), big.NewInt(perGPUSecond)) // (k+1) is halfway
			v.Add(v, new(big.Int).SetUint64(extra))
			lo := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
			hi := new(big.Int).Rsh(v, 64).Int64()
			want, _ := strconv.ParseFloat(exactText(v, 12), 64)
			if got := nearestWide(hi, lo, perGPUSecond); got != want {
				t.Errorf("%s: %v, want %v", exactText(v, 12), got, want)
			}
		}
	}
}

func TestFloatIsShortestAndReadsBack(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0"}, {0.1, "0.1"}, {100, "100"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1e-6, "0.000001"}, {1.5e-7, "1.5e-07"}, {math.MaxFloat64, "1.7976931348623157e+308"}, {-2.5, "-2.5"}} {
		if got := string(appendFloat(nil, c.v)); got != c.want {
			t.Errorf("%v is written %s, want %s", c.v, got, c.want)
		}
	}
}

func TestParseSeconds(t *testing.T) {
	for _, v := range edges() {
		got, ok := parseSeconds(appendSeconds(nil, v))
		if !ok || got != event.Time(v) {
			t.Fatalf("%d reads back as %d, %v", v, got, ok)
		}
	}
	for _, bad := range []string{"", "-", ".", "1.2.3", "1e3", "x", "1.0000000001", "9223372036.854775808", "99999999999999999999"} {
		if v, ok := parseSeconds([]byte(bad)); ok {
			t.Errorf("%q reads as %d", bad, v)
		}
	}
}

func TestFloatSecondsReadBackToTheNanosecond(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100_000 {
		v := r.Int64N(1 << 23 * perSecond)
		if got, ok := toTime(nearest(v, perSecond)); !ok || got != event.Time(v) {
			t.Fatalf("%d ns reads back as %d", v, got)
		}
	}
}
