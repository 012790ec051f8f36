package mig

import (
	"fmt"
	"slices"
)

// Instance is a profile at a place.
type Instance struct {
	Profile string
	Start   int
}

// Check says why a set of instances cannot exist on one GPU; nil when it can.
func (d *Device) Check(set []Instance) error {
	slots := make([]string, d.Slots) // who lies there
	count := map[string]int{}
	compute, media := 0, ""
	for _, in := range set {
		p, err := d.FindProfile(in.Profile)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s at %d", p.Name, in.Start)
		if !slices.Contains(p.Starts, in.Start) {
			return fmt.Errorf("%s cannot start at %d; it can at %v", p.Name, in.Start, p.Starts)
		}
		for s := in.Start; s < in.Start+p.Size; s++ {
			if slots[s] != "" {
				return fmt.Errorf("%s and %s overlap in memory slice %d", slots[s], name, s)
			}
			slots[s] = name
		}
		if count[p.Name]++; count[p.Name] > p.Max {
			return fmt.Errorf("there can be at most %d of %s on a GPU", p.Max, p.Name)
		}
		if p.Media && media != "" {
			return fmt.Errorf("%s and %s both want the media engines; a GPU gives them to one instance", media, name)
		} else if p.Media {
			media = name
		}
		compute += p.Compute
	}
	if compute > d.Compute {
		return fmt.Errorf("these instances want %d compute slices; a GPU has %d", compute, d.Compute)
	}
	return nil
}

// Starts lists where a further instance of a profile could be put beside the
// instances that exist; none when the profile is not known.
func (d *Device) Starts(exist []Instance, profile string) []int {
	p, ok := d.Profile(profile)
	if !ok {
		return nil
	}
	return d.free(exist, p, p.Starts)
}

// free is those of the starts at which the profile fits.
func (d *Device) free(exist []Instance, p *Profile, starts []int) []int {
	var list []int
	for _, s := range starts {
		if d.Check(append(slices.Clip(exist), Instance{p.Name, s})) == nil {
			list = append(list, s)
		}
	}
	return list
}

// Maximal lists all sets of instances of these profiles to which nothing can be
// added, each from left to right; sets of few instances come first. Cost: the
// number of possible sets.
func (d *Device) Maximal(profiles []string) [][]Instance {
	var found [][]Instance
	var set []Instance
	var from func(slot int)
	from = func(slot int) {
		if slot == d.Slots {
			for _, name := range profiles {
				if len(d.Starts(set, name)) > 0 {
					return
				}
			}
			found = append(found, slices.Clone(set))
			return
		}
		for _, name := range d.widestFirst(profiles) {
			p, _ := d.Profile(name)
			set = append(set, Instance{name, slot})
			if d.Check(set) == nil {
				from(slot + p.Size)
			}
			set = set[:len(set)-1]
		}
		from(slot + 1)
	}
	from(0)
	slices.SortStableFunc(found, func(a, b []Instance) int { return len(a) - len(b) })
	return found
}

// widestFirst sorts names of profiles: more slots, then more compute slices.
func (d *Device) widestFirst(names []string) []string {
	list := slices.Clone(names)
	slices.SortStableFunc(list, func(a, b string) int {
		p, _ := d.Profile(a)
		q, _ := d.Profile(b)
		if p.Size != q.Size {
			return q.Size - p.Size
		}
		return q.Compute - p.Compute
	})
	return list
}

// States counts the sets of instances of these profiles that can exist, other
// than the empty one.
func (d *Device) States(profiles []string) int {
	var set []Instance
	var from func(slot int) int
	from = func(slot int) int {
		if slot == d.Slots {
			return 1
		}
		n := from(slot + 1)
		for _, name := range profiles {
			p, _ := d.Profile(name)
			set = append(set, Instance{name, slot})
			if d.Check(set) == nil {
				n += from(slot + p.Size)
			}
			set = set[:len(set)-1]
		}
		return n
	}
	return from(0) - 1
}

// GPUInstanceID is the number that the driver gives to the instance at a start:
// its place in the binary heap over the slots (0 the whole GPU, 1 and 2 its
// halves, and so on).
func (d *Device) GPUInstanceID(start, size int) int { return d.Slots/size - 1 + start/size }
