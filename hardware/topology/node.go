package topology

import (
	"strconv"
	"strings"
)

// Link is what joins two devices, as nvidia-smi writes it.
type Link string

// The links other than NV1, NV2 and so on, which are so many NVLinks together.
const (
	Self    Link = "X"
	PIX     Link = "PIX"  // one PCIe switch at most
	PXB     Link = "PXB"  // several PCIe switches
	PHB     Link = "PHB"  // a host bridge
	NODE    Link = "NODE" // host bridges of one NUMA node
	SYS     Link = "SYS"  // between NUMA nodes
	Unknown Link = "N/A"
)

// Rank says how near a link is, the more the nearer: NVLinks by number, then PIX,
// PXB, PHB, NODE and SYS, which is 1. An unknown link is 0.
func (l Link) Rank() int {
	if n := l.NVLinks(); n > 0 {
		return 5 + n
	}
	switch l {
	case PIX:
		return 5
	case PXB:
		return 4
	case PHB:
		return 3
	case NODE:
		return 2
	case SYS:
		return 1
	}
	return 0
}

// NVLinks is how many NVLinks the link bonds, 0 for other links.
func (l Link) NVLinks() int {
	digits, ok := strings.CutPrefix(string(l), "NV")
	if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && n <= maxLinks {
		return n
	}
	return 0
}

// maxLinks bounds what is taken for a number of NVLinks; today's GPUs have 18.
const maxLinks = 999

// parseLink reads a cell of a matrix; SOC is the old word for SYS.
func parseLink(cell string) (Link, bool) {
	switch l := Link(cell); l {
	case Self, PIX, PXB, PHB, NODE, SYS, Unknown:
		return l, true
	case "SOC":
		return SYS, true
	default:
		if n := l.NVLinks(); n > 0 {
			return Link("NV" + strconv.Itoa(n)), true
		}
		return "", false
	}
}

// Node is the GPUs and NICs of a node and their links.
type Node struct {
	GPUs []GPU
	NICs []NIC
	// Links has a row and a column for each GPU, then for each NIC, and is
	// symmetric.
	Links [][]Link
}

// GPU is a GPU and where it sits; texts are empty where they are not known.
type GPU struct {
	Index  int
	CPUs   string // of the same NUMA node, as in 0-27,56-83
	NUMA   string // NUMA nodes of these CPUs
	NUMAID string // of the memory of the GPU, where it is a NUMA node itself
}

// NIC is a network card.
type NIC struct {
	Name   string // at its row and column
	Device string // of the legend; empty where there is none
}

// Names are the names of rows and columns.
func (n *Node) Names() []string {
	var names []string
	for _, g := range n.GPUs {
		names = append(names, "GPU"+strconv.Itoa(g.Index))
	}
	for _, c := range n.NICs {
		names = append(names, c.Name)
	}
	return names
}

// At is the position of the GPU of an index in GPUs, -1 when there is none.
func (n *Node) At(index int) int {
	for i, g := range n.GPUs {
		if g.Index == index {
			return i
		}
	}
	return -1
}

// NearestNIC is the name of the NIC nearest to GPUs[i], the first of equals; ""
// when there is none or no link is known.
func (n *Node) NearestNIC(i int) string {
	best, name := 0, ""
	for j, c := range n.NICs {
		if r := n.Links[i][len(n.GPUs)+j].Rank(); r > best {
			best, name = r, c.Name
		}
	}
	return name
}
