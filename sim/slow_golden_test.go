package sim_test

import (
	"fmt"
	"testing"

	"gpusim/sim/slow"
)

// Each line of want is "id start end" with optional stretches and a status.
type golden struct {
	name  string
	scene scene
	want  []line
}

type line struct {
	id         string
	start, end int
	status     string   // "" = completed
	on         [][2]int // nil = not looked at
	nodes      []int    // nil = not looked at
}

func one(gpus int) []slow.Node { return []slow.Node{{GPUs: gpus, CPU: slow.None}} }

func plainRules(order, backfill string) slow.Rules {
	return slow.Rules{Order: order, Backfill: backfill, Placement: "first-fit", Preemption: "none", Horizon: slow.None}
}

func preemptRules(order, kind string) slow.Rules {
	r := plainRules(order, "greedy")
	r.Preemption = kind
	return r
}

func with(j slow.Job, change func(*slow.Job)) slow.Job {
	change(&j)
	return j
}

func pri(j slow.Job, p int) slow.Job   { return with(j, func(j *slow.Job) { j.Priority = p }) }
func limit(j slow.Job, l int) slow.Job { return with(j, func(j *slow.Job) { j.Limit = l }) }
func cpu(j slow.Job, c int) slow.Job   { return with(j, func(j *slow.Job) { j.CPU = c }) }

func goldens() []golden {
	three := []slow.Job{SJ("A", 0, 10, 2), SJ("B", 0, 5, 4), SJ("C", 0, 3, 1)}
	starving := []slow.Job{SJ("s0", 0, 10, 2), SJ("BIG", 1, 10, 4), SJ("s1", 5, 10, 2), SJ("s2", 10, 10, 2),
		SJ("s3", 15, 10, 2), SJ("s4", 20, 10, 2), SJ("s5", 25, 10, 2)}
	classic := []slow.Job{SJ("J1", 0, 10, 3), SJ("J2", 0, 10, 3), SJ("J3", 0, 5, 4), SJ("J4", 0, 30, 1)}
	las := []slow.Job{SJ("J1", 0, 2, 2), SJ("J2", 0, 8, 1), SJ("J3", 0, 6, 2)}
	highLow := []slow.Job{SJ("L", 0, 20, 4), pri(SJ("H", 12, 4, 4), 10)}
	array := func(id string) slow.Job {
		return with(SJ(id, 0, 10, 1), func(j *slow.Job) { j.Array, j.Throttle = "a", 2 })
	}
	checkpoint := preemptRules("priority", "checkpoint")
	checkpoint.Interval, checkpoint.Restart = 5, 2
	minRun := preemptRules("priority", "kill")
	minRun.MinRun = 15
	grace := preemptRules("priority", "cancel")
	grace.Grace = 3
	tiresias := preemptRules("tiresias", "checkpoint")
	tiresias.Queues = []int{4}
	promote := preemptRules("tiresias", "checkpoint")
	promote.Queues, promote.Promote = []int{2}, 2

	return []golden{
		{"001", scene{one(4), three, plainRules("fifo", "none")}, []line{{id: "A", start: 0, end: 10}, {id: "B", start: 10, end: 15}, {id: "C", start: 15, end: 18}}},
		{"002", scene{one(4), three, plainRules("fifo", "greedy")}, []line{{id: "A", start: 0, end: 10}, {id: "B", start: 10, end: 15}, {id: "C", start: 0, end: 3}}},
		{"003", scene{one(4), starving, plainRules("fifo", "greedy")}, []line{{id: "s0", start: 0, end: 10}, {id: "BIG", start: 35, end: 45},
			{id: "s1", start: 5, end: 15}, {id: "s2", start: 10, end: 20}, {id: "s3", start: 15, end: 25}, {id: "s4", start: 20, end: 30}, {id: "s5", start: 25, end: 35}}},
		{"004", scene{one(4), starving, plainRules("fifo", "easy")}, []line{{id: "s0", start: 0, end: 10}, {id: "BIG", start: 10, end: 20},
			{id: "s1", start: 20, end: 30}, {id: "s2", start: 20, end: 30}, {id: "s3", start: 30, end: 40}, {id: "s4", start: 30, end: 40}, {id: "s5", start: 40, end: 50}}},
		{"005", scene{one(1), []slow.Job{SJ("A", 0, 8, 1), SJ("B", 0, 4, 1), SJ("C", 0, 9, 1), SJ("D", 0, 5, 1)}, plainRules("sjf", "none")},
			[]line{{id: "A", start: 9, end: 17}, {id: "B", start: 0, end: 4}, {id: "C", start: 17, end: 26}, {id: "D", start: 4, end: 9}}},
		{"006", scene{one(1), []slow.Job{SJ("P1", 0, 8, 1), SJ("P2", 1, 4, 1), SJ("P3", 2, 9, 1), SJ("P4", 3, 5, 1)}, preemptRules("srtf", "checkpoint")},
			[]line{{id: "P1", start: 0, end: 17, on: [][2]int{{0, 1}, {10, 17}}}, {id: "P2", start: 1, end: 5}, {id: "P3", start: 17, end: 26}, {id: "P4", start: 5, end: 10}}},
		{"007", scene{one(4), classic, plainRules("fifo", "easy")}, []line{{id: "J1", start: 0, end: 10}, {id: "J2", start: 10, end: 20}, {id: "J3", start: 30, end: 35}, {id: "J4", start: 0, end: 30}}},
		{"008", scene{one(4), classic, plainRules("fifo", "conservative")}, []line{{id: "J1", start: 0, end: 10}, {id: "J2", start: 10, end: 20}, {id: "J3", start: 20, end: 25}, {id: "J4", start: 25, end: 55}}},
		{"009", scene{one(4), classic, plainRules("fifo", "easy")}, []line{{id: "J1", start: 0, end: 10}, {id: "J2", start: 10, end: 20}, {id: "J3", start: 30, end: 35}, {id: "J4", start: 0, end: 30}}},
		{"010", scene{one(4), []slow.Job{limit(SJ("J1", 0, 5, 4), 10), limit(SJ("J2", 1, 10, 4), 10), limit(SJ("J3", 2, 4, 1), 4)}, plainRules("fifo", "easy")},
			[]line{{id: "J1", start: 0, end: 5}, {id: "J2", start: 5, end: 15}, {id: "J3", start: 15, end: 19}}},
		{"011", scene{one(8), []slow.Job{SJ("R", 0, 20, 5), SJ("H", 1, 10, 6), SJ("W", 2, 50, 3), SJ("N", 3, 50, 2), SJ("S", 4, 15, 3)}, plainRules("fifo", "easy")},
			[]line{{id: "R", start: 0, end: 20}, {id: "H", start: 20, end: 30}, {id: "W", start: 30, end: 80}, {id: "N", start: 3, end: 53}, {id: "S", start: 30, end: 45}}},
		{"014", scene{one(4), []slow.Job{array("a_0"), array("a_1"), array("a_2"), array("a_3"),
			with(SJ("B", 0, 5, 2), func(j *slow.Job) { j.DependsOn = []string{"a"} })}, plainRules("fifo", "greedy")},
			[]line{{id: "a_0", start: 0, end: 10}, {id: "a_1", start: 0, end: 10}, {id: "a_2", start: 10, end: 20}, {id: "a_3", start: 10, end: 20}, {id: "B", start: 20, end: 25}}},
		{"015", scene{one(4), []slow.Job{SJ("A", 0, 10, 4), SJ("B", 0, 10, 4)}, plainRules("fifo", "none")}, []line{{id: "A", start: 0, end: 10}, {id: "B", start: 10, end: 20}}},
		{"016", scene{[]slow.Node{{GPUs: 4, CPU: 16}, {GPUs: 4, CPU: 16}}, []slow.Job{cpu(SJ("A", 0, 10, 4), 12), cpu(SJ("B", 0, 10, 4), 24), cpu(SJ("C", 0, 5, 2), 10)}, plainRules("fifo", "greedy")},
			[]line{{id: "A", start: 0, end: 10, nodes: []int{0}}, {id: "C", start: 0, end: 5, nodes: []int{1}}, {id: "B", start: 10, end: 20, nodes: []int{0, 1}}}},
		{"017", scene{one(4), highLow, preemptRules("priority", "kill")}, []line{{id: "L", start: 0, end: 36}, {id: "H", start: 12, end: 16}}},
		{"018", scene{one(4), highLow, checkpoint}, []line{{id: "L", start: 0, end: 28}, {id: "H", start: 12, end: 16}}},
		{"019", scene{one(4), highLow, preemptRules("priority", "suspend")}, []line{{id: "L", start: 0, end: 24}, {id: "H", start: 12, end: 16}}},
		{"020", scene{one(4), highLow, minRun}, []line{{id: "L", start: 0, end: 39}, {id: "H", start: 15, end: 19}}},
		{"021", scene{one(4), highLow, grace}, []line{{id: "L", start: 0, end: 15, status: "cancelled"}, {id: "H", start: 15, end: 19}}},
		{"023", scene{one(2), las, tiresias}, []line{{id: "J1", start: 0, end: 2, on: [][2]int{{0, 2}}}, {id: "J2", start: 2, end: 12, on: [][2]int{{2, 6}, {8, 12}}}, {id: "J3", start: 6, end: 16, on: [][2]int{{6, 8}, {12, 16}}}}},
		{"024", scene{one(2), las, preemptRules("srsf", "checkpoint")}, []line{{id: "J1", start: 0, end: 2}, {id: "J2", start: 2, end: 10}, {id: "J3", start: 10, end: 16}}},
		{"025", scene{one(2), las, preemptRules("srtf", "checkpoint")}, []line{{id: "J1", start: 0, end: 2}, {id: "J2", start: 8, end: 16}, {id: "J3", start: 2, end: 8}}},
		{"026", scene{one(1), []slow.Job{SJ("A", 0, 10, 1), SJ("b0", 2, 2, 1), SJ("b1", 4, 2, 1), SJ("b2", 6, 2, 1), SJ("b3", 8, 2, 1)}, promote},
			[]line{{id: "A", start: 0, end: 18, on: [][2]int{{0, 2}, {6, 8}, {12, 18}}}, {id: "b0", start: 2, end: 4}, {id: "b1", start: 4, end: 6}, {id: "b2", start: 8, end: 10}, {id: "b3", start: 10, end: 12}}},
	}
}

// TestSlowGolden holds the oracle, and the engine, against cases worked out by
// hand.
func TestSlowGolden(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			got := map[string]slow.Outcome{}
			for _, o := range slow.Run(g.scene.nodes, g.scene.jobs, g.scene.rules) {
				got[o.ID] = o
			}
			if len(got) != len(g.want) {
				t.Errorf("%d outcomes for %d jobs", len(got), len(g.want))
			}
			for _, w := range g.want {
				w.check(t, got[w.id])
			}
			if d := g.scene.differ(t); d != "" {
				t.Error(d)
			}
		})
	}
}

func (w line) check(t *testing.T, o slow.Outcome) {
	t.Helper()
	status := w.status
	if status == "" {
		status = "completed"
	}
	if o.Status != status || o.Start != w.start || o.End != w.end {
		t.Errorf("%s: %s [%d %d], want %s [%d %d]", w.id, o.Status, o.Start, o.End, status, w.start, w.end)
	}
	var on [][2]int
	nodes := map[int]bool{}
	for _, s := range o.Stretches {
		on = append(on, [2]int{s.From, s.To})
		for _, p := range s.Spots {
			nodes[p.Node] = true
		}
	}
	if w.on != nil && fmt.Sprint(on) != fmt.Sprint(w.on) {
		t.Errorf("%s runs in %v, want %v", w.id, on, w.on)
	}
	if w.nodes != nil {
		want := map[int]bool{}
		for _, n := range w.nodes {
			want[n] = true
		}
		if fmt.Sprint(nodes) != fmt.Sprint(want) {
			t.Errorf("%s runs on nodes %v, want %v", w.id, nodes, want)
		}
	}
}
