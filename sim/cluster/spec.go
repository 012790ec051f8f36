package cluster

import "gpusim/workloads"

// Uncounted marks a resource that a node does not limit.
const Uncounted = int64(-1)

// NodeSpec describes one node.
type NodeSpec struct {
	Name     string
	GPU      string // type of its GPUs; "" where it has none or it was not said
	GPUs     int
	CPUMilli int64 // thousandths of a core, or Uncounted
	Memory   int64 // bytes, or Uncounted
	Rack     string
	Labels   []workloads.Label // sorted by key
}

// Partition is a named set of nodes, given by position.
type Partition struct {
	Name  string
	Nodes []int
}

// Spec describes a cluster. Order matters: ties of placement break by it.
type Spec struct {
	Nodes      []NodeSpec
	Partitions []Partition
	// Reservations bar nodes to the jobs of others for a time.
	Reservations []Reservation
}

// label returns the value of a node's label.
func (n *NodeSpec) label(key string) (string, bool) {
	for _, l := range n.Labels {
		if l.Key == key {
			return l.Value, true
		}
	}
	return "", false
}
