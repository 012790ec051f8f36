package summary

import (
	"encoding/json"
	"math/big"

	"gpusim/reports/folder"
	"gpusim/reports/record"
	"gpusim/sim"
	"gpusim/sim/cluster"
	"gpusim/sim/event"
)

// Summary is summary.json.
type Summary struct {
	Format   string       `json:"format"`
	Scenario string       `json:"scenario"`
	Seed     uint64       `json:"seed"`
	Complete bool         `json:"complete"`
	Epoch    string       `json:"epoch,omitempty"`
	Horizon  *json.Number `json:"horizon_s"`

	Jobs Jobs `json:"jobs"`

	Makespan *json.Number `json:"makespan_s"`
	Wait     Dist         `json:"wait_s"`
	Waited   *json.Number `json:"waited_share"` // of the jobs that started
	JCT      Dist         `json:"jct_s"`
	Slowdown Dist         `json:"bounded_slowdown"`
	Recorded *Recorded    `json:"recorded,omitempty"`
	GPU      GPU          `json:"gpu"`

	Preemptions uint64       `json:"preemptions"`
	OfferedLoad *json.Number `json:"offered_load"`
	Deadlines   *SLO         `json:"slo,omitempty"`
	SetAside    []SetAside   `json:"set_aside,omitempty"`
}

// Jobs counts jobs by what became of them.
type Jobs struct {
	Submitted  uint64 `json:"submitted"`
	Completed  uint64 `json:"completed"`
	Failed     uint64 `json:"failed"`
	Rejected   uint64 `json:"rejected"`
	Cancelled  uint64 `json:"cancelled"`
	Unfinished uint64 `json:"unfinished"`
}

// GPU is where the capacity went.
type GPU struct {
	Total      int          `json:"total"`
	Capacity   *json.Number `json:"capacity_gpu_s"`
	Allocated  *json.Number `json:"allocated_gpu_s"`
	Idle       *json.Number `json:"idle_gpu_s"`
	Down       *json.Number `json:"down_gpu_s"`
	Productive *json.Number `json:"productive_gpu_s"`
	Lost       *json.Number `json:"lost_gpu_s"`
	Overhead   *json.Number `json:"overhead_gpu_s"`
	Ratio      *json.Number `json:"allocation_ratio"`
}

// Recorded compares waits with those that the trace recorded.
type Recorded struct {
	Jobs      uint64       `json:"jobs"`
	Wait      Dist         `json:"wait_s"`
	Simulated *json.Number `json:"simulated_wait_mean_s"` // of the same jobs
}

// SLO is attainment of deadlines.
type SLO struct {
	With       uint64       `json:"with_deadline"`
	Met        uint64       `json:"met"`
	Attainment *json.Number `json:"attainment"`
}

// SetAside counts rows of a trace that did not become jobs, or not unchanged.
type SetAside struct {
	Reason string `json:"reason"`
	Action string `json:"action"`
	Count  uint64 `json:"count"`
}

// Run says of which run the summary is.
type Run struct {
	Scenario string
	Seed     uint64
	Epoch    string     // as the scenario writes it
	Horizon  event.Time // Never = none
	Cluster  *cluster.Cluster
	Result   *sim.Result
	SetAside []SetAside
}

// New computes the figures. Cost O(jobs log jobs).
func New(run Run, rec *record.Recorder) *Summary {
	res := run.Result
	s := &Summary{Format: folder.Format, Scenario: run.Scenario, Seed: run.Seed, Complete: res.Complete, Epoch: run.Epoch, SetAside: run.SetAside,
		Jobs:        Jobs{res.Submitted, res.Completed, res.Failed, res.Rejected, res.Cancelled, res.Unfinished},
		Preemptions: res.Preemptions, GPU: GPU{Total: run.Cluster.GPUs()}}
	if run.Horizon != event.Never {
		s.Horizon = Seconds(run.Horizon)
	}
	s.jobs(rec)
	if res.Ran {
		s.Makespan = Seconds(res.End - res.First)
		g := &s.GPU
		g.Capacity, g.Allocated, g.Idle, g.Down = amount(res.Capacity), amount(res.Allocated), amount(res.Idle), amount(res.Down)
		g.Productive, g.Lost, g.Overhead = amount(res.Productive), amount(res.Lost), amount(res.Overhead)
		g.Ratio = ratio(wide(res.Allocated), wide(res.Capacity))
	}
	if span := res.LastSubmit - res.First; res.Submitted > 0 && span > 0 {
		var offer sim.Amount
		offer.Add(int64(run.Cluster.GPUs())*1000, span)
		s.OfferedLoad = ratio(wide(res.Demand), wide(offer))
	}
	return s
}

// threshold is what bounded slowdown takes as the shortest run.
const threshold = 10 * event.Second

func (s *Summary) jobs(rec *record.Recorder) {
	n := rec.Len()
	waits := make([]event.Time, 0, n)
	jcts := make([]event.Time, 0, n)
	slow := make([]float64, 0, n)
	var recorded, simulated []event.Time
	waited := int64(0)
	var slo SLO
	for i := 0; i < n; i++ {
		r := rec.Row(i)
		if r.HasDeadline() {
			slo.With++
		}
		if r.Started() {
			waits = append(waits, r.Waited)
			if r.Waited > 0 {
				waited++
			}
			if w, ok := r.Recorded(); ok {
				recorded, simulated = append(recorded, w), append(simulated, r.Waited)
			}
		}
		if r.Status == cluster.Completed || r.Status == cluster.Failed {
			jct := r.End - r.Submit
			jcts = append(jcts, jct)
			slow = append(slow, max(1, float64(jct)/float64(max(r.Run(), threshold))))
			if r.HasDeadline() && r.Status == cluster.Completed && jct <= r.Deadline() {
				slo.Met++
			}
		}
	}
	if len(waits) > 0 {
		s.Waited = ratio(big.NewInt(waited), big.NewInt(int64(len(waits))))
	}
	if slo.With > 0 {
		slo.Attainment = ratio(new(big.Int).SetUint64(slo.Met), new(big.Int).SetUint64(slo.With))
		s.Deadlines = &slo
	}
	if len(recorded) > 0 {
		s.Recorded = &Recorded{Jobs: uint64(len(recorded)), Wait: Times(recorded), Simulated: Times(simulated).Mean}
	}
	s.Wait, s.JCT, s.Slowdown = Times(waits), Times(jcts), Values(slow)
}
