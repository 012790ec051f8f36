package units

import (
	"testing"

	"gpusim/sim/event"
)

func TestDurations(t *testing.T) {
	for s, want := range map[string]event.Time{
		"0": 0, "0s": 0, "90s": 90 * event.Second, "45m": 45 * event.Minute, "1h30m": 90 * event.Minute,
		"7d": 7 * event.Day, "2w": 14 * event.Day, "1.5h": 90 * event.Minute, "500ms": event.Second / 2,
		"20.5": 20500 * event.Millisecond, "1e3": 1000 * event.Second, "0.000000001": 1,
		"1-02:03:04": event.Day + 2*event.Hour + 3*event.Minute + 4*event.Second, "02:03": 2*event.Minute + 3*event.Second,
		" 5s ": 5 * event.Second, "9223372036s": 9223372036 * event.Second,
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
	for _, s := range []string{"", "-5s", "5x", "s", "1h2d", "5s5s", "NaN", "inf", "1e400", "1e-400x", "99999999999999d", "5 5", "1::2:3:4", "--5", "0x10", "1_000", "9223372037"} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("%q is accepted as %d", s, got)
		}
	}
}

func TestBytes(t *testing.T) {
	for s, want := range map[string]int64{"80GiB": 80 << 30, "512MiB": 512 << 20, "40GB": 40e9, "80Gi": 80 << 30, "1.5TiB": 3 << 39, "0": 0, "7B": 7, "3kB": 3000, "2 GB": 2e9} {
		got, err := ParseBytes(s)
		if err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", s, got, err, want)
		}
		if back, err := ParseBytes(Bytes(got).String()); err != nil || back != got {
			t.Errorf("%q: %s reads back as %d %v", s, Bytes(got), back, err)
		}
	}
	for _, s := range []string{"", "80", "80G", "250m", "-1GB", "GB", "1e30GB", "5gb"} {
		if got, err := ParseBytes(s); err == nil {
			t.Errorf("%q is accepted as %d", s, got)
		}
	}
}

func TestShares(t *testing.T) {
	var f Share
	for s, want := range map[string]Share{"0.5": 500, "0.001": 1, ".25": 250, "0.999": 999} {
		if err := f.UnmarshalText([]byte(s)); err != nil || f != want {
			t.Errorf("%q: %d %v", s, f, err)
		}
	}
	for _, s := range []string{"0", "1", "1.5", "0.0001", "-0.5", "x", "0.5m", ""} {
		if err := f.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q is accepted as %d", s, f)
		}
	}
	var c Cores
	for s, want := range map[string]Cores{"8": 8000, "1.5": 1500, "250m": 250} {
		if err := c.UnmarshalText([]byte(s)); err != nil || c != want {
			t.Errorf("%q: %d %v", s, c, err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"1h30m", "20.5", "1-02:03:04", "1e3", "-1", "9e99w"} {
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
