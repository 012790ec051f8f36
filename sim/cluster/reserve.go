package cluster

import (
	"fmt"
	"slices"
	"strings"

	"gpusim/sim/event"
)

// Reservation keeps nodes free of the jobs of others: one whose time limit
// reaches into it may not start on its nodes. What runs there already goes on.
type Reservation struct {
	Name       string
	Start, End event.Time
	Nodes      []int
	Tenants    []string // whose jobs may use it; none: nobody's
}

// bars reports whether the reservation keeps a job of a tenant, planned to run
// for length from at on, off its nodes.
func (v *Reservation) bars(tenant string, at, length event.Time) bool {
	return at < v.End && at+min(length, event.Never/2) > v.Start && !slices.Contains(v.Tenants, tenant)
}

// Reserved reports whether a reservation is under way or to come.
func (c *Cluster) Reserved(now event.Time) bool {
	for i := range c.spec.Reservations {
		if c.spec.Reservations[i].End > now {
			return true
		}
	}
	return false
}

// NextRelease returns the first end of a reservation after t, Never if none.
func (c *Cluster) NextRelease(t event.Time) event.Time {
	at := event.Never
	for i := range c.spec.Reservations {
		if e := c.spec.Reservations[i].End; e > t {
			at = min(at, e)
		}
	}
	return at
}

// Base is the request as the job made it, before reservations.
func (r *Request) Base() *Request {
	if r.base != nil {
		return r.base
	}
	return r
}

// Effective returns what a job asks for if it is to start at an instant: its
// own request, or one without the nodes that reservations keep it off. Equal
// ones are one value. Cost O(reservations), more for the first of its kind.
func (c *Cluster) Effective(j *Job, at event.Time) *Request {
	base := j.Req.Base()
	length := j.PlannedRun()
	var barred []int
	for i := range c.spec.Reservations {
		if c.spec.Reservations[i].bars(j.Spec.Tenant, at, length) {
			barred = append(barred, i)
		}
	}
	if len(barred) == 0 {
		return base
	}
	key := fmt.Sprint(base.ID, barred)
	if r, ok := c.effective[key]; ok {
		return r
	}
	off := make(map[int]bool)
	var names []string
	for _, i := range barred {
		names = append(names, c.spec.Reservations[i].Name)
		for _, n := range c.spec.Reservations[i].Nodes {
			off[n] = true
		}
	}
	var nodes []int
	for _, n := range base.Class.nodes {
		if !off[int(n)] {
			nodes = append(nodes, int(n))
		}
	}
	what := strings.TrimSpace(base.Class.what + " outside reservation " + strings.Join(names, ", "))
	class, ok := c.classByKey[base.Class.Partition+"\x00"+what]
	if !ok {
		class = c.addClass(base.Class.Partition, what, nodes)
	}
	r := &Request{ID: len(c.requests), Class: class, Domain: base.Domain, GPUs: base.GPUs, Share: base.Share,
		PerNode: base.PerNode, Nodes: base.Nodes, MaxNodes: base.MaxNodes, CPU: base.CPU, Mem: base.Mem, base: base}
	c.requests = append(c.requests, r)
	c.effective[key] = r
	return r
}
