package scenarios

import (
	"gpusim/hardware/units"
	"gpusim/policies"
	"gpusim/policies/assembly"
	"gpusim/policies/backfill"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/preemption"
	"gpusim/sim/cluster"
	"gpusim/workloads/document"
)

// buildPolicy reads the settings of every part by the table that knows it, and
// tries whether the parts go together.
func (s *Scenario) buildPolicy() {
	p := &s.Doc.Policy
	before := len(s.errs)
	resolve(s, "order", &p.Order, "fifo", order.Table())
	resolve(s, "backfill", &p.Backfill, "none", backfill.Table())
	resolve(s, "placement", &p.Placement, "first-fit", placement.Table())
	resolve(s, "preemption", &p.Preemption, "none", preemption.Table())
	if p.Rounds == "" {
		p.Rounds = "instant"
	}
	if len(s.errs) > before {
		return
	}
	// An empty cluster is enough to see whether the parts can be built.
	c, err := cluster.New(cluster.Spec{})
	if err == nil {
		_, _, err = assembly.Build(s.recipe(), policies.Env{Cluster: c})
	}
	if err != nil {
		n := p.Node
		if n == nil {
			n = s.node0
		}
		s.fail(n.Errorf("policy: %v", err))
	}
}

func (s *Scenario) recipe() assembly.Recipe {
	p := &s.Doc.Policy
	part := func(x Part) assembly.Part { return assembly.Part{Name: x.Name, Config: x.Config} }
	return assembly.Recipe{Order: part(p.Order), Backfill: part(p.Backfill), Placement: part(p.Placement), Preemption: part(p.Preemption)}
}

func resolve[T any](s *Scenario, kind string, p *Part, otherwise string, table []policies.Entry[T]) {
	if p.Name == "" {
		p.Name = otherwise
	}
	var names []string
	for _, e := range table {
		names = append(names, e.Name)
		if e.Name != p.Name {
			continue
		}
		settings := withoutName(p.node)
		if e.Config == nil {
			if settings != nil && len(settings.Keys) > 0 {
				s.fail(settings.Keys[0].Errorf("policy.%s %s has no settings; remove %s", kind, p.Name, settings.Keys[0].Text))
			}
			return
		}
		p.Config = e.Config()
		if settings != nil {
			s.failAll(settings, document.DecodeInto(settings, p.Config))
		}
		writeDefaults(p.Config, p.Name)
		return
	}
	n := p.node
	s.fail(n.At("name").Errorf("%s", document.Unknown("policy."+kind, p.Name, p.Name, names)))
}

// withoutName is a part's mapping without its name.
func withoutName(n *document.Node) *document.Node {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	m := *n
	m.Keys, m.Items = nil, nil
	for i, k := range n.Keys {
		if k.Text != "name" {
			m.Keys = append(m.Keys, k)
			m.Items = append(m.Items, n.Items[i])
		}
	}
	return &m
}

// writeDefaults sets what was left out to its default, so that the resolved
// scenario shows it: of the lengths of time of preemption, those that the kind
// uses.
func writeDefaults(config any, name string) {
	if d, ok := config.(interface{ Defaults() }); ok {
		d.Defaults()
	}
	c, ok := config.(*preemption.Config)
	if !ok {
		return
	}
	zero := units.Duration(0)
	set := func(p **units.Duration, used bool) {
		if *p == nil && used {
			z := zero
			*p = &z
		}
	}
	set(&c.Interval, name == "checkpoint")
	set(&c.Cost, name == "checkpoint" || name == "suspend")
	set(&c.Restart, name != "cancel")
	set(&c.MinRun, true)
	set(&c.Grace, true)
}
