package mig

import (
	"fmt"
	"slices"
	"strings"
)

// Entry is one wish of a partition file: these GPUs of the node shall look so.
type Entry struct {
	Field   string // where it stands, for messages
	All     bool   // all GPUs, else those of Devices
	Devices []int
	Filters []string // device and vendor numbers, as in 0x20B010DE; none: any card
	MIG     bool
	Want    []Count
}

// GPU is one GPU of a node as it looks afterwards.
type GPU struct {
	Index     int
	MIG       bool
	Instances []Placed // from left to right
}

// Placed is an instance that exists.
type Placed struct {
	Instance
	ID, Size int
}

// Fault is one thing that is wrong with a partition file.
type Fault struct {
	Field   string
	Device  int // index of a GPU; -1 when it is not about one
	Message string
}

// Naming is how a node names its instances to a cluster.
type Naming string

// The namings.
const (
	Mixed  Naming = "mixed"  // by profile: nvidia.com/mig-1g.5gb
	Single Naming = "single" // all as nvidia.com/gpu, so they must be alike
)

// Partition makes the GPUs of a node look as the entries want: it starts from
// whole GPUs, and those that no entry names stay so. With any fault there are no
// GPUs.
func (d *Device) Partition(entries []Entry, gpus int) ([]GPU, []Fault) {
	node := make([]GPU, gpus)
	for i := range node {
		node[i] = GPU{Index: i, Instances: []Placed{}}
	}
	by := make([]string, gpus) // the entry that has named the GPU
	var faults []Fault
	for _, e := range entries {
		if !d.matches(e.Filters) {
			continue
		}
		set, bad := d.wanted(e)
		faults = append(faults, bad...)
		list := e.Devices
		if e.All {
			list = indices(gpus)
		}
		for n, i := range list {
			field := fmt.Sprintf("%s.devices[%d]", e.Field, n)
			if e.All {
				field = e.Field + ".devices"
			}
			switch {
			case i < 0 || i >= gpus:
				faults = append(faults, Fault{field, i, fmt.Sprintf("there is no device %d: the node has %s", i, has(gpus))})
			case by[i] != "":
				faults = append(faults, Fault{field, i, fmt.Sprintf("device %d is named twice, here and in %s; name each once", i, by[i])})
			default:
				by[i] = field
				node[i].MIG, node[i].Instances = e.MIG, slices.Clone(set)
			}
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return node, nil
}

// wanted is what a GPU of an entry holds.
func (d *Device) wanted(e Entry) ([]Placed, []Fault) {
	var faults []Fault
	some := false
	for _, w := range e.Want {
		if _, err := d.Place([]Count{w}); err != nil {
			faults = append(faults, Fault{fmt.Sprintf("%s.mig-devices.%q", e.Field, w.Profile), -1, err.Error()})
		}
		some = some || w.N > 0
	}
	if some && !e.MIG {
		faults = append(faults, Fault{e.Field + ".mig-enabled", -1, "there can be no instances where MIG is off; turn it on or leave mig-devices empty"})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	set, err := d.Place(e.Want)
	if err != nil {
		return nil, []Fault{{e.Field + ".mig-devices", -1, err.Error()}}
	}
	placed := []Placed{}
	for _, in := range set {
		p, _ := d.Profile(in.Profile)
		placed = append(placed, Placed{in, d.GPUInstanceID(in.Start, p.Size), p.Size})
	}
	return placed, nil
}

// matches reports whether a filter lets this kind of card pass.
func (d *Device) matches(filters []string) bool {
	if len(filters) == 0 {
		return true
	}
	for _, f := range filters {
		f = strings.ToUpper(f)
		for _, pci := range d.PCI {
			if strings.TrimPrefix(f, "0X") == pci {
				return true
			}
		}
	}
	return false
}

// Resources counts what the GPUs of a node offer to a cluster. Whole GPUs are
// those without MIG.
func Resources(node []GPU, naming Naming) (map[string]int, []Fault) {
	count := map[string]int{}
	whole, kinds := 0, []string{}
	for _, g := range node {
		if !g.MIG {
			whole++
			count["nvidia.com/gpu"]++
		}
		for _, in := range g.Instances {
			name := "nvidia.com/gpu"
			if naming == Mixed {
				name = "nvidia.com/mig-" + strings.ReplaceAll(in.Profile, "+", ".")
			}
			count[name]++
			if !slices.Contains(kinds, in.Profile) {
				kinds = append(kinds, in.Profile)
			}
		}
	}
	if naming == Mixed {
		return count, nil
	}
	slices.Sort(kinds)
	switch {
	case len(kinds) > 1:
		return nil, []Fault{{"naming", -1, fmt.Sprintf("the single naming needs one profile on the whole node, not %s; use one profile or the mixed naming", strings.Join(kinds, " and "))}}
	case whole > 0 && whole < len(node):
		return nil, []Fault{{"naming", -1, fmt.Sprintf("the single naming needs MIG on all GPUs or on none; it is off on %d of %d; cover all devices or use the mixed naming", whole, len(node))}}
	}
	return count, nil
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func has(gpus int) string {
	if gpus == 1 {
		return "one GPU, 0"
	}
	return fmt.Sprintf("%d GPUs, 0 to %d", gpus, gpus-1)
}
