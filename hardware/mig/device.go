package mig

import (
	"fmt"
	"strings"
)

// Unknown stands for a figure that nobody found.
const Unknown = -1

// Device is the table of a kind of GPU. It must not be changed.
type Device struct {
	Name     string // such as A100-40GB
	GPU      string // id in the catalogue; empty when the table was asked for by name
	Slots    int    // memory slices
	Compute  int    // compute slices
	Profiles []Profile
	Sources  []Source
	PCI      []string // device and vendor number of its cards, as in 20B010DE

	widths []computeWidth
	all    []Device // for names of other cards
}

// Profile is one kind of instance. Figures may be Unknown.
type Profile struct {
	Name    string
	ID      int // that nvidia-smi takes
	Compute int // compute slices
	Size    int // slots, which are memory slices
	Max     int // instances on one GPU
	Starts  []int
	Media   bool // has the media engines of the GPU (+me)

	SM, MiB, CE, DEC, ENC, JPEG, OFA int
	GiB, P2P                         string // as nvidia-smi prints them

	order []int // in which the driver tries the starts
}

// forget makes figures unknown.
func (p *Profile) forget(columns []string) {
	for _, c := range columns {
		switch c {
		case "sm":
			p.SM = Unknown
		case "mib":
			p.MiB = Unknown
		case "gib":
			p.GiB = ""
		case "ce":
			p.CE = Unknown
		case "dec":
			p.DEC = Unknown
		case "enc":
			p.ENC = Unknown
		case "jpeg":
			p.JPEG = Unknown
		case "ofa":
			p.OFA = Unknown
		}
	}
}

// Source says where some figures of a device come from. Figures "note" says
// something else that is to be known.
type Source struct {
	Figures string
	Status  string // read, computed, assumed, memory
	Text    string
}

// Title is how the device is called in messages.
func (d *Device) Title() string {
	if d.GPU != "" {
		return d.GPU
	}
	return d.Name
}

// Profile finds a profile by name.
func (d *Device) Profile(name string) (*Profile, bool) {
	for i := range d.Profiles {
		if d.Profiles[i].Name == name {
			return &d.Profiles[i], true
		}
	}
	return nil, false
}

// FindProfile is Profile with an error that names what was meant: a name of
// another card is answered with the profile of the same shape here.
func (d *Device) FindProfile(name string) (*Profile, error) {
	if p, ok := d.Profile(name); ok {
		return p, nil
	}
	var cards []string
	var meant string
	for i := range d.all {
		if p, ok := d.all[i].Profile(name); ok {
			cards = append(cards, d.all[i].Name)
			if meant == "" {
				meant = d.like(p)
			}
		}
	}
	msg := fmt.Sprintf("%s has no profile %q", d.Title(), name)
	for _, p := range d.Profiles { // as clusters write it, or a compute instance
		_, inside, _ := strings.Cut(name, "c.")
		if name == strings.ReplaceAll(p.Name, "+", ".") || inside == p.Name {
			meant = p.Name
		}
	}
	if len(cards) > 0 {
		msg += ", a name of the " + strings.Join(cards, " and ")
	}
	if meant != "" {
		return nil, fmt.Errorf("%s; here it is called %s", msg, meant)
	}
	return nil, fmt.Errorf("%s; it has %s", msg, strings.Join(d.Names(), ", "))
}

// like names the profile that is to this device what p is to another: the same
// compute slices and slots.
func (d *Device) like(p *Profile) string {
	for i := range d.Profiles {
		q := &d.Profiles[i]
		if q.Compute == p.Compute && q.Size == p.Size && q.Media == p.Media {
			return q.Name
		}
	}
	return ""
}

// Names lists the profiles.
func (d *Device) Names() []string {
	names := make([]string, len(d.Profiles))
	for i, p := range d.Profiles {
		names[i] = p.Name
	}
	return names
}

// Core lists the profiles of which the well-known configurations are made: not
// those with the media engines, and of those with the same compute slices the
// narrowest.
func (d *Device) Core() []string { return d.names(false) }

// CoreAndWide is Core and the profiles with more memory for the same compute.
func (d *Device) CoreAndWide() []string { return d.names(true) }

func (d *Device) names(wide bool) []string {
	var names []string
	for _, p := range d.Profiles {
		narrower := false
		for _, q := range d.Profiles {
			narrower = narrower || q.Compute == p.Compute && q.Size < p.Size
		}
		if !p.Media && (wide || !narrower) {
			names = append(names, p.Name)
		}
	}
	return names
}
