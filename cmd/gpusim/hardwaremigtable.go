package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpusim/hardware/mig"
)

// figure is nil for an unknown figure.
func figure(n int) *int {
	if n == mig.Unknown {
		return nil
	}
	return &n
}

type migProfile struct {
	Name    string  `json:"profile"`
	ID      *int    `json:"profile_id"`
	Compute int     `json:"compute_slices"`
	Memory  int     `json:"memory_slices"`
	Max     int     `json:"max_instances"`
	SM      *int    `json:"sm_count"`
	MiB     *int    `json:"memory_mib"`
	GiB     *string `json:"memory_gib_printed"`
	CE      *int    `json:"ce"`
	DEC     *int    `json:"dec"`
	ENC     *int    `json:"enc"`
	JPEG    *int    `json:"jpeg"`
	OFA     *int    `json:"ofa"`
	P2P     *string `json:"p2p"`
	Starts  []int   `json:"starts"`
}

type migPlace struct {
	Profile string `json:"profile"`
	Start   int    `json:"start"`
	Size    int    `json:"size"`
}

type migSource struct {
	Figures string `json:"figures"`
	Status  string `json:"status"`
	Source  string `json:"source"`
}

func migProfiles(d *mig.Device) []migProfile {
	var list []migProfile
	for _, p := range d.Profiles {
		list = append(list, migProfile{p.Name, figure(p.ID), p.Compute, p.Size, p.Max, figure(p.SM), figure(p.MiB), known(p.GiB),
			figure(p.CE), figure(p.DEC), figure(p.ENC), figure(p.JPEG), figure(p.OFA), known(p.P2P), p.Starts})
	}
	return list
}

// migTable is the document of hardware mig --output json; null is unknown.
func migTable(d *mig.Device) any {
	sets := func(profiles []string) [][]migPlace {
		var list [][]migPlace
		for _, set := range d.Maximal(profiles) {
			var row []migPlace
			for _, in := range set {
				p, _ := d.Profile(in.Profile)
				row = append(row, migPlace{in.Profile, in.Start, p.Size})
			}
			list = append(list, row)
		}
		return list
	}
	var sources []migSource
	for _, s := range d.Sources {
		sources = append(sources, migSource{s.Figures, s.Status, s.Text})
	}
	return struct {
		GPU      *string      `json:"gpu"`
		Table    string       `json:"table"`
		Memory   int          `json:"memory_slices"`
		Compute  int          `json:"compute_slices"`
		Profiles []migProfile `json:"profiles"`
		Maximal  [][]migPlace `json:"maximal"`
		Wide     [][]migPlace `json:"maximal_with_wide"`
		Sources  []migSource  `json:"sources"`
	}{known(d.GPU), d.Name, d.Slots, d.Compute, migProfiles(d), sets(d.Core()), sets(d.CoreAndWide()), sources}
}

// migCSV writes a row a profile; what is unknown is empty.
func migCSV(w io.Writer, d *mig.Device) error {
	rows := [][]string{{"profile", "profile_id", "compute_slices", "memory_slices", "max_instances", "sm_count", "memory_mib", "memory_gib_printed",
		"ce", "dec", "enc", "jpeg", "ofa", "p2p", "starts"}}
	text := func(n int) string {
		if n == mig.Unknown {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, p := range d.Profiles {
		rows = append(rows, []string{p.Name, text(p.ID), text(p.Compute), text(p.Size), text(p.Max), text(p.SM), text(p.MiB), p.GiB,
			text(p.CE), text(p.DEC), text(p.ENC), text(p.JPEG), text(p.OFA), p.P2P, strings.Trim(fmt.Sprint(p.Starts), "[]")})
	}
	return writeCSV(w, rows)
}

func writeCSV(w io.Writer, rows [][]string) error {
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// printCompute shows the compute instances inside an instance of a profile,
// where the driver would put the first of them.
func (f *migFlags) printCompute(w io.Writer, d *mig.Device, p *mig.Profile) error {
	type row struct {
		Name    string `json:"profile"`
		ID      int    `json:"profile_id"`
		Slices  int    `json:"compute_slices"`
		Max     int    `json:"max_instances"`
		SM      *int   `json:"sm_count"`
		Default bool   `json:"default"`
	}
	var list []row
	rows := [][]string{{"profile", "profile_id", "compute_slices", "max_instances", "sm_count", "default"}}
	for _, c := range d.ComputeProfiles(p) {
		r := row{c.Name, c.ID, c.Slices, c.Max, figure(c.SM), c.Default}
		list = append(list, r)
		sm := ""
		if r.SM != nil {
			sm = strconv.Itoa(c.SM)
		}
		rows = append(rows, []string{c.Name, strconv.Itoa(c.ID), strconv.Itoa(c.Slices), strconv.Itoa(c.Max), sm, strconv.FormatBool(c.Default)})
	}
	switch f.output {
	case "json":
		return printJSON(w, map[string]any{"gpu": d.Title(), "instance": p.Name, "profiles": list})
	case "csv":
		return writeCSV(w, rows)
	}
	start, _ := d.Start(nil, p.Name, mig.Driver)
	return d.PrintComputeProfiles(w, p, d.GPUInstanceID(start, p.Size))
}
