// Package assembly puts a scheduler together from the parts that a scenario
// names. The tables of parts are those of policies/order, policies/backfill,
// policies/placement and policies/preemption; a new part is a file there and a
// line in its table.
package assembly

import (
	"fmt"

	"gpusim/policies"
	"gpusim/policies/backfill"
	"gpusim/policies/order"
	"gpusim/policies/placement"
	"gpusim/policies/preemption"
)

// Part is a word of a table with its settings (nil where it has none or keeps
// their defaults).
type Part struct {
	Name   string
	Config any
}

// Recipe names the parts of a scheduler.
type Recipe struct {
	Order, Backfill, Placement, Preemption Part
}

// Build makes the scheduler and says how it preempts. An error names the part.
func Build(r Recipe, env policies.Env) (policies.Scheduler, policies.Preemption, error) {
	how, err := find("preemption", preemption.Table(), r.Preemption, env)
	if err != nil {
		return nil, how, err
	}
	env.Preempt = how.Kind != policies.PreemptNone
	ord, err := find("order", order.Table(), r.Order, env)
	if err != nil {
		return nil, how, err
	}
	rule, err := find("placement", placement.Table(), r.Placement, env)
	if err != nil {
		return nil, how, err
	}
	fill, err := find("backfill", backfill.Table(), r.Backfill, env)
	if err != nil {
		return nil, how, err
	}
	if how.Kind == policies.PreemptNone {
		return fill(backfill.Parts{Env: env, Order: ord, Rule: rule}), how, nil
	}
	if how.Kind == policies.PreemptSlices {
		if r.Backfill.Name != "none" {
			return nil, how, fmt.Errorf("backfill %s does nothing with preemption gang-slices, where every job has a row; use none", r.Backfill.Name)
		}
		return preemption.NewTimeSlices(env, ord, rule, how), how, nil
	}
	if r.Backfill.Name != "none" && r.Backfill.Name != "greedy" {
		return nil, how, fmt.Errorf("backfill %s plans with jobs that run to their end; with preemption %s use none or greedy", r.Backfill.Name, r.Preemption.Name)
	}
	return preemption.New(env, ord, rule, how, r.Backfill.Name == "none"), how, nil
}

func find[T any](kind string, table []policies.Entry[T], p Part, env policies.Env) (T, error) {
	for _, e := range table {
		if e.Name == p.Name {
			t, err := e.New(p.Config, env)
			if err != nil {
				return t, fmt.Errorf("%s %s: %w", kind, p.Name, err)
			}
			return t, nil
		}
	}
	var none T
	return none, fmt.Errorf("there is no %s %q", kind, p.Name)
}
