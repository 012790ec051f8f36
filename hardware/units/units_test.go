package units

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gpusim/sim/event"
)

func TestDurations(t *testing.T) {
	for s, want := range map[string]event.Time{
		"0": 0, "0s": 0, "90s": 90 * event.Second, "45m": 45 * event.Minute, "1h30m": 90 * event.Minute,
		"7d": 7 * event.Day, "2w": 14 * event.Day, "1.5h": 90 * event.Minute, "500ms": event.Second / 2, "3us": 3000, "3µs": 3000, "4ns": 4,
		"20.5": 20500 * event.Millisecond, "1e3": 1000 * event.Second, "0.000000001": 1, "+5": 5 * event.Second, ".5": event.Second / 2, "5.": 5 * event.Second,
		"1-02:03:04": event.Day + 2*event.Hour + 3*event.Minute + 4*event.Second, "02:03": 2*event.Minute + 3*event.Second,
		"100:00:01.25": 100*event.Hour + 1250*event.Millisecond, "1-02:03": event.Day + 2*event.Hour + 3*event.Minute, "90:00": 90 * event.Minute,
		" 5s ": 5 * event.Second, "9223372036s": 9223372036 * event.Second, "9223372036.854775807": event.Never,
		"1w2d3h4m5s6ms": 9*event.Day + 3*event.Hour + 4*event.Minute + 5*event.Second + 6*event.Millisecond,
	} {
		got, err := ParseDuration(s)
		if err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", s, got, err, want)
		}
		back, err := ParseDuration(Duration(got).String())
		if err != nil || back != got {
			t.Errorf("%q: %s reads back as %d %v", s, Duration(got), back, err)
		}
	}
	for _, s := range []string{"", "-5s", "-", "5x", "s", "1h2d", "5s5s", "1h30", "NaN", "inf", "1e400", "1e-400x", "1e99999999", "99999999999999d", "5 5",
		"1::2", "1:2:3:4", "--5", "+-5", "0x10", "1_000", "9223372037", "9223372036.854775808", "1.5:30", "0:61", "1-25:00:00", "1-00:60:00", "1e1:00", ":", "-1:00", "1-:", strings.Repeat("9", 70)} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("%q is accepted as %d", s, got)
		} else if !strings.Contains(err.Error(), "write a length of time like") {
			t.Errorf("%q: no remedy in %v", s, err)
		}
	}
	d := Duration(7)
	if err := d.UnmarshalText([]byte("x")); err == nil || d != 7 {
		t.Errorf("a failed read changed the value to %d (%v)", d, err)
	}
}

func TestSignedDurations(t *testing.T) {
	for s, want := range map[string]event.Time{"-1h30m": -90 * event.Minute, "5s": 5 * event.Second, "-0": 0, "-20.5": -20500 * event.Millisecond} {
		got, err := ParseSigned(s)
		if err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", s, got, err, want)
		}
		if back, err := ParseSigned(Duration(got).String()); err != nil || back != got {
			t.Errorf("%s reads back as %d %v", Duration(got), back, err)
		}
	}
	if s := Duration(math.MinInt64).String(); s != "-106751d23h47m16.854775808s" {
		t.Errorf("the least length is written %s", s)
	}
}

func TestCanonicalText(t *testing.T) {
	for want, v := range map[string]interface{ String() string }{
		"1h30m": Duration(90 * event.Minute), "20.5s": Duration(20500 * event.Millisecond), "0s": Duration(0), "14d": Duration(14 * event.Day),
		"1m30s": Duration(90 * event.Second), "0.000000001s": Duration(1),
		"80GiB": Bytes(80 << 30), "40GB": Bytes(40e9), "1536GiB": Bytes(3 << 39), "7B": Bytes(7), "0": Bytes(0),
		"900GB/s": Rate(900e9), "50GB/s": Rate(50e9), "1B/s": Rate(1),
		"8": Cores(8000), "0.25": Cores(250), "0.001": Share(1), "0.5": Share(500),
	} {
		if v.String() != want {
			t.Errorf("%s, want %s", v, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for s, want := range map[string]int64{"80GiB": 80 << 30, "512MiB": 512 << 20, "40GB": 40e9, "80Gi": 80 << 30, "1.5TiB": 3 << 39, "0": 0, "7B": 7, "3kB": 3000, "3KB": 3000, "2 GB": 2e9, "7EiB": 7 << 60, "0.5KiB": 512} {
		got, err := ParseBytes(s)
		if err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", s, got, err, want)
		}
		if back, err := ParseBytes(Bytes(got).String()); err != nil || back != got {
			t.Errorf("%q: %s reads back as %d %v", s, Bytes(got), back, err)
		}
	}
	for _, s := range []string{"", "80", "00", "80G", "250m", "-1GB", "GB", "1e30GB", "5gb", "5Gb", "8EiB", "1GBs", "1iB", "NaNGB", "1e3"} {
		if got, err := ParseBytes(s); err == nil {
			t.Errorf("%q is accepted as %d", s, got)
		} else if !strings.Contains(err.Error(), "80GiB") {
			t.Errorf("%q: no remedy in %v", s, err)
		}
	}
}

func TestRates(t *testing.T) {
	for s, want := range map[string]int64{"900GB/s": 900e9, "400Gb/s": 50e9, "1.8TB/s": 1.8e12, "1GiB/s": 1 << 30, "0": 0, "8b/s": 1, "100 Gb/s": 12.5e9} {
		got, err := ParseRate(s)
		if err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", s, got, err, want)
		}
		if back, err := ParseRate(Rate(got).String()); err != nil || back != got {
			t.Errorf("%q: %s reads back as %d %v", s, Rate(got), back, err)
		}
	}
	for _, s := range []string{"", "900", "900GB", "900G/s", "-1GB/s", "GB/s", "1e30GB/s", "900gb/s", "900GB/h"} {
		if got, err := ParseRate(s); err == nil {
			t.Errorf("%q is accepted as %d", s, got)
		} else if !strings.Contains(err.Error(), "900GB/s") {
			t.Errorf("%q: no remedy in %v", s, err)
		}
	}
}

func TestCoresAndShares(t *testing.T) {
	for s, want := range map[string]int{"0.5": 500, "0.001": 1, ".25": 250, "0.999": 999, "5e-1": 500} {
		if got, err := ParseShare(s); err != nil || got != want {
			t.Errorf("%q: %d %v", s, got, err)
		}
	}
	for _, s := range []string{"0", "1", "1.5", "0.0001", "-0.5", "x", "0.5m", "", "5e-99999999"} {
		if got, err := ParseShare(s); err == nil {
			t.Errorf("share %q is accepted as %d", s, got)
		}
	}
	for s, want := range map[string]int64{"8": 8000, "1.5": 1500, "250m": 250, "0": 0} {
		if got, err := ParseCores(s); err != nil || got != want {
			t.Errorf("%q: %d %v", s, got, err)
		}
	}
	for _, s := range []string{"", "-1", "1.5x", "0.0001", "0.5m", "1e99", "9e15"} {
		if got, err := ParseCores(s); (err == nil) != (s == "9e15") {
			t.Errorf("%q cores: %d %v", s, got, err)
		}
	}
}

// Whatever the value, the canonical text gives it back.
func TestEveryTextReadsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		v := int64(rng.Uint64()>>1) >> rng.IntN(63)
		if rng.IntN(3) == 0 { // round values take other paths
			v -= v % []int64{1e3, 1e6, 1e9, 1 << 10, 1 << 20, 1 << 30, 3600e9}[rng.IntN(7)]
		}
		d, errD := ParseDuration(Duration(v).String())
		b, errB := ParseBytes(Bytes(v).String())
		r, errR := ParseRate(Rate(v).String())
		c, errC := ParseCores(Cores(v).String())
		if int64(d) != v || b != v || r != v || c != v {
			t.Fatalf("%d: %s %v, %s %v, %s %v, %s %v", v, Duration(v), errD, Bytes(v), errB, Rate(v), errR, Cores(v), errC)
		}
	}
	for f := Share(1); f < 1000; f++ {
		if got, err := ParseShare(f.String()); err != nil || got != int(f) {
			t.Fatalf("share %s reads back as %d, %v", f, got, err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"1h30m", "20.5", "1-02:03:04", "1e3", "-1", "9e99w", "12:59.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDuration(s)
		if err != nil {
			return
		}
		if d < 0 {
			t.Fatalf("%q is negative", s)
		}
		if back, err := ParseDuration(Duration(d).String()); err != nil || back != d {
			t.Fatalf("%q: %v reads back as %v, %v", s, Duration(d), back, err)
		}
	})
}

func FuzzBytesAndRates(f *testing.F) {
	for _, s := range []string{"80GiB", "0", "1e3GB", "400Gb/s", "80Gi", ".5KiB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseBytes(s); err == nil {
			if back, err := ParseBytes(Bytes(v).String()); v < 0 || err != nil || back != v {
				t.Fatalf("%q: %v reads back as %d, %v", s, Bytes(v), back, err)
			}
		}
		if v, err := ParseRate(s); err == nil {
			if back, err := ParseRate(Rate(v).String()); v < 0 || err != nil || back != v {
				t.Fatalf("%q: %v reads back as %d, %v", s, Rate(v), back, err)
			}
		}
	})
}
