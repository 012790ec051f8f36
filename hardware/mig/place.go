package mig

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is how a start is chosen for a new instance.
type Choice int

// The choices.
const (
	Driver  Choice = iota // the order of the driver
	Lowest                // the lowest start
	Highest               // the highest start
	Best                  // the start that leaves most profiles possible
)

// Start chooses where to put a further instance; false when it fits nowhere.
func (d *Device) Start(exist []Instance, profile string, how Choice) (int, bool) {
	p, ok := d.Profile(profile)
	if !ok {
		return 0, false
	}
	starts := d.free(exist, p, p.order)
	if len(starts) == 0 {
		return 0, false
	}
	switch how {
	case Lowest:
		return slices.Min(starts), true
	case Highest:
		return slices.Max(starts), true
	case Best:
		return d.best(exist, profile, starts), true
	}
	return starts[0], true
}

// best is the start after which most kinds of profile are possible, then most
// places for them; of equals the first in the order of the driver.
func (d *Device) best(exist []Instance, profile string, starts []int) int {
	best, kinds, places := starts[0], -1, -1
	for _, s := range starts {
		after := append(slices.Clip(exist), Instance{profile, s})
		k, n := 0, 0
		for _, p := range d.Profiles {
			free := len(d.Starts(after, p.Name))
			n += free
			if free > 0 {
				k++
			}
		}
		if k > kinds || k == kinds && n > places {
			best, kinds, places = s, k, n
		}
	}
	return best
}

// Count is a wish: so many instances of a profile.
type Count struct {
	Profile string
	N       int
}

// Place finds places for a set of instances on an empty GPU, from left to right,
// whatever the order of the wishes: wide ones first, each where the driver would
// put it, and elsewhere when the rest does not fit then. The error says what is
// in the way.
func (d *Device) Place(want []Count) ([]Instance, error) {
	var names []string
	for _, w := range want {
		p, err := d.FindProfile(w.Profile)
		switch {
		case err != nil:
			return nil, err
		case w.N < 0:
			return nil, fmt.Errorf("%d of %s: a number of instances cannot be negative", w.N, w.Profile)
		case w.N > p.Max:
			return nil, fmt.Errorf("%d of %s: a GPU holds at most %d", w.N, p.Name, p.Max)
		}
		for range w.N {
			names = append(names, p.Name)
		}
	}
	if err := d.checkSums(names); err != nil {
		return nil, err
	}
	set, ok := d.search(nil, d.widestFirst(names), 0)
	if !ok {
		return nil, fmt.Errorf("the slices suffice, but there is no way to lay these instances side by side: a profile can start only at certain slices (%s)", d.starts(names))
	}
	slices.SortFunc(set, func(a, b Instance) int { return a.Start - b.Start })
	return set, nil
}

// search places the names one after another; from is the first of the starts
// that a name equal to the one before may take, so that sets are tried once.
func (d *Device) search(set []Instance, names []string, from int) ([]Instance, bool) {
	if len(names) == 0 {
		return set, true
	}
	p, _ := d.Profile(names[0])
	for i := from; i < len(p.order); i++ {
		next := append(slices.Clip(set), Instance{p.Name, p.order[i]})
		if d.Check(next) != nil {
			continue
		}
		then := 0
		if len(names) > 1 && names[1] == names[0] {
			then = i + 1
		}
		if found, ok := d.search(next, names[1:], then); ok {
			return found, true
		}
	}
	return nil, false
}

// checkSums refuses what the sums already rule out, in words that help.
func (d *Device) checkSums(names []string) error {
	compute, slots, media := 0, 0, 0
	for _, name := range names {
		p, _ := d.Profile(name)
		compute += p.Compute
		slots += p.Size
		if p.Media {
			media++
		}
	}
	switch {
	case media > 1:
		return fmt.Errorf("%d instances with the media engines (+me): a GPU gives them to one", media)
	case compute > d.Compute:
		return fmt.Errorf("%s want %d compute slices; a GPU has %d", d.tally(names, false), compute, d.Compute)
	case slots > d.Slots:
		return fmt.Errorf("%s want %d memory slices; a GPU has %d (compute slices: %d of %d)", d.tally(names, true), slots, d.Slots, compute, d.Compute)
	}
	return nil
}

// tally words a set of names: 2 x 3g.20gb and 1 x 1g.5gb.
func (d *Device) tally(names []string, sizes bool) string {
	var parts []string
	for _, name := range d.widestFirst(d.Names()) {
		n := 0
		for _, m := range names {
			if m == name {
				n++
			}
		}
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d x %s", n, name)
		if p, _ := d.Profile(name); sizes {
			part += fmt.Sprintf(" (%d each)", p.Size)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

// starts words where the profiles of these names may start.
func (d *Device) starts(names []string) string {
	var parts []string
	for _, p := range d.Profiles {
		if slices.Contains(names, p.Name) {
			parts = append(parts, fmt.Sprintf("%s at %s", p.Name, joinInts(p.Starts, ", ")))
		}
	}
	return strings.Join(parts, "; ")
}
