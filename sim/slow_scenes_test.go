package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gpusim/sim/slow"
)

// draw makes the scene of a seed. Times are drawn from few values, so that much
// happens at the same instant, and the work asked for is more than there are
// GPUs, so that jobs wait.
type draw struct{ *rand.Rand }

func (r draw) pick(from ...int) int        { return from[r.IntN(len(from))] }
func (r draw) chance(percent int) bool     { return r.IntN(100) < percent }
func (r draw) between(low, high int) int   { return low + r.IntN(high-low+1) }
func (r draw) some(percent, value int) int { return map[bool]int{true: value}[r.chance(percent)] }

// kinds of scenes: what the jobs may ask for.
const (
	countOnly = iota // numbers of GPUs
	shaped           // shapes and CPUs
)

func drawScene(seed uint64, rules slow.Rules, kind int) scene {
	r := draw{rand.New(rand.NewPCG(seed, 0x51))}
	s := scene{rules: rules}
	parts := []string{""}
	if r.chance(20) {
		parts = []string{"p", "q"}
	}
	r.addNodes(&s, parts, kind)
	r.addJobs(&s, parts, kind)
	if r.chance(15) {
		s.rules.Horizon = r.between(1, 60)
	}
	return s
}

func (r draw) addNodes(s *scene, parts []string, kind int) {
	size := r.pick(2, 4, 8)
	for i := range r.between(1, 4) + len(parts) - 1 {
		n := slow.Node{GPUs: size, CPU: slow.None, Partition: parts[i%len(parts)]}
		if r.chance(20) {
			n.GPUs = r.pick(1, 2, 4, 8)
		}
		if kind == shaped {
			n.CPU = n.GPUs * r.pick(2, 3)
		}
		s.nodes = append(s.nodes, n)
	}
}

func (r draw) addJobs(s *scene, parts []string, kind int) {
	n := r.between(5, 60)
	step := r.pick(0, 1, 2, 4) // how fast they come
	at, array := 0, 0
	exact := r.chance(40)
	for i := 0; i < n; i++ {
		if r.chance(50) {
			at += r.pick(0, step, 2*step, 4)
		}
		j := SJ(fmt.Sprintf("j%d", i), at, r.pick(1, 2, 2, 4, 4, 6, 8, 8, 12, 20), r.pick(1, 1, 1, 2, 2, 4, 4, 8))
		if r.chance(4) {
			j.Duration = 0
		}
		j.Partition = parts[r.IntN(len(parts))]
		j.Priority = r.IntN(3)
		if !exact && r.chance(60) {
			j.Limit = max(j.Duration+r.pick(-6, -2, -1, 0, 1, 4, 10), 1)
		}
		if j.Duration > 2 && r.chance(8) {
			j.FailAfter = r.between(1, j.Duration-1)
		}
		if kind == shaped {
			r.shape(&j)
		}
		if i > 2 && r.chance(8) {
			j.DependsOn = []string{s.jobs[r.IntN(i)].ID}
		}
		s.jobs = append(s.jobs, j)
		if r.chance(5) { // an array of equal elements
			array++
			name := fmt.Sprintf("a%d", array)
			for k := range r.between(2, 5) {
				e := j
				e.ID, e.Array, e.Throttle = fmt.Sprintf("%s_%d", name, k), name, r.pick(1, 2)
				if k > 0 {
					e.Throttle = s.jobs[len(s.jobs)-1].Throttle
				}
				s.jobs = append(s.jobs, e)
				i++
			}
			if r.chance(40) {
				d := SJ("after-"+name, at, 4, 1)
				d.Partition, d.DependsOn = j.Partition, []string{name}
				s.jobs = append(s.jobs, d)
			}
		}
	}
}

func (r draw) shape(j *slow.Job) {
	switch r.IntN(6) {
	case 0:
		j.Nodes = 1
	case 1:
		j.PerNode = r.pick(1, 2)
		j.GPUs = j.PerNode * r.between(1, 4)
	case 2:
		j.Nodes = r.between(1, 3)
		j.GPUs = j.Nodes * r.pick(1, 2, 3)
	case 3:
		j.MaxNodes = r.between(1, 3)
	}
	if r.chance(60) {
		j.CPU = r.pick(1, 2, 3, 5, 7, 12)
	}
	if r.chance(5) {
		j.GPUs, j.PerNode, j.Nodes, j.MaxNodes = 0, 0, 0, 0
	}
}

// variant is one way to schedule.
type variant struct {
	name  string
	rules func(r draw) slow.Rules
	kind  int
}

// variants is the cross product of the words, with their settings drawn.
func variants() []variant {
	var vs []variant
	add := func(rules slow.Rules, kind int, more func(r draw, s *slow.Rules)) {
		name := fmt.Sprintf("%s.%s.%s.%s.%d", rules.Order, rules.Backfill, rules.Placement, rules.Preemption, kind)
		vs = append(vs, variant{name, func(r draw) slow.Rules {
			s := rules
			s.Horizon = slow.None
			s.PerEvent = r.chance(25)
			s.Enforce = r.chance(30)
			if s.Order == "tiresias" {
				// Multiples of every number of GPUs: limits are met on whole seconds.
				s.Queues = [][]int{{8}, {8, 40}, {24, 48, 96}}[r.IntN(3)]
				s.Promote = r.pick(0, 0, 1, 2)
				if s.Preemption != "none" {
					s.Horizon = 400 // jobs that start over may promote each other for ever
				}
			}
			if more != nil {
				more(r, &s)
			}
			return s
		}, kind})
	}
	orders := []string{"fifo", "sjf", "srtf", "srsf", "smallest-first", "largest-first", "priority", "tiresias"}
	for _, o := range orders {
		for _, p := range []string{"first-fit", "best-fit"} {
			for _, kind := range []int{countOnly, shaped} {
				for _, b := range []string{"none", "greedy", "easy", "conservative"} {
					add(slow.Rules{Order: o, Backfill: b, Placement: p, Preemption: "none"}, kind, nil)
				}
			}
			for _, k := range []string{"kill", "checkpoint", "suspend", "cancel"} {
				for _, b := range []string{"none", "greedy"} {
					for _, kind := range []int{countOnly, shaped} {
						add(slow.Rules{Order: o, Backfill: b, Placement: p, Preemption: k}, kind, settings)
					}
				}
			}
		}
	}
	return vs
}

// settings draws the keys of a preemption.
func settings(r draw, s *slow.Rules) {
	s.MinRun = r.some(30, r.pick(1, 2, 5))
	s.Grace = r.some(30, r.pick(1, 2, 5))
	if s.Preemption != "cancel" {
		s.Restart = r.some(40, r.pick(1, 2))
	}
	if s.Preemption == "checkpoint" {
		s.Interval = r.some(50, r.pick(1, 2, 3, 5))
	}
	if s.Preemption == "checkpoint" || s.Preemption == "suspend" {
		s.Cost = r.some(40, r.pick(1, 2))
	}
}

// divisible gives every job a number of GPUs that divides the limits of tiresias.
func divisible(s *scene) {
	for i := range s.jobs {
		if !slices.Contains([]int{0, 1, 2, 4, 8}, s.jobs[i].GPUs) {
			s.jobs[i].GPUs, s.jobs[i].PerNode, s.jobs[i].Nodes = 2, 0, 0
		}
	}
}
