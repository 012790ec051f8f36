package mig

import (
	"fmt"
	"strings"
)

// computeWidth is a row of compute.csv: a compute instance of so many slices.
type computeWidth struct {
	slices, id, a100SM int
	max                map[int]int // by the compute slices of the GPU instance
}

// ComputeProfile is one kind of compute instance inside a GPU instance, with
// whose others it shares memory and engines.
type ComputeProfile struct {
	Name    string
	ID      int
	Slices  int
	Max     int // inside one GPU instance
	SM      int // may be Unknown
	Default bool
}

// ComputeProfiles lists the kinds of compute instance inside an instance of a
// profile. The SMs of those narrower than it are known for the A100 only.
func (d *Device) ComputeProfiles(p *Profile) []ComputeProfile {
	var list []ComputeProfile
	for _, w := range d.widths {
		n := w.max[p.Compute]
		if n == 0 {
			continue
		}
		c := ComputeProfile{Name: p.Name, ID: w.id, Slices: w.slices, Max: n, SM: p.SM, Default: w.slices == p.Compute}
		if !c.Default {
			c.Name, c.SM = fmt.Sprintf("%dc.%s", w.slices, p.Name), Unknown
			if strings.HasPrefix(d.Name, "A100-") {
				c.SM = w.a100SM
			}
		}
		list = append(list, c)
	}
	return list
}

// CheckCompute says why a GPU instance of a profile cannot hold compute
// instances of these slices; nil when it can.
func (d *Device) CheckCompute(p *Profile, slices []int) error {
	count, sum := map[int]int{}, 0
	for _, s := range slices {
		m := 0
		for _, c := range d.ComputeProfiles(p) {
			if c.Slices == s {
				m = c.Max
			}
		}
		if m == 0 {
			return fmt.Errorf("%s has no compute instance of %d slices", p.Name, s)
		}
		if count[s]++; count[s] > m {
			return fmt.Errorf("%s holds at most %d compute instances of %d slices", p.Name, m, s)
		}
		if sum += s; sum > p.Compute {
			return fmt.Errorf("%s has %d compute slices; these compute instances want more", p.Name, p.Compute)
		}
	}
	return nil
}
