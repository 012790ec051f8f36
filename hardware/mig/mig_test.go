package mig

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared is a file beside the repository. Without that folder the test is left
// out, but not where CI says that it must be there.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, parts...)...)
	data, err := os.ReadFile(path)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must have the shared data: %v", err)
		}
		t.Skipf("skipped: the shared data are not there: %v", err)
	}
	return string(data)
}

func load(t testing.TB) *Tables {
	t.Helper()
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func device(t testing.TB, name string) *Device {
	t.Helper()
	d, err := load(t).Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// line writes a set as the shared table does: 1gx2 is 1g with double memory.
func line(d *Device, set []Instance) string {
	var words []string
	for _, in := range set {
		p, _ := d.Profile(in.Profile)
		name := fmt.Sprintf("%dg", p.Compute)
		if p.Compute == 1 && p.Size == 2 {
			name = "1gx2"
		}
		words = append(words, fmt.Sprintf("%s@%d:%d", name, in.Start, p.Size))
	}
	return strings.Join(words, " ")
}

func TestMaximalConfigurations(t *testing.T) {
	a100, a30 := device(t, "A100-40GB"), device(t, "A30")
	for _, c := range []struct {
		family         string
		d              *Device
		profiles       []string
		maximal, kinds int
		states, with4  int
	}{
		{"7slice_core_19", a100, a100.Core(), 19, 14, 297, 3},
		{"7slice_with_1g_double_memory", a100, a100.CoreAndWide(), 78, 38, 722, 7},
		{"A30", a30, a30.Core(), 5, 4, 25, 1},
	} {
		got := c.d.Maximal(c.profiles)
		var lines []string
		kinds, with4 := map[string]bool{}, 0
		for _, set := range got {
			if err := c.d.Check(set); err != nil {
				t.Errorf("%s: %v", c.family, err)
			}
			lines = append(lines, line(c.d, set))
			var names []string
			for _, in := range set {
				names = append(names, in.Profile)
			}
			if strings.Contains(lines[len(lines)-1], "4g@") {
				with4++
			}
			slices.Sort(names)
			kinds[strings.Join(names, " ")] = true
		}
		if len(got) != c.maximal || len(kinds) != c.kinds || c.d.States(c.profiles) != c.states || with4 != c.with4 {
			t.Errorf("%s: %d maximal sets of %d kinds, %d states, %d with 4g", c.family, len(got), len(kinds), c.d.States(c.profiles), with4)
		}
		slices.Sort(lines)
		t.Run(c.family, func(t *testing.T) {
			var want []string
			for _, l := range strings.Split(shared(t, "hardware", "mig_valid_configs.csv"), "\n") {
				if f := strings.Split(l, ","); f[0] == c.family {
					want = append(want, f[2])
				}
			}
			slices.Sort(want)
			if !slices.Equal(lines, want) {
				t.Errorf("got %q, want %q", lines, want)
			}
		})
	}
}
