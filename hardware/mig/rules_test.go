package mig

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
)

// sequence creates instances one after another; -1 where one does not fit.
func sequence(d *Device, how Choice, names ...string) ([]int, []Instance) {
	var starts []int
	var set []Instance
	for _, n := range names {
		s, ok := d.Start(set, n, how)
		if !ok {
			starts = append(starts, -1)
			continue
		}
		starts = append(starts, s)
		set = append(set, Instance{n, s})
	}
	return starts, set
}

func wantInts(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestOrderOfCreation(t *testing.T) {
	a100 := device(t, "A100-40GB")
	requests := []string{"2g.10gb", "1g.5gb", "4g.20gb"}
	got, _ := sequence(a100, Lowest, requests...)
	wantInts(t, "lowest start", got, 0, 2, -1)
	for _, how := range []Choice{Highest, Best, Driver} {
		got, _ = sequence(a100, how, requests...)
		wantInts(t, "highest, best and driver", got, 4, 6, 0)
	}
	got, set := sequence(a100, Lowest, "3g.20gb", "3g.20gb", "1g.5gb")
	wantInts(t, "two 3g", got, 0, 4, -1)
	compute := 0
	for _, in := range set {
		p, _ := a100.Profile(in.Profile)
		compute += p.Compute
	}
	wantInts(t, "compute slices", []int{compute}, 6)
}

func TestHolesAfterDeletion(t *testing.T) {
	h100 := device(t, "H100-80GB")
	exist := []Instance{{"1g.10gb", 0}, {"1g.10gb", 1}, {"1g.10gb", 5}}
	for profile, want := range map[string][]int{"1g.10gb": {2, 3, 4, 6}, "2g.20gb": {2}, "3g.40gb": {}, "4g.40gb": {}, "7g.80gb": {}} {
		wantInts(t, profile, h100.Starts(exist, profile), want...)
	}
}

// TestDriverOrder holds the order against what drivers were seen to do.
func TestDriverOrder(t *testing.T) {
	for _, c := range []struct {
		gpu, profiles string
		ids           []int
	}{
		{"H100-80GB", "1g.10gb 1g.10gb 1g.10gb 1g.10gb 1g.10gb 1g.10gb 1g.10gb", []int{13, 11, 12, 7, 8, 9, 10}},
		{"A100-40GB", "3g.20gb 3g.20gb", []int{2, 1}},
		{"A100-40GB", "3g.20gb 1g.5gb 2g.10gb 1g.5gb", []int{2, 7, 4, 8}},
		{"A100-40GB", "2g.10gb 1g.5gb 1g.5gb 1g.5gb 1g.5gb 1g.5gb", []int{5, 13, 7, 8, 9, 10}},
		{"A100-40GB", "1g.5gb 1g.5gb 2g.10gb 3g.20gb", []int{13, 11, 3, -1}},
	} {
		d := device(t, c.gpu)
		names := strings.Fields(c.profiles)
		starts, _ := sequence(d, Driver, names...)
		var ids []int
		for i, s := range starts {
			p, _ := d.Profile(names[i])
			if s >= 0 {
				s = d.GPUInstanceID(s, p.Size)
			}
			ids = append(ids, s)
		}
		wantInts(t, c.gpu+" "+c.profiles, ids, c.ids...)
	}
	a30 := device(t, "A30")
	wantInts(t, "A30", []int{a30.GPUInstanceID(0, 4), a30.GPUInstanceID(2, 2), a30.GPUInstanceID(3, 1)}, 0, 2, 6)
}

// TestPlaceFindsAPlaceForEverySet: whatever can lie on a GPU is found, in any
// order of the wishes, and valid; one instance more than a maximal set is not.
func TestPlaceFindsAPlaceForEverySet(t *testing.T) {
	for _, gpu := range []string{"A100-40GB", "A30"} {
		d := device(t, gpu)
		for _, set := range d.Maximal(d.CoreAndWide()) {
			var want []Count
			for _, in := range set {
				i := slices.IndexFunc(want, func(c Count) bool { return c.Profile == in.Profile })
				if i < 0 {
					want, i = append(want, Count{Profile: in.Profile}), len(want)
				}
				want[i].N++
			}
			for range 2 {
				got, err := d.Place(want)
				if err != nil || d.Check(got) != nil || len(got) != len(set) {
					t.Errorf("%v: %v, %v, %v", want, got, err, d.Check(got))
				}
				slices.Reverse(want)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	d := device(t, "A100-SXM4-40GB")
	for _, c := range []struct {
		want  []Count
		words string
	}{
		{[]Count{{"3g.20gb", 2}, {"1g.5gb", 1}}, "9 memory slices; a GPU has 8 (compute slices: 7 of 7)"},
		{[]Count{{"1g.5gb", 8}}, "at most 7"},
		{[]Count{{"1g.5gb", 1 << 40}}, "at most 7"},
		{[]Count{{"1g.5gb", -1}}, "negative"},
		{[]Count{{"1g.5gb+me", 2}}, "at most 1"},
		{[]Count{{"2g.20gb", 3}}, "a name of the A100-80GB and H100-80GB; here it is called 2g.10gb"},
		{[]Count{{"1g.5gb.me", 1}}, "here it is called 1g.5gb+me"},
		{[]Count{{"2c.3g.20gb", 1}}, "here it is called 3g.20gb"},
		{[]Count{{"9z.5gb", 1}}, "it has 1g.5gb, 1g.5gb+me"},
		{[]Count{{"4g.20gb", 1}, {"2g.10gb", 2}}, "want 8 compute slices"},
		{[]Count{{"1g.10gb", 2}, {"2g.10gb", 2}, {"1g.5gb", 1}}, "9 memory"},
	} {
		if _, err := d.Place(c.want); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%v: %v, want %q", c.want, err, c.words)
		}
	}
	a30 := device(t, "A30")
	if _, err := a30.Place([]Count{{"1g.6gb+me", 1}, {"2g.12gb+me", 1}}); err == nil {
		t.Error("two instances with the media engines on an A30")
	}
	for _, set := range [][]Instance{
		{{"3g.20gb", 0}, {"2g.10gb", 2}}, {{"3g.20gb", 2}}, {{"4g.20gb", 4}}, {{"7g.40gb", 0}, {"1g.5gb", 6}}, {{"1g.5gb", 7}}, {{"no", 0}},
	} {
		if d.Check(set) == nil {
			t.Errorf("%v is taken for valid", set)
		}
	}
	for name, words := range map[string]string{
		"V100-SXM2-16GB": "cannot be cut", "MI300X": "GPU of AMD", "A100": "did you mean A100-PCIE-40GB", "nothing": "GPUs with MIG",
	} {
		if _, err := load(t).Find(name); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTablesAreTheSharedOnes(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(shared(t, "hardware", "mig_profiles.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	placements := map[string]*bytes.Buffer{}
	seen := map[string]int{}
	for _, r := range rows[1:] {
		d := device(t, r[0])
		p, ok := d.Profile(r[1])
		if !ok {
			t.Errorf("%s has no %s", r[0], r[1])
			continue
		}
		got := []string{d.Name, p.Name, known(p.ID), known(p.Compute), known(p.Size), known(p.SM), known(p.MiB), text(p.GiB), known(p.Max),
			known(p.CE), known(p.DEC), known(p.ENC), known(p.JPEG), known(p.OFA), p.P2P, joinInts(p.Starts, " "), known(p.Size)}
		for i, want := range r[:len(got)] {
			if text(want) != got[i] {
				t.Errorf("%s %s: %s is %s, want %s", r[0], r[1], rows[0][i], got[i], want)
			}
		}
		if placements[r[0]] == nil {
			placements[r[0]] = &bytes.Buffer{}
			if err := d.PrintPlacements(placements[r[0]]); err != nil {
				t.Fatal(err)
			}
		}
		if l, _ := placements[r[0]].ReadString('\n'); l != r[17]+"\n" {
			t.Errorf("lgipp: %q, want %q", l, r[17])
		}
		seen[r[0]]++
	}
	for name, n := range seen {
		if d := device(t, name); len(d.Profiles) != n {
			t.Errorf("%s has %d profiles, want %d", name, len(d.Profiles), n)
		}
	}
	if len(seen) != 9 || len(load(t).Devices()) != 11 {
		t.Errorf("%d devices with figures, %d in all", len(seen), len(load(t).Devices()))
	}
}

func TestEveryFigureHasASource(t *testing.T) {
	m := load(t)
	for _, d := range m.Devices() {
		for _, want := range []string{"names", "placements", "order"} {
			if !slices.ContainsFunc(d.Sources, func(s Source) bool { return strings.HasPrefix(s.Figures, want) && s.Text != "" }) {
				t.Errorf("%s: no source of %s", d.Name, want)
			}
		}
	}
	for _, id := range m.Cards() {
		if d := device(t, id); d.GPU != id || len(d.PCI) == 0 {
			t.Errorf("%s: %+v", id, d)
		}
	}
	pcie, _ := device(t, "H100-PCIE-80GB").Profile("3g.40gb")
	sxm, _ := device(t, "NVIDIA H100 80GB HBM3").Profile("3g.40gb")
	wantInts(t, "SMs of 3g on H100: PCIe unknown, SXM 60", []int{pcie.SM, sxm.SM}, Unknown, 60)
}

func TestComputeInstances(t *testing.T) {
	d := device(t, "A100-40GB")
	p, _ := d.Profile("3g.20gb")
	var got []string
	for _, c := range d.ComputeProfiles(p) {
		got = append(got, strings.Join([]string{c.Name, known(c.ID), known(c.Max), known(c.SM)}, " "))
	}
	if want := []string{"1c.3g.20gb 0 3 14", "2c.3g.20gb 1 1 28", "3g.20gb 2 1 42"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, bad := range [][]int{{2, 2}, {3, 1}, {4}} {
		if d.CheckCompute(p, bad) == nil {
			t.Errorf("%v is taken for valid", bad)
		}
	}
	for _, good := range [][]int{{2, 1}, {1, 1, 1}, {3}} {
		if err := d.CheckCompute(p, good); err != nil {
			t.Error(err)
		}
	}
}
