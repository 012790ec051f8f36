package mig

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Layout is how a release of nvidia-smi lays out its tables.
type Layout struct{ name int } // blanks added behind the name

// LayoutOf is the layout of a driver branch such as 535: 79 wide, 81 from 570.
func LayoutOf(branch int) Layout {
	if branch >= 570 {
		return Layout{2}
	}
	return Layout{}
}

// PrintProfiles writes the profiles as nvidia-smi mig -lgip does for GPU 0 with
// nothing on it; - is not known.
func (d *Device) PrintProfiles(w io.Writer, l Layout) error {
	pad := strings.Repeat(" ", l.name)
	dash := strings.Repeat("-", l.name)
	rule := "+" + dash + strings.Repeat("-", 77) + "+\n"
	var b strings.Builder
	b.WriteString(rule)
	fmt.Fprintf(&b, "| %-76s%s|\n", "GPU instance profiles:", pad)
	fmt.Fprintf(&b, "| GPU   Name           %s  ID    Instances   Memory     P2P    SM    DEC   ENC  |\n", pad)
	fmt.Fprintf(&b, "|                      %s        Free/Total   GiB              CE    JPEG  OFA  |\n", pad)
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(rule, "-", "="), "+", "|"))
	for _, p := range d.Profiles {
		fmt.Fprintf(&b, "| %3d  MIG %-13s%s%3s     %-11s%-11s%-7s%-7s%-6s%-4s|\n", 0, p.Name, pad, known(p.ID),
			fmt.Sprintf("%d/%d", p.Max, p.Max), text(p.GiB), text(p.P2P), known(p.SM), known(p.DEC), known(p.ENC))
		fmt.Fprintf(&b, "|%60s%s %-6s%-6s%-4s|\n", "", pad, known(p.CE), known(p.JPEG), known(p.OFA))
		b.WriteString(rule)
	}
	return write(w, b.String())
}

// PrintPlacements writes the placements as nvidia-smi mig -lgipp does for GPU 0.
func (d *Device) PrintPlacements(w io.Writer) error {
	var b strings.Builder
	for _, p := range d.Profiles {
		word := "Placements"
		if len(p.Starts) == 1 {
			word = "Placement "
		}
		fmt.Fprintf(&b, "GPU %2d Profile ID %2s %s: {%s}:%d\n", 0, known(p.ID), word, joinInts(p.Starts, ","), p.Size)
	}
	return write(w, b.String())
}

// PrintComputeProfiles writes the compute instances inside a GPU instance as
// nvidia-smi mig -lcip does; id is the number of the GPU instance.
func (d *Device) PrintComputeProfiles(w io.Writer, p *Profile, id int) error {
	rule := "+" + strings.Repeat("-", 86) + "+\n"
	var b strings.Builder
	b.WriteString(rule)
	b.WriteString("| Compute instance profiles:                                                           |\n" +
		"| GPU     GPU       Name             Profile  Instances   Exclusive       Shared       |\n" +
		"|       Instance                       ID     Free/Total     SM       DEC   ENC   OFA  |\n" +
		"|         ID                                                          CE    JPEG       |\n")
	b.WriteString("|" + strings.Repeat("=", 86) + "|\n")
	for _, c := range d.ComputeProfiles(p) {
		star := ""
		if c.Default {
			star = "*"
		}
		fmt.Fprintf(&b, "| %3d    %3d       MIG %-13s   %2d%-1s    %2d/%-12d%-10s%-6s%-6s%-4s|\n", 0, id, c.Name, c.ID, star, c.Max, c.Max,
			known(c.SM), known(p.DEC), known(p.ENC), known(p.OFA))
		fmt.Fprintf(&b, "|%70s%-6s%-10s|\n", "", known(p.CE), known(p.JPEG))
		b.WriteString(rule)
	}
	return write(w, b.String())
}

// PrintInstances writes the instances of GPUs as nvidia-smi mig -lgi does.
func (d *Device) PrintInstances(w io.Writer, gpus []GPU) error {
	rule := "+" + strings.Repeat("-", 55) + "+\n"
	var b strings.Builder
	for _, g := range gpus {
		for _, in := range g.Instances {
			if b.Len() == 0 {
				b.WriteString(rule)
				b.WriteString("| GPU instances:                                        |\n" +
					"| GPU   Name             Profile  Instance   Placement  |\n" +
					"|                          ID       ID       Start:Size |\n")
				b.WriteString("|" + strings.Repeat("=", 55) + "|\n")
			}
			p, _ := d.Profile(in.Profile)
			fmt.Fprintf(&b, "| %3d  MIG %-14s %3s       %2d        %3d:%-5d |\n", g.Index, in.Profile, known(p.ID), in.ID, in.Start, in.Size)
			b.WriteString(rule)
		}
	}
	if b.Len() == 0 {
		b.WriteString("No MIG-enabled devices found.\n")
		if slices.ContainsFunc(gpus, func(g GPU) bool { return g.MIG }) {
			b.Reset()
			b.WriteString("No GPU instances found: Not Found\n")
		}
	}
	return write(w, b.String())
}

// Draw shows instances as bricks over the slots of a GPU, each slot four wide,
// labelled with their compute slices; + is with the media engines.
func (d *Device) Draw(set []Instance) string {
	var b strings.Builder
	for s := 0; s < d.Slots; {
		width, label := 1, ""
		for _, in := range set {
			if p, ok := d.Profile(in.Profile); ok && in.Start == s {
				width, label = p.Size, short(p)
			}
		}
		fmt.Fprintf(&b, "|%-*s", 4*width-1, label)
		s += width
	}
	return b.String() + "|"
}

// short is a profile without its memory: 3g, 1g+ with the media engines.
func short(p *Profile) string {
	name, _, _ := strings.Cut(p.Name, ".")
	if p.Media {
		name += "+"
	}
	return name
}

func known(n int) string {
	if n == Unknown {
		return "-"
	}
	return strconv.Itoa(n)
}

func text(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func joinInts(list []int, sep string) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, sep)
}

func write(w io.Writer, s string) error {
	if _, err := io.WriteString(w, s); err != nil {
		return fmt.Errorf("writing a table of MIG: %w", err)
	}
	return nil
}
