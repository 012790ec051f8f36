package trace

import (
	"fmt"
	"strings"
	"testing"

	"gpusim/sim/event"
	"gpusim/workloads"
)

func TestSacct(t *testing.T) {
	tr := mustOpen(t, "sacct", "testdata/sacct.txt", Options{Inspect: true})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(18))
	is(t, "accepted", rep.Accepted, int64(7))
	counted(t, rep, "step-row", Skipped, 1, 3)
	counted(t, rep, "pending-array", Skipped, 1, 5)
	counted(t, rep, "het-job", Noted, 2, 6)
	counted(t, rep, "duration-mismatch", Noted, 1, 6)
	counted(t, rep, "limit-exceeded", Noted, 1, 2)
	counted(t, rep, "still-running", Skipped, 1, 8)
	counted(t, rep, "mig-slices", Noted, 1, 8)
	counted(t, rep, "gpu-count", Noted, 1, 4)
	counted(t, rep, "cancelled-before-start", Skipped, 1, 9)
	counted(t, rep, "unknown-state", Noted, 1, 10)
	counted(t, rep, "start-before-submit", Noted, 1, 10)
	counted(t, rep, "duplicate-id", Noted, 1, 12)
	counted(t, rep, "time-backwards", Rejected, 1, 13)
	counted(t, rep, "bad-quantity", Rejected, 2, 14)
	counted(t, rep, "too-few-fields", Rejected, 1, 16)
	counted(t, rep, "too-many-fields", Rejected, 1, 17)
	counted(t, rep, "missing", Rejected, 1, 18)
	counted(t, rep, "never-started", Skipped, 1, 19)
	counted(t, rep, "unknown-column", Noted, 1, 1)
	jobs := all(t, tr)
	j := byID(t, jobs, "10")
	is(t, "memory", j.Memory, int64(4<<30))
	is(t, "cores", j.CPUMilli, int64(8000))
	is(t, "what was given does not bind", len(j.GPUTypes), 0)
	is(t, "tenant, queue", j.Tenant+j.Queue, "p1gpu")
	is(t, "limit", j.TimeLimit, 5*event.Minute)
	j = byID(t, jobs, "11_1")
	is(t, "what was asked does", strings.Join(j.GPUTypes, ""), "x1")
	is(t, "unlimited", j.HasLimit, false)
	is(t, "outcome", j.Outcome, workloads.OutcomeCancel)
	is(t, "limit in days", byID(t, jobs, "12+0").TimeLimit, event.Day)
	is(t, "memory per CPU", byID(t, jobs, "12+1").Memory, int64(2<<30))
	is(t, "again", byID(t, jobs, "16#2").RecordedWait, 30*event.Second)
	facts := mustJSON(t, rep.Facts)
	for _, part := range []string{`"pending_array_elements":5`, `"pending_array_gpus":10`, `"gpus_tracked":true`, `"requeued":[{"id":"16","executions":2`, `"turnaround_s":3660`, `"NODE_FAIL":3600`} {
		if !strings.Contains(facts, part) {
			t.Errorf("the facts %s lack %s", facts, part)
		}
	}

	tr = mustOpen(t, "sacct", "testdata/sacct.txt", Options{ReportTime: "2026-01-01T04:00:00"})
	is(t, "so far", byID(t, all(t, tr), "13").Duration, 2*event.Hour)
	is(t, "one more", tr.Report().Accepted, int64(8))
	tr = mustOpen(t, "sacct", "testdata/sacct.txt", Options{ReportTime: "2026-01-01T04:00:00", Unfinished: "skip"})
	is(t, "not wanted", tr.Report().Accepted, int64(7))

	tr = mustOpen(t, "sacct", "testdata/sacct.txt", Options{Unfinished: "until"})
	is(t, "as long as the log says", byID(t, all(t, tr), "13").Duration, 119*event.Minute)

	const plain = "JobIDRaw|State|Submit|Start|Elapsed|ReqGRES|NNodes|\n1|CD|2026-01-01T00:00:00+01:00|2026-01-01T00:00:00+01:00|90|gpu:2|3|\n"
	tr = open(t, "sacct", plain, Options{})
	is(t, "GPUs of a node times nodes", all(t, tr)[0].GPUs, 6)
	is(t, "length", all(t, tr)[0].Duration, 90*event.Second)
	is(t, "first", tr.Report().FirstSubmit, Decimal("1767222000"))
	rep = open(t, "sacct", "JobID|State|Submit|Start|End|AllocTRES\n1|CD|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:09|cpu=1\n", Options{}).Report()
	counted(t, rep, "unknown-gpu", Noted, 1, 0)
	for text, want := range map[string]string{
		"JobID|State\n": "no column Submit", "JobID State\n": "sacct -P", "JobID|JobID\n": "stands twice",
	} {
		if _, err := Open("sacct", []string{put(t, "x", []byte(text))}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFieldSacct(t *testing.T) {
	path := shared(t, "field", "06-sacct-steps-and-arrays", "sacct.txt")
	tr := mustOpen(t, "sacct", path, Options{Inspect: true})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(14))
	is(t, "accepted", rep.Accepted, int64(8))
	is(t, "GPU time of what has ended", rep.GPUSeconds, Decimal("474766"))
	counted(t, rep, "step-row", Skipped, 3, 3)
	counted(t, rep, "pending-array", Skipped, 1, 9)
	counted(t, rep, "cancelled-before-start", Skipped, 1, 10)
	counted(t, rep, "unknown-state", Noted, 0, 0)
	counted(t, rep, "limit-exceeded", Noted, 1, 8)
	is(t, "accounts", mustJSON(t, rep.GPUSecondsBy.Tenant), `{"proj1":385966,"proj2":88800}`)
	facts := mustJSON(t, rep.Facts)
	for _, part := range []string{`"pending_array_elements":7`, `"pending_array_gpus":7`, `"NODE_FAIL":28800`, `"turnaround_s":11100`, `"gpu_s_running_so_far":576000`} {
		if !strings.Contains(facts, part) {
			t.Errorf("the facts %s lack %s", facts, part)
		}
	}
	if m := rep.Issue("pending-array", Skipped).At[0].Message; !strings.Contains(m, "7 elements") || !strings.Contains(m, "at most 2") {
		t.Error(m)
	}
	at := mustOpen(t, "sacct", path, Options{ReportTime: "2026-03-02T10:00:00"})
	is(t, "with the running one", at.Report().GPUSeconds, Decimal("1050766"))
	rows, err := at.JobRows(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"1001": "600,93784,4,375136", "1002_1": "0,3600,1,3600", "1002_2": "0,7,1,7", "1002_3": "3600,7223,1,7223", "1011": "0,1200,2,2400",
		"1012": "43200,36000,16,576000", "1013": "5,1800,0,0", "1014": "0,3600,8,28800", "1014#2": "300,7200,8,57600", "1010": ",,1,0", "1002_[4-9,12%2]": ",,7,0"}
	for _, r := range rows {
		if w, ok := want[r.ID]; ok {
			is(t, r.ID, fmt.Sprintf("%s,%s,%s,%s", r.Wait, r.Run, r.GPUs, r.GPUSeconds), w)
			delete(want, r.ID)
		}
	}
	is(t, "rows not met", len(want), 0)
}

func TestSlurmLength(t *testing.T) {
	for text, want := range map[string]string{
		"1-02:03:04": "93784", "02:03:04": "7384", "03:04": "184", "03:04.250": "184.25", "90": "5400", "2-00": "172800", "1-02:30": "95400", "UNLIMITED": "none",
		"Partition_Limit": "none", "": "none", "x": "bad-time", "1:2:3:4": "bad-time", "-5": "bad-time", "1-": "bad-time", "99999999-00:00:00": "out-of-range", "1.5:00": "bad-time",
	} {
		d, known, why := slurmLength([]byte(text), event.Minute)
		got := why
		if why == "" && known {
			got = string(seconds(d))
		} else if why == "" {
			got = "none"
		}
		is(t, text, got, want)
	}
}

func BenchmarkSacct(b *testing.B) {
	var s strings.Builder
	s.WriteString("JobID|JobName|User|Account|Partition|State|Submit|Start|End|Elapsed|TimelimitRaw|AllocTRES|ReqTRES|NodeList\n")
	for i := range 50_000 {
		day, h, m, sec := 1+i/3600/24, i/3600%24, i/60%60, i%60
		fmt.Fprintf(&s, "%d|train|u%d|a%d|gpu|COMPLETED|2026-01-%02dT%02d:%02d:%02d|2026-01-%02dT%02d:%02d:%02d|2026-02-01T00:00:00|20-00:00:00|60|billing=64,cpu=32,gres/gpu:a100=4,gres/gpu=4,mem=256G,node=1|billing=64,cpu=32,gres/gpu=4,mem=256G,node=1|n1\n",
			i, i%50, i%9, day, h, m, sec, day, h, m, sec)
		fmt.Fprintf(&s, "%d.batch|batch||a%d||COMPLETED|2026-01-%02dT%02d:%02d:%02d|2026-01-01T00:00:00|2026-02-01T00:00:00|20-00:00:00||cpu=32||n1\n", i, i%9, day, h, m, sec)
	}
	bench(b, "sacct", s.String(), Options{})
}
