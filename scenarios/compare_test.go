package scenarios

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gpusim/reports/folder"
)

func TestParseVariation(t *testing.T) {
	for _, c := range []struct {
		text, path string
		values     []string
	}{
		{"policy.order=fifo,srtf", "policy.order", []string{"fifo", "srtf"}},
		{"a = b , c", "a", []string{"b", "c"}},
		{"policy.preemption={name: checkpoint, interval: 1h},none", "policy.preemption", []string{"{name: checkpoint, interval: 1h}", "none"}},
		{"policy.order=[fifo, {name: tiresias, queues: [1, 2]}]", "policy.order", []string{"fifo", "{name: tiresias, queues: [1, 2]}"}},
		{"x=[[A, B]]", "x", []string{"[A, B]"}},
		{"x=[A],[B]", "x", []string{"[A]", "[B]"}},
		{`x="a,b",'c,d'`, "x", []string{`"a,b"`, `'c,d'`}},
		{`x="a\",b",c`, "x", []string{`"a\",b"`, "c"}},
		{"x=it's,that's", "x", []string{"it's", "that's"}},
		{"x={k: 'a}, b'},c", "x", []string{"{k: 'a}, b'}", "c"}},
		{"x=a=b", "x", []string{"a=b"}},
	} {
		v, err := ParseVariation(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if v.Path != c.path || !slices.Equal(v.Values, c.values) {
			t.Errorf("%s: got %s and %q", c.text, v.Path, v.Values)
		}
	}
	for text, words := range map[string]string{
		"x": "no PATH=", "=a": "no PATH=", "x=": "value 1 is empty", "x=a,,b": "value 2 is empty", "x=a,a": "given twice",
		"x={a": "} is missing", "x=a}": "} closes nothing", "x='a": "not closed", "seed=1,2": "--seeds",
	} {
		if _, err := ParseVariation(text); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", text, err, words)
		}
	}
}

func TestParseSeeds(t *testing.T) {
	if s, err := ParseSeeds("3..5"); err != nil || !slices.Equal(s, []uint64{3, 4, 5}) {
		t.Errorf("3..5: %v, %v", s, err)
	}
	if s, err := ParseSeeds("7"); err != nil || !slices.Equal(s, []uint64{7}) {
		t.Errorf("7: %v, %v", s, err)
	}
	if s, err := ParseSeeds("18446744073709551614..18446744073709551615"); err != nil || len(s) != 2 {
		t.Errorf("the largest seeds: %v, %v", s, err)
	}
	for _, text := range []string{"", "5..3", "a..b", "1..", "-1..2", "1..200000"} {
		if s, err := ParseSeeds(text); err == nil {
			t.Errorf("%q is taken: %v", text, s)
		}
	}
}

func TestProductVariesTheLastFastest(t *testing.T) {
	var got []string
	for _, sets := range product([]Variation{{"a", []string{"1", "2"}}, {"b", []string{"x", "y"}}}) {
		got = append(got, sets[0].Value+sets[1].Value)
	}
	if s := strings.Join(got, " "); s != "1x 1y 2x 2y" {
		t.Errorf("got %s", s)
	}
}

func TestCheckFigure(t *testing.T) {
	for _, path := range append(DefaultMetrics(), "slo.attainment", "recorded.wait_s.mean", "offered_load", "set_aside[0].count") {
		if err := checkFigure(path); err != nil {
			t.Error(err)
		}
	}
	for path, words := range map[string]string{"wait_s": "group", "wait_s.meen": "did you mean wait_s.mean?", "scenario": "unknown figure"} {
		if err := checkFigure(path); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", path, err, words)
		}
	}
}

// The order in which runs end does not show.
func TestCompareOnAnyNumberOfCores(t *testing.T) {
	compared := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		c, err := NewComparison("quickstart", nil, nil, []Variation{{"policy.placement", []string{"random", "pack"}}, {"policy.order", []string{"fifo", "sjf"}}}, []uint64{1, 2, 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs := 0
		r, err := c.Run(CompareOptions{Ran: func(n, of int) {
			if runs++; n != runs || of != 12 {
				t.Errorf("told %d of %d after %d runs", n, of, runs)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := folder.MarshalJSON(r)
		if err != nil || !json.Valid(b) || runs != 12 {
			t.Fatalf("%d runs, %v", runs, err)
		}
		return string(b)
	}
	if one, two := compared(1), compared(2); one != two {
		t.Errorf("one core and two differ:\n%s\n%s", one, two)
	}
}

func TestCompareStops(t *testing.T) {
	c, err := NewComparison("quickstart", nil, nil, []Variation{{"policy.order", []string{"fifo", "sjf"}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() + "/out"
	if _, err := c.Run(CompareOptions{Dir: dir, Stop: func() bool { return true }}); err != ErrStopped {
		t.Errorf("got %v", err)
	}
	if _, err := folder.Open(dir); err == nil {
		t.Error("a stopped comparison left a folder")
	}
}
