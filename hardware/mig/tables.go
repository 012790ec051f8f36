package mig

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpusim/hardware/catalogue"
)

//go:embed profiles.csv
var profilesCSV string

//go:embed sources.csv
var sourcesCSV string

//go:embed cards.csv
var cardsCSV string

//go:embed compute.csv
var computeCSV string

// Tables is all that is known of MIG. It does not change and may be used by
// several goroutines.
type Tables struct {
	devices []Device // in the order of the table; each stands for several cards
	cards   []card
	gpus    *catalogue.Catalogue
}

// card is a GPU of the catalogue and the device whose table it has.
type card struct {
	gpu, device string
	unknown     []string // columns that do not hold for this card
	pci         []string
	source      Source
}

// Load reads the embedded tables and the catalogue. Cost: about a millisecond.
func Load() (*Tables, error) {
	gpus, err := catalogue.Load()
	if err != nil {
		return nil, err
	}
	t := &Tables{gpus: gpus}
	r := reader{}
	r.rows("profiles.csv", profilesCSV, func(row map[string]string) {
		name := row["device"]
		if n := len(t.devices); n == 0 || t.devices[n-1].Name != name {
			t.devices = append(t.devices, Device{Name: name})
		}
		d := &t.devices[len(t.devices)-1]
		d.Profiles = append(d.Profiles, r.profile(row))
	})
	for i := range t.devices {
		d := &t.devices[i]
		for _, p := range d.Profiles {
			d.Slots, d.Compute = max(d.Slots, p.Size), max(d.Compute, p.Compute)
		}
	}
	r.rows("sources.csv", sourcesCSV, func(row map[string]string) {
		i := slices.IndexFunc(t.devices, func(d Device) bool { return d.Name == row["device"] })
		if i < 0 {
			r.fail("sources.csv: there is no device %s", row["device"])
			return
		}
		t.devices[i].Sources = append(t.devices[i].Sources, Source{row["figures"], row["status"], row["source"]})
	})
	r.rows("cards.csv", cardsCSV, func(row map[string]string) {
		t.cards = append(t.cards, card{row["gpu"], row["device"], strings.Fields(row["unknown"]), strings.Fields(row["pci"]),
			Source{"card", row["status"], row["source"]}})
	})
	var widths []computeWidth
	r.rows("compute.csv", computeCSV, func(row map[string]string) {
		w := computeWidth{slices: r.number(row, "slices"), id: r.number(row, "id"), a100SM: r.number(row, "a100_sm"), max: map[int]int{}}
		for _, of := range []int{1, 2, 3, 4, 7} {
			if n := r.number(row, "of_"+strconv.Itoa(of)); n > 0 {
				w.max[of] = n
			}
		}
		widths = append(widths, w)
	})
	for i := range t.devices {
		t.devices[i].widths = widths
	}
	return t, r.err
}

// Devices returns the tables, one for each kind of card that has one.
func (t *Tables) Devices() []Device { return t.devices }

// Cards returns the ids of the GPUs of the catalogue that can be cut.
func (t *Tables) Cards() []string {
	ids := make([]string, len(t.cards))
	for i, c := range t.cards {
		ids[i] = c.gpu
	}
	return ids
}

// Find returns the table of a GPU: by its id in the catalogue, by the name that
// nvidia-smi prints, or by the name of the table (A100-40GB).
func (t *Tables) Find(name string) (*Device, error) {
	g, known := t.gpus.GPU(name)
	for _, c := range t.cards {
		if known && c.gpu == g.ID {
			return t.ofCard(c), nil
		}
	}
	for _, d := range t.devices {
		if strings.EqualFold(d.Name, name) {
			for _, c := range t.cards {
				if c.device == d.Name {
					d.PCI = append(d.PCI, c.pci...)
				}
			}
			return t.with(d), nil
		}
	}
	switch {
	case known && g.Get("vendor").Text != "NVIDIA":
		return nil, fmt.Errorf("%s is a GPU of %s; MIG is only on GPUs of NVIDIA: %s", g.ID, g.Get("vendor").Text, strings.Join(t.Cards(), ", "))
	case known:
		return nil, fmt.Errorf("%s cannot be cut into instances; GPUs with MIG: %s", g.ID, strings.Join(t.Cards(), ", "))
	}
	msg := fmt.Sprintf("there is no GPU %q", name)
	if near := t.gpus.Nearest(name); near != "" {
		msg += "; did you mean " + near + "?"
	}
	return nil, fmt.Errorf("%s (GPUs with MIG: %s)", msg, strings.Join(t.Cards(), ", "))
}

// ofCard is the table of a card: what does not hold for it is unknown.
func (t *Tables) ofCard(c card) *Device {
	i := slices.IndexFunc(t.devices, func(d Device) bool { return d.Name == c.device })
	d := t.devices[i]
	d.GPU, d.PCI = c.gpu, c.pci
	d.Sources = append(slices.Clone(d.Sources), c.source)
	d.Profiles = slices.Clone(d.Profiles)
	for i := range d.Profiles {
		d.Profiles[i].forget(c.unknown)
	}
	return t.with(d)
}

func (t *Tables) with(d Device) *Device {
	d.all = t.devices
	return &d
}

// reader reads embedded tables and keeps the first error.
type reader struct{ err error }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) rows(name, data string, each func(map[string]string)) {
	all, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil {
		r.fail("reading the embedded %s: %w", name, err)
		return
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, c := range cells {
			row[all[0][i]] = c
		}
		each(row)
	}
}

// number reads a count; an empty one is unknown.
func (r *reader) number(row map[string]string, column string) int {
	if row[column] == "" {
		return Unknown
	}
	n, err := strconv.Atoi(row[column])
	if err != nil || n < 0 {
		r.fail("%v: %s must be a count, not %q", row, column, row[column])
	}
	return n
}

func (r *reader) numbers(text string) []int {
	var list []int
	for _, w := range strings.Fields(text) {
		n, err := strconv.Atoi(w)
		if err != nil {
			r.fail("a list of starts has %q", w)
		}
		list = append(list, n)
	}
	return list
}

func (r *reader) profile(row map[string]string) Profile {
	p := Profile{
		Name: row["profile"], GiB: row["gib"], P2P: row["p2p"], Media: strings.Contains(row["profile"], "+me"),
		ID: r.number(row, "id"), Compute: r.number(row, "compute"), Size: r.number(row, "memory"), Max: r.number(row, "max"),
		SM: r.number(row, "sm"), MiB: r.number(row, "mib"), CE: r.number(row, "ce"), DEC: r.number(row, "dec"), ENC: r.number(row, "enc"),
		JPEG: r.number(row, "jpeg"), OFA: r.number(row, "ofa"), Starts: r.numbers(row["starts"]), order: r.numbers(row["order"]),
	}
	if !slices.Equal(p.Starts, slices.Sorted(slices.Values(p.order))) || p.Compute < 1 || p.Size < 1 || p.Max < 1 {
		r.fail("profiles.csv: %s %s: slices, maximum, starts and order must be there and agree", row["device"], p.Name)
	}
	return p
}
