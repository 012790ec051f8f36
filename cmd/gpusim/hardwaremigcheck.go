package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"gpusim/hardware/mig"
	"gpusim/workloads/document"
	"gpusim/workloads/migconfig"
)

// migVerdict is the document of hardware mig --config --output json.
type migVerdict struct {
	Valid     bool           `json:"valid"`
	Errors    []migError     `json:"errors"`
	Devices   []migDevice    `json:"devices"`
	Resources map[string]int `json:"resources"`

	node []mig.GPU
	errs []error // with their places in the file
}

type migError struct {
	Field   string `json:"field"`
	Device  *int   `json:"device"` // null when it is not about one GPU
	Message string `json:"message"`
}

type migDevice struct {
	Index     int           `json:"index"`
	MIG       bool          `json:"mig"`
	Instances []migInstance `json:"instances"`
}

type migInstance struct {
	ID      int    `json:"id"`
	Profile string `json:"profile"`
	Start   int    `json:"start"`
	Size    int    `json:"size"`
}

// check prints what a partition file makes of a node, or why it cannot be.
func (f *migFlags) check(s streams, d *mig.Device) error {
	data, err := readFile(s, f.config)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	v := f.verdict(d, data)
	if f.output == "json" {
		if err := printJSON(s.out, v); err != nil {
			return err
		}
		if !v.Valid {
			return errSilent
		}
		return nil
	}
	if !v.Valid {
		return errors.Join(v.errs...)
	}
	if f.output == "csv" {
		return v.csv(s.out)
	}
	return v.table(s.out, d)
}

func (f *migFlags) verdict(d *mig.Device, data []byte) *migVerdict {
	v := &migVerdict{Errors: []migError{}, Devices: []migDevice{}, Resources: map[string]int{}}
	file, err := migconfig.Read(f.config, data)
	if err != nil {
		v.refuse(err)
		return v
	}
	entries, err := file.Select(f.name)
	if err != nil {
		v.refuse(err)
		return v
	}
	node, faults := d.Partition(entries, f.gpus)
	for _, fault := range faults {
		v.fault(fault, file.Located(fault))
	}
	resources, faults := mig.Resources(node, mig.Naming(f.naming))
	for _, fault := range faults {
		v.fault(fault, fmt.Errorf("--%s %s: %s", fault.Field, f.naming, fault.Message))
	}
	if len(v.Errors) > 0 {
		return v
	}
	v.Valid, v.node, v.Resources = true, node, resources
	for _, g := range node {
		dev := migDevice{g.Index, g.MIG, []migInstance{}}
		for _, in := range g.Instances {
			dev.Instances = append(dev.Instances, migInstance{in.ID, in.Profile, in.Start, in.Size})
		}
		v.Devices = append(v.Devices, dev)
	}
	return v
}

// refuse notes what is wrong with the form of the file.
func (v *migVerdict) refuse(err error) {
	var list document.Errors
	if !errors.As(err, &list) {
		v.fault(mig.Fault{Device: -1}, err)
	}
	for _, e := range list {
		v.fault(mig.Fault{Field: e.Path, Device: -1}, e)
	}
}

func (v *migVerdict) fault(f mig.Fault, located error) {
	e := migError{Field: f.Field, Message: located.Error()}
	if f.Device >= 0 {
		e.Device = &f.Device
	}
	v.Errors = append(v.Errors, e)
	v.errs = append(v.errs, located)
}

// table prints the instances as nvidia-smi mig -lgi does, then a drawing of each
// GPU and what the node offers.
func (v *migVerdict) table(w io.Writer, d *mig.Device) error {
	if err := d.PrintInstances(w, v.node); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, g := range v.node {
		if !g.MIG {
			fmt.Fprintf(w, "GPU %2d  whole\n", g.Index)
			continue
		}
		var set []mig.Instance
		for _, in := range g.Instances {
			set = append(set, in.Instance)
		}
		fmt.Fprintf(w, "GPU %2d  %s  %s\n", g.Index, d.Draw(set), cmp.Or(migSet(set), "no instance"))
	}
	fmt.Fprintln(w)
	for _, name := range slices.Sorted(maps.Keys(v.Resources)) {
		fmt.Fprintf(w, "%s: %d\n", name, v.Resources[name])
	}
	if len(v.Resources) == 0 {
		fmt.Fprintln(w, "The node offers nothing: its GPUs are cut, but hold no instance.")
	}
	return nil
}

func (v *migVerdict) csv(w io.Writer) error {
	rows := [][]string{{"gpu", "mig", "gpu_instance_id", "profile", "start", "size"}}
	for _, d := range v.Devices {
		if len(d.Instances) == 0 {
			rows = append(rows, []string{strconv.Itoa(d.Index), strconv.FormatBool(d.MIG), "", "", "", ""})
		}
		for _, in := range d.Instances {
			rows = append(rows, []string{strconv.Itoa(d.Index), strconv.FormatBool(d.MIG), strconv.Itoa(in.ID), in.Profile, strconv.Itoa(in.Start), strconv.Itoa(in.Size)})
		}
	}
	return writeCSV(w, rows)
}
