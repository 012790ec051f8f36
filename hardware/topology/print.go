package topology

import (
	"fmt"
	"io"
	"strings"
)

const legend = `
Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)
  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node
  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)
  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)
  PIX  = Connection traversing at most a single PCIe bridge
  NV#  = Connection traversing a bonded set of # NVLinks
`

// Print writes the node as nvidia-smi topo -m does.
func (n *Node) Print(w io.Writer) error {
	var b strings.Builder
	names := n.Names()
	for _, name := range names {
		b.WriteString("\t" + name)
	}
	b.WriteString("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n")
	for i, row := range n.Links {
		b.WriteString(names[i])
		for _, l := range row {
			if l == Self {
				l = " X "
			}
			b.WriteString("\t" + string(l))
		}
		if i < len(n.GPUs) {
			g := n.GPUs[i]
			fmt.Fprintf(&b, "\t%s\t%s\t\t%s", text(g.CPUs), text(g.NUMA), text(g.NUMAID))
		}
		b.WriteString("\n")
	}
	b.WriteString(legend)
	titled := false
	for _, c := range n.NICs {
		if c.Device == "" {
			continue
		}
		if !titled {
			b.WriteString("\nNIC Legend:\n\n")
			titled = true
		}
		fmt.Fprintf(&b, "  %s: %s\n", c.Name, c.Device)
	}
	if titled {
		b.WriteString("\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the matrix: %w", err)
	}
	return nil
}

// text shows what is not known as the tool does.
func text(s string) string {
	if s == "" {
		return string(Unknown)
	}
	return s
}
