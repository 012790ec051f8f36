package cluster

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// Class is a set of nodes that may serve a request: those of a partition that
// carry the selected labels and one of the accepted GPU types.
type Class struct {
	ID        int
	Partition string // "" = all nodes
	what      string // selectors and types, for people
	bits      []uint64
	all       bool
	nodes     []int32
	gpus      int // GPUs on them
	idle      int // of these, idle now
}

// Has reports whether a node belongs to the class.
func (k *Class) Has(n int) bool { return k.bits[n>>6]>>uint(n&63)&1 == 1 }

// GPUs returns the number of GPUs on the class's nodes.
func (k *Class) GPUs() int { return k.gpus }

// Idle returns how many of them are idle now.
func (k *Class) Idle() int { return k.idle }

// Len returns the number of nodes.
func (k *Class) Len() int { return len(k.nodes) }

// All reports whether the class is the whole cluster.
func (k *Class) All() bool { return k.all }

// Overlaps reports whether two classes share a node. Cost O(nodes / 64).
func (k *Class) Overlaps(o *Class) bool {
	for i, w := range k.bits {
		if w&o.bits[i] != 0 {
			return true
		}
	}
	return false
}

// String names the class for people.
func (k *Class) String() string {
	s := k.what
	if k.Partition != "" {
		s = strings.TrimSpace("partition " + k.Partition + " " + s)
	}
	if s == "" {
		return "any node"
	}
	return s
}

// Request is what a job asks for. Equal requests are one value, so that what
// is learned of one (it does not fit) holds for all.
type Request struct {
	ID       int
	Class    *Class
	Domain   *Class // the partition alone: what the job queues for
	GPUs     int    // of the gang
	Share    int    // thousandths of each; 1000 but for a shared GPU
	PerNode  int    // exactly so many on each node used; 0 = free
	Nodes    int    // exactly so many nodes; 0 = free
	MaxNodes int    // 0 = free
	CPU      int64  // thousandths of a core, whole job
	Mem      int64  // bytes, whole job

	base *Request // where reservations have taken nodes away: the request without them

	// FailedAt remembers the capacity version at which the request last failed
	// to fit, plus one; it belongs to the scheduler.
	FailedAt uint64
	// Waiting is the number of jobs that wait for it; the kernel's.
	Waiting int
	// Why is the current stretch of one reason why it waits; the round's.
	Why Stretch
}

// Stretch is a time during which one reason held jobs of a request up.
type Stretch struct {
	Code        string // "" = none
	First, Last event.Time
	// Has is what there was of what is wanted, at the first and last look.
	Wants, HasFirst, HasLast int
	// Jobs is how many jobs of the request waited, at most.
	Jobs int
}

// Plain reports whether idle GPUs of the class are all that matters: any
// nodes, whole GPUs, no CPU or memory.
func (r *Request) Plain() bool {
	return r.Share == 1000 && r.GPUs > 0 && r.PerNode == 0 && r.Nodes == 0 && r.MaxNodes == 0 && r.CPU == 0 && r.Mem == 0
}

// Milli returns the thousandths of GPUs that the request holds.
func (r *Request) Milli() int64 { return int64(r.GPUs) * int64(r.Share) }

// part is a node's part of the whole job's amount when it holds n of its GPUs,
// rounded up so that no rounding makes it free.
func (r *Request) part(whole int64, n int) int64 {
	if n >= r.GPUs {
		return whole // also a CPU job
	}
	hi, lo := bits.Mul64(uint64(whole), uint64(n))
	q, rem := bits.Div64(hi, lo, uint64(r.GPUs))
	if rem > 0 {
		q++
	}
	return int64(q)
}

// units returns how many of the request's GPUs a free amount serves, when the
// whole job takes whole.
func (r *Request) units(free, whole int64) int {
	if free >= whole {
		return r.GPUs
	}
	if free <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(free), uint64(r.GPUs))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int(q)
}

type requestKey struct {
	class, domain                        int
	gpus, share, perNode, nodes, maxNode int
	cpu, mem                             int64
}

// Request interns what a job asks for. An error says what the cluster does not
// know (a partition). Cost O(1) but for the first of its kind.
func (c *Cluster) Request(j *workloads.Job) (*Request, error) {
	class, err := c.class(j)
	if err != nil {
		return nil, err
	}
	domain := c.classes[0]
	if j.Partition != "" {
		if domain, err = c.class(&workloads.Job{Partition: j.Partition}); err != nil {
			return nil, err
		}
	}
	k := requestKey{class.ID, domain.ID, j.GPUs, j.Share, j.GPUsPerNode, j.Nodes, j.MaxNodes, j.CPUMilli, j.Memory}
	if k.share == 0 || k.gpus == 0 {
		k.share = 1000
	}
	if k.gpus == 0 {
		k.perNode, k.nodes, k.maxNode = 0, 0, 0 // a CPU job sits on one node
	}
	if !c.countsCPU {
		k.cpu = 0
	}
	if !c.countsMem {
		k.mem = 0
	}
	if k.nodes > 0 && k.perNode == 0 {
		k.perNode = k.gpus / k.nodes
	}
	if k.perNode > 0 && k.nodes == 0 {
		k.nodes = k.gpus / k.perNode
	}
	if r, ok := c.reqByKey[k]; ok {
		return r, nil
	}
	if k.perNode*k.nodes != 0 && k.perNode*k.nodes != k.gpus {
		return nil, fmt.Errorf("%d GPUs are not %d nodes of %d", k.gpus, k.nodes, k.perNode)
	}
	r := &Request{ID: len(c.requests), Class: class, Domain: domain, GPUs: k.gpus, Share: k.share,
		PerNode: k.perNode, Nodes: k.nodes, MaxNodes: k.maxNode, CPU: k.cpu, Mem: k.mem}
	c.requests = append(c.requests, r)
	c.reqByKey[k] = r
	return r, nil
}

// Requests returns how many different requests have been seen.
func (c *Cluster) Requests() int { return len(c.requests) }

func (c *Cluster) class(j *workloads.Job) (*Class, error) {
	if j.Partition == "" && len(j.NodeSelector) == 0 && len(j.GPUTypes) == 0 {
		return c.classes[0], nil
	}
	var b strings.Builder
	for _, l := range j.NodeSelector {
		fmt.Fprintf(&b, "%s=%s ", l.Key, l.Value)
	}
	types := slices.Clone(j.GPUTypes)
	slices.Sort(types)
	types = slices.Compact(types)
	if len(types) > 0 {
		b.WriteString("GPU " + strings.Join(types, " or "))
	}
	what := strings.TrimSpace(b.String())
	key := j.Partition + "\x00" + what
	if k, ok := c.classByKey[key]; ok {
		return k, nil
	}
	var candidates []int
	if j.Partition == "" {
		for i := range c.nodes {
			candidates = append(candidates, i)
		}
	} else {
		p := slices.IndexFunc(c.spec.Partitions, func(p Partition) bool { return p.Name == j.Partition })
		if p < 0 {
			return nil, fmt.Errorf("there is no partition %q", j.Partition)
		}
		candidates = slices.Clone(c.spec.Partitions[p].Nodes)
		slices.Sort(candidates)
		candidates = slices.Compact(candidates)
	}
	var nodes []int
	for _, i := range candidates {
		s := &c.spec.Nodes[i]
		if len(types) > 0 && (s.GPUs == 0 || !slices.Contains(types, s.GPU)) {
			continue
		}
		fits := true
		for _, l := range j.NodeSelector {
			if v, ok := s.label(l.Key); !ok || v != l.Value {
				fits = false
			}
		}
		if fits {
			nodes = append(nodes, i)
		}
	}
	return c.addClass(j.Partition, what, nodes), nil
}

func (c *Cluster) addClass(partition, what string, nodes []int) *Class {
	k := &Class{ID: len(c.classes), Partition: partition, what: what, bits: make([]uint64, c.row), all: len(nodes) == len(c.nodes)}
	for _, i := range nodes {
		k.bits[i>>6] |= 1 << uint(i&63)
		k.nodes = append(k.nodes, int32(i))
		k.gpus += int(c.nodes[i].gpus)
		k.idle += int(c.nodes[i].idle)
		c.nodes[i].classes = append(c.nodes[i].classes, int32(k.ID))
	}
	c.classes = append(c.classes, k)
	c.classByKey[partition+"\x00"+what] = k
	return k
}

// Classes returns every class asked for so far, by ID; the first is the whole
// cluster.
func (c *Cluster) Classes() []*Class { return c.classes }

// Within reports whether every node of k belongs to o.
func (k *Class) Within(o *Class) bool {
	for i, w := range k.bits {
		if w&^o.bits[i] != 0 {
			return false
		}
	}
	return true
}

// EachClassOf calls f with every class that has some of the GPUs of chunks and
// how many.
func (c *Cluster) EachClassOf(chunks []Chunk, f func(class, gpus int)) {
	for _, ch := range chunks {
		n := bits.OnesCount64(ch.Mask)
		for _, id := range c.nodes[c.wordOf[ch.Word]].classes {
			f(int(id), n)
		}
	}
}
