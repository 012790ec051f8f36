// Package migconfig reads the files in which clusters say how the GPUs of a
// node shall be cut into instances: those of NVIDIA's mig-parted (version v1).
//
// Mental model: a file is named configurations; a configuration is a list of
// entries, each of which says for some GPUs of the node (devices: all or their
// indices, perhaps only those of one kind of card) whether MIG is on and how
// many instances of which profile they hold. [Read] is only the form; what fits
// on a GPU is decided by hardware/mig, which takes the entries of
// [File.Select].
package migconfig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpusim/hardware/mig"
	"gpusim/workloads/document"
)

// File is a partition file.
type File struct {
	configs map[string][]entry
	root    *document.Node
}

type layout struct {
	Version string             `yaml:"version" required:"true" enum:"v1" doc:"version of the format"`
	Configs map[string][]entry `yaml:"mig-configs" required:"true" doc:"configurations by name"`
}

type entry struct {
	Filter  words   `yaml:"device-filter" doc:"only cards with these device and vendor numbers"`
	Devices devices `yaml:"devices" required:"true" doc:"all, or a list of indices into the node"`
	MIG     bool    `yaml:"mig-enabled" required:"true" doc:"whether MIG is on"`
	Want    wishes  `yaml:"mig-devices" doc:"how many instances of each profile"`
}

// devices is the word all or a list of indices.
type devices struct {
	all  bool
	list []int
}

// DecodeNode reads the word or the list.
func (d *devices) DecodeNode(n *document.Node) error {
	if n.Kind == document.Scalar && n.Text == "all" {
		d.all = true
		return nil
	}
	if n.Kind != document.List {
		shown := n.Text
		if n.Kind != document.Scalar {
			shown = n.Kind.String()
		}
		return n.Errorf("must be all or a list of indices such as [%s], not %s", example(n), shown)
	}
	d.list = []int{}
	for _, item := range n.Items {
		i, err := strconv.Atoi(item.Text)
		if item.Kind != document.Scalar || item.Quoted || err != nil || i < 0 {
			return item.Errorf("an index of a device must be a whole number from 0, not %s", shown(item))
		}
		d.list = append(d.list, i)
	}
	return nil
}

// example is what to write in brackets.
func example(n *document.Node) string {
	if i, err := strconv.Atoi(n.Text); err == nil && i >= 0 {
		return n.Text
	}
	return "0, 1"
}

func shown(n *document.Node) string {
	if n.Kind != document.Scalar {
		return n.Kind.String()
	}
	return strconv.Quote(n.Text)
}

// words is one text or a list of them.
type words []string

// DecodeNode reads the text or the list.
func (w *words) DecodeNode(n *document.Node) error {
	items := []*document.Node{n}
	if n.Kind == document.List {
		items = n.Items
	}
	for _, item := range items {
		hex, ok := strings.CutPrefix(strings.ToUpper(item.Text), "0X")
		if _, err := strconv.ParseUint(hex, 16, 32); item.Kind != document.Scalar || !ok || err != nil {
			return item.Errorf("must be a device and vendor number such as 0x20B010DE or a list of them, not %s", shown(item))
		}
		*w = append(*w, "0x"+hex)
	}
	return nil
}

// wishes is profile: count, in the order of the file.
type wishes []mig.Count

// DecodeNode reads the mapping; what profiles there are is not decided here.
func (w *wishes) DecodeNode(n *document.Node) error {
	switch n.Kind {
	case document.Null:
		return nil
	case document.Map:
	default:
		return n.Errorf("must be a mapping of profiles to counts, not %s", n.Kind)
	}
	var errs document.Errors
	for i, key := range n.Keys {
		value := n.Items[i]
		count, err := strconv.Atoi(value.Text)
		if value.Kind != document.Scalar || value.Quoted || err != nil {
			e := value.Errorf("the number of %s must be a whole number, not %s", key.Text, shown(value))
			e.Path = strconv.Quote(key.Text)
			errs = append(errs, e)
			continue
		}
		*w = append(*w, mig.Count{Profile: key.Text, N: count})
	}
	return errs.Sorted()
}

// Read reads a file; name is its name in errors, which are document.Errors.
func Read(name string, data []byte) (*File, error) {
	n, err := document.Parse(name, data)
	if err != nil {
		return nil, err
	}
	var l layout
	if err := document.Decode(n, &l); err != nil {
		return nil, err
	}
	return &File{l.Configs, n}, nil
}

// Names lists the configurations, sorted.
func (f *File) Names() []string {
	var names []string
	for n := range f.configs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Select returns the entries of a configuration. Without a name the file must
// have one only.
func (f *File) Select(name string) ([]mig.Entry, error) {
	at := f.root.At("mig-configs")
	fail := func(format string, args ...any) error {
		e := at.Errorf(format, args...)
		e.Path = "mig-configs"
		return document.Errors{e}
	}
	names := f.Names()
	switch {
	case len(names) == 0:
		return nil, fail("the file has no configuration")
	case name == "" && len(names) > 1:
		return nil, fail("the file has several configurations; select one: %s", strings.Join(names, ", "))
	case name == "":
		name = names[0]
	}
	list, ok := f.configs[name]
	if !ok {
		return nil, fail("there is no configuration %q; the file has %s", name, strings.Join(names, ", "))
	}
	var entries []mig.Entry
	for i, e := range list {
		entries = append(entries, mig.Entry{
			Field: path(name, i), All: e.Devices.all, Devices: e.Devices.list,
			Filters: e.Filter, MIG: e.MIG, Want: e.Want,
		})
	}
	return entries, nil
}

// Located says where in the file something stands that does not fit.
func (f *File) Located(fault mig.Fault) document.Error {
	e := f.node(fault.Field).Errorf("%s: %s", fault.Field, fault.Message)
	e.Path = fault.Field
	return e
}

// node finds the value of a field such as mig-configs.a[0].devices[1]: the
// deepest node whose path the field begins with.
func (f *File) node(field string) *document.Node {
	configs := f.root.Get("mig-configs")
	for i, key := range configs.Keys {
		for j, e := range configs.Items[i].Items {
			rest, ok := strings.CutPrefix(field, path(key.Text, j)+".")
			if !ok {
				continue
			}
			if profile, ok := strings.CutPrefix(rest, "mig-devices."); ok {
				if p, err := strconv.Unquote(profile); err == nil {
					return e.At("mig-devices").At(p)
				}
			}
			if index, ok := strings.CutPrefix(rest, "devices["); ok {
				n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
				if items := e.At("devices").Items; err == nil && n < len(items) {
					return items[n]
				}
			}
			return e.At(rest)
		}
	}
	return f.root
}

// path is how messages call an entry.
func path(config string, i int) string { return fmt.Sprintf("mig-configs.%s[%d]", config, i) }
