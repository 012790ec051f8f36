package trace

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gpusim/sim/event"
)

func TestDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", " 5 ": "5", "\t7": "7", "+4": "4", "-0": "0", "-2.5": "-2.5", "1e3": "1000", "1E-3": "0.001", "20.5": "20.5", ".5": "0.5", "5.": "5",
		"0.1234567891": "0.123456789", "0.9999999999": "1", "-0.0000000005": "-0.000000001", "00012": "12", "9223372036.854775807": "9223372036.854775807",
		"1e-400": "0", "0e999999999999": "0", "100000000000000000000e-15": "100000", "2951.0000000000000000000000000000001": "2951",
		"": "missing", "  ": "missing", "NaN": "not-a-number", "Inf": "not-a-number", "-Infinity": "not-a-number", "0x10": "not-a-number", "1_000": "not-a-number",
		"1,000": "not-a-number", "1 000": "not-a-number", "-": "not-a-number", ".": "not-a-number", "1e": "not-a-number", "1e+": "not-a-number", "e5": "not-a-number",
		"1.2.3": "not-a-number", "--1": "not-a-number", "1\x00": "not-a-number", "٣": "not-a-number",
		"1e400": "out-of-range", "9223372036.854775808": "out-of-range", "99999999999999999999": "out-of-range", "1e99999999999999999999": "out-of-range",
	} {
		v, why := decimal([]byte(text), 9)
		got := why
		if why == "" {
			got = string(fixed(v, 9))
		}
		is(t, text, got, want)
	}
	for text, want := range map[string]string{"4": "", "+4": "", "4.0": "", "4e2": "", " 4 ": "", "4.5": "bad-quantity", "4.0000000000000000000000001": "bad-quantity", "123456789012.5": "bad-quantity", "4.000000000000000000000000": "", "0.1": "bad-quantity", "1e-1": "bad-quantity",
		"9223372036854775807": "", "9223372036854775808": "out-of-range", "x": "not-a-number", "": "missing"} {
		_, why := whole([]byte(text))
		is(t, "whole "+text, why, want)
	}
	_, why := length([]byte("9223372036"), 9)
	is(t, "beyond the range of times", why, "out-of-range")
}

// TestDecimalAgainstBig compares with arithmetic of any size.
func TestDecimalAgainstBig(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		var s strings.Builder
		for range 1 + rnd.IntN(12) {
			s.WriteByte(byte('0' + rnd.IntN(10)))
		}
		s.WriteByte('.')
		for range rnd.IntN(14) {
			s.WriteByte(byte('0' + rnd.IntN(10)))
		}
		r, ok := new(big.Rat).SetString(s.String() + "0")
		if !ok {
			t.Fatal(s.String())
		}
		r.Mul(r, big.NewRat(1_000_000_000, 1))
		n := new(big.Int).Add(new(big.Int).Mul(r.Num(), big.NewInt(2)), r.Denom())
		n.Quo(n, new(big.Int).Mul(r.Denom(), big.NewInt(2)))
		v, why := decimal([]byte(s.String()), 9)
		if n.IsInt64() != (why == "") || why == "" && n.Int64() != v {
			t.Fatalf("%s: %d %s, want %s", s.String(), v, why, n)
		}
	}
}

func TestWide(t *testing.T) {
	var w wide
	want := new(big.Int)
	for range 1000 {
		w.add(1<<40, 1<<60+12345)
		want.Add(want, new(big.Int).Mul(big.NewInt(1<<40), big.NewInt(1<<60+12345)))
	}
	is(t, "sum", w.big().String(), want.String())
	is(t, "third", ratio(big.NewInt(1), big.NewInt(3), 9), Decimal("0.333333333"))
	is(t, "half up", ratio(big.NewInt(2), big.NewInt(3), 2), Decimal("0.67"))
	is(t, "no basis", ratio(big.NewInt(2), big.NewInt(0), 2), Decimal(""))
	is(t, "negative", seconds(-1500*event.Millisecond), Decimal("-1.5"))
	is(t, "null", mustJSON(t, Decimal("")), "null")
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]event.Time{"90": 90 * event.Second, "90s": 90 * event.Second, "1h30m": 90 * event.Minute, "7d": 7 * event.Day, "0.5h": 30 * event.Minute, "250ms": 250 * event.Millisecond} {
		d, ok := duration(text)
		if !ok || d != want {
			t.Errorf("%s: %d %v", text, d, ok)
		}
	}
	for _, text := range []string{"h", "1x", "1h-1m", "-5s", "1..5h", "999999999d", ""} {
		if d, ok := duration(text); ok {
			t.Errorf("%q: %d", text, d)
		}
	}
}

func TestFactor(t *testing.T) {
	for _, c := range []struct {
		f        float64
		in, want event.Time
	}{{0.1, 30, 3}, {0.5, 3, 2}, {0.5, -3, -2}, {3, 7, 21}, {1, 7, 7}, {0, 7, 0}, {1e-9, 2_000_000_000, 2}} {
		f, err := newFactor(&c.f)
		got, ok := f.of(c.in)
		if err != nil || !ok || got != c.want {
			t.Errorf("%v of %d: %d %v %v", c.f, c.in, got, ok, err)
		}
	}
	big := 1e9
	f, _ := newFactor(&big)
	if _, ok := f.of(farthest / 2); ok {
		t.Error("no overflow was seen")
	}
}

func TestStamps(t *testing.T) {
	ny, err := newClockFormat(plainLayout, "America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"1970-01-01 00:00:00":        "18000",
		"2000-02-29 12:00:00.25":     "951843600.25",
		"2024-11-03 00:59:59":        "1730609999",
		"2024-11-03 01:30:00":        "1730611800 or 1730615400",
		"2024-11-03 02:00:00":        "1730617200",
		"2024-03-10 02:30:00":        "1710055800 gap",
		"2024-07-01T08:00:00":        "1719835200",
		"1900-02-29 00:00:00":        "bad-time",
		"2024-13-01 00:00:00":        "bad-time",
		"2024-01-01 24:00:00":        "bad-time",
		"2024-01-01":                 "bad-time",
		"9999-01-01 00:00:00":        "out-of-range",
		"":                           "missing",
		"2024-01-01 00:00:00 and on": "bad-time",
	} {
		s, why := ny.read([]byte(text))
		got := why
		if why == "" {
			got = string(seconds(s.at))
			if s.again != s.at {
				got += " or " + string(seconds(s.again))
			}
			if s.gap {
				got += " gap"
			}
		}
		is(t, text, got, want)
	}
	for _, bad := range []string{"yyyy-mm-dd", "%Y-%m-%d", "minutes"} {
		if _, err := newClockFormat(bad, ""); err == nil {
			t.Errorf("time_format %s was taken", bad)
		}
	}
	if _, err := newClockFormat(plainLayout, "Mars/Olympus"); err == nil {
		t.Error("an unknown zone was taken")
	}
	if _, err := newClockFormat("seconds", "UTC"); err == nil {
		t.Error("a zone for numbers was taken")
	}
}
