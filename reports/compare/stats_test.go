package compare

import (
	"math"
	"testing"
)

func ptrs(xs ...float64) []*float64 {
	var p []*float64
	for _, x := range xs {
		p = append(p, &x)
	}
	return p
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-4*math.Abs(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Golden 076: the paired interval over five seeds, and what it would be without
// pairing.
func TestPairedComparison(t *testing.T) {
	a, b := ptrs(10, 12, 9, 11, 13), ptrs(9, 11.5, 8, 9.5, 12)
	d := Of(Differences(a, b))
	if d.N != 5 {
		t.Fatalf("n = %d", d.N)
	}
	near(t, "mean difference", *d.Mean, 1)
	near(t, "lower end", d.CI[0], 0.5610055)
	near(t, "upper end", d.CI[1], 1.4389945)
	near(t, "paired standard error", *d.SE, 0.1581139)
	se, ok := UnpairedSE(Of(a), Of(b))
	if !ok {
		t.Fatal("no unpaired standard error")
	}
	near(t, "unpaired standard error", se, 1.0368221)
	if !d.Apart() {
		t.Error("zero lies outside the interval, but Apart says no")
	}
}

func TestOfFewValues(t *testing.T) {
	if e := Of(nil); e.N != 0 || e.Mean != nil || e.CI != nil {
		t.Errorf("no value: %+v", e)
	}
	if e := Of(ptrs(3)); e.N != 1 || *e.Mean != 3 || e.SE != nil || e.CI != nil || e.Apart() {
		t.Errorf("one value: %+v", e)
	}
	if e := Of([]*float64{nil, ptrs(1)[0], nil, ptrs(3)[0]}); e.N != 2 || *e.Mean != 2 {
		t.Errorf("values with gaps: %+v", e)
	}
	if d := Differences(ptrs(1, 2), []*float64{nil, ptrs(5)[0]}); d[0] != nil || *d[1] != -3 {
		t.Errorf("differences with gaps: %v", d)
	}
	if e := Of(ptrs(2, 2, 2)); e.CI[0] != 2 || e.CI[1] != 2 {
		t.Errorf("equal values: %v", *e.CI)
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{{0, "0"}, {12, "12"}, {1234567, "1234567"}, {5015.25, "5015.2"}, {0.81875, "0.81875"}, {-2.739583, "-2.7396"}, {1e-12, "0"}, {100000, "100000"}, {0.000123456, "0.00012346"}} {
		if got := short(c.f); got != c.want {
			t.Errorf("short(%v) = %s, want %s", c.f, got, c.want)
		}
	}
}
