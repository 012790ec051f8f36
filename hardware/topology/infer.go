package topology

// infer fills cells between NICs that are not known but follow. PCIe is a tree,
// so of the three links among three devices the two farther ones are alike:
// where a GPU is nearer to one NIC than to the other, the NICs are as far from
// each other as the GPU from the farther one. NVLinks are no part of the tree,
// but none ends at a NIC. It reports whether it filled any.
func (n *Node) infer() bool {
	filled := false
	first := len(n.GPUs)
	for a := first; a < len(n.Links); a++ {
		for b := first; b < len(n.Links); b++ {
			for g := 0; n.Links[a][b] == Unknown && g < first; g++ {
				x, y := n.Links[g][a], n.Links[g][b]
				if x == y || x == Unknown || y == Unknown {
					continue
				}
				if y.Rank() < x.Rank() {
					x = y
				}
				n.Links[a][b], n.Links[b][a] = x, x
				filled = true
			}
		}
	}
	return filled
}
