package trace

import (
	"bytes"
	"strings"
)

// slurmState is what a state of Slurm means to a reader of logs.
type slurmState struct {
	word   string // the state in full
	status string // completed, failed, cancelled, running, pending
	cause  string // what ended the job: itself, user, failure, hardware, limit, memory, preemption; "" if nothing did
	known  bool
}

// slurmStates lists the states: the word, its two letters, and what it means.
func slurmStates() [][4]string {
	return [][4]string{
		{"COMPLETED", "CD", "completed", "itself"},
		{"FAILED", "F", "failed", "failure"},
		{"CANCELLED", "CA", "cancelled", "user"},
		{"TIMEOUT", "TO", "failed", "limit"},
		{"DEADLINE", "DL", "failed", "limit"},
		{"NODE_FAIL", "NF", "failed", "hardware"},
		{"BOOT_FAIL", "BF", "failed", "hardware"},
		{"OUT_OF_MEMORY", "OOM", "failed", "memory"},
		{"PREEMPTED", "PR", "failed", "preemption"},
		{"REQUEUED", "RQ", "failed", "preemption"},
		{"REVOKED", "RV", "cancelled", "user"},
		{"LAUNCH_FAILED", "LF", "failed", "hardware"},
		{"RECONFIG_FAIL", "RF", "failed", "hardware"},
		{"SPECIAL_EXIT", "SE", "failed", "failure"},
		{"COMPLETING", "CG", "running", ""},
		{"CONFIGURING", "CF", "running", ""},
		{"RUNNING", "R", "running", ""},
		{"RESIZING", "RS", "running", ""},
		{"SUSPENDED", "S", "running", ""},
		{"STOPPED", "ST", "running", ""},
		{"SIGNALING", "SI", "running", ""},
		{"STAGE_OUT", "SO", "running", ""},
		{"PENDING", "PD", "pending", ""},
		{"REQUEUE_FED", "RF", "pending", ""},
		{"REQUEUE_HOLD", "RH", "pending", ""},
		{"RESV_DEL_HOLD", "RD", "pending", ""},
		{"POWER_UP_NODE", "PU", "pending", ""},
	}
}

// stateWords finds states by their words.
type stateWords map[string]slurmState

func newStateWords() stateWords {
	m := stateWords{}
	for _, s := range slurmStates() {
		state := slurmState{word: s[0], status: s[2], cause: s[3], known: true}
		m[s[0]] = state
		if _, taken := m[s[1]]; !taken {
			m[s[1]] = state
		}
	}
	return m
}

// of reads a state: "CANCELLED by 1001", a word that was cut off with a plus
// sign, lower case and the two-letter codes are fine.
func (m stateWords) of(b []byte) slurmState {
	b = trim(b)
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		b = b[:i]
	}
	if s, ok := m[string(b)]; ok {
		return s
	}
	word := strings.ToUpper(clean(b))
	if cut, ok := strings.CutSuffix(word, "+"); ok && len(cut) > 2 {
		for _, s := range slurmStates() {
			if strings.HasPrefix(s[0], cut) {
				return m[s[0]]
			}
		}
	}
	if s, ok := m[word]; ok {
		return s
	}
	return slurmState{word: word}
}

// logTotals adds up what a log of a cluster says of all its well-formed rows.
type logTotals struct {
	states   counts
	causes   counts
	gpu      map[string]*wide // GPU time by state
	finished wide             // of what has ended
	running  wide             // so far, of what has not
	// Of an inspection of sacct:
	elements    int64 // of arrays, waiting
	waitingGPUs int64 // they ask for
	tracked     bool  // a resource string speaks of GPUs
	seen        map[uint64]execution
	repeated    []string // ids with several executions, the first few
}

func newLogTotals() *logTotals {
	return &logTotals{states: counts{}, causes: counts{}, gpu: map[string]*wide{}, seen: map[uint64]execution{}}
}

// count adds a row.
func (t *logTotals) count(r *row, s slurmState) {
	t.states[s.word]++
	if s.cause != "" {
		t.causes[s.cause]++
	}
	if !r.hasGPUs || !r.hasBusy {
		return
	}
	var w wide
	w.add(uint64(r.gpuMilli), uint64(r.busy))
	if s.status == "running" {
		t.running.plus(w)
	} else {
		t.finished.plus(w)
	}
	if t.gpu[s.word] == nil {
		t.gpu[s.word] = &wide{}
	}
	t.gpu[s.word].plus(w)
}

// describe adds the totals to the report.
func (t *logTotals) describe(rep *Report) {
	rep.Facts.set("states", t.states.table(false))
	rep.Facts.set("ended_by", t.causes.table(false))
	by := Table{}
	for _, k := range sortedKeys(t.gpu) {
		by = append(by, Entry{k, t.gpu[k].gpuSeconds()})
	}
	rep.Facts.set("gpu_s_by_state", by)
	rep.Facts.set("gpu_s_ended", t.finished.gpuSeconds())
	rep.Facts.set("gpu_s_running_so_far", t.running.gpuSeconds())
}
