package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpusim/sim/event"
	"gpusim/workloads"
)

func TestPai(t *testing.T) {
	tr := mustOpen(t, "pai", "testdata/pai", Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(12))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "split", Noted, 2, 1)
	counted(t, rep, "still-running", Skipped, 1, 3)
	counted(t, rep, "never-started", Skipped, 1, 4)
	counted(t, rep, "time-backwards", Rejected, 1, 5)
	counted(t, rep, "not-a-number", Rejected, 2, 6)
	counted(t, rep, "damaged-line", Rejected, 1, 7)
	counted(t, rep, "damaged-line", Noted, 0, 0)
	counted(t, rep, "bad-quantity", Noted, 2, 0)
	counted(t, rep, "unknown-state", Noted, 1, 8)
	counted(t, rep, "missing", Noted, 1, 8)
	counted(t, rep, "start-before-submit", Noted, 2, 8)
	counted(t, rep, "negative", Noted, 1, 9)
	counted(t, rep, "missing", Rejected, 1, 9)
	counted(t, rep, "duplicate-id", Rejected, 1, 10)
	counted(t, rep, "too-few-fields", Rejected, 1, 12)
	counted(t, rep, "orphan", Noted, 2, 11)
	is(t, "cluster", mustJSON(t, rep.Cluster), `{"nodes":3,"gpus":10,"usable_gpus":10,"out_of_service":[]}`)
	is(t, "clock", *rep.Clock.Timezone+", "+*rep.Clock.StatedBy, "Asia/Shanghai, format default")
	jobs := all(t, tr)
	is(t, "order", times(jobs), "j2@0+550 j1.1@100+990 j1.2@100+990 j1.3@100+990 j8@400+610")
	j := byID(t, jobs, "j1.1")
	is(t, "whole GPUs", fmt.Sprint(j.GPUs, j.Share, j.CPUMilli), "1 1000 9000")
	j = byID(t, jobs, "j1.3")
	is(t, "shared", fmt.Sprint(j.GPUs, j.Share, j.CPUMilli, j.GPUTypes), "1 500 4500 [T4 P100]")
	is(t, "wait", j.RecordedWait, 10*event.Second)
	j = byID(t, jobs, "j2")
	is(t, "an instance on one node", fmt.Sprint(j.GPUs, j.GPUsPerNode, j.Outcome), fmt.Sprint(8, 2, workloads.OutcomeFail))
	named := all(t, mustOpen(t, "pai", "testdata/pai", Options{Map: map[string]map[string]string{"gpu_type": {"MISC": "K80"}}}))
	is(t, "a name for MISC", strings.Join(byID(t, named, "j8").GPUTypes, ""), "K80")
	if _, err := Open("pai", []string{t.TempDir()}, Options{}); err == nil || !strings.Contains(err.Error(), "pai_job_table") {
		t.Errorf("an empty folder: %v", err)
	}

	dir := t.TempDir()
	for name, text := range map[string]string{
		"pai_job_table.csv": "job_name,user,status,start_time,end_time\na,u,Terminated,5,30\n", "pai_job_table.header": "job_name,user,status,start_time,end_time\n",
		"pai_task_table.csv": "a,w,1,Terminated,10,30,100,1,100,T4\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rep = mustOpen(t, "pai", dir, Options{}).Report()
	is(t, "a header in the table", rep.Records, int64(1))
	is(t, "GPU time", rep.GPUSeconds, Decimal("20"))
}

func TestFieldPai(t *testing.T) {
	tr := mustOpen(t, "pai", shared(t, "field", "04-pai-headerless"), Options{Inspect: true})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(6))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "orphan", Noted, 1, 8)
	counted(t, rep, "time-backwards", Rejected, 1, 3)
	counted(t, rep, "unknown-gpu", Noted, 2, 0)
	is(t, "cluster", mustJSON(t, rep.Cluster), `{"nodes":4,"gpus":18,"usable_gpus":18,"out_of_service":[]}`)
	rows, err := tr.JobRows(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1,14,60,3540", "0.25,6,10,", "4,32,50,", "0,6,,", "0,6,0,0", "8,48,60,3540"}
	for i, r := range rows {
		is(t, r.ID, fmt.Sprintf("%s,%s,%s,%s", r.GPUs, r.CPUs, r.Wait, r.Run), want[i])
	}
	is(t, "no end of 0", rows[1].End, Decimal(""))
	facts := mustJSON(t, rep.Facts)
	for _, part := range []string{`"Wed 1970-01-07T01:18:39+08:00"`, `"machines_with_gpus":3`, `"percent":76.5625`, `"percent":43.75`, `"machine":"mach03","gpus":0,"percent":null`} {
		if !strings.Contains(facts, part) {
			t.Errorf("the facts %s lack %s", facts, part)
		}
	}
	z, err := newZone(paiZone)
	if err != nil {
		t.Fatal(err)
	}
	is(t, "600 h", weekday(600*event.Hour, z), "Mon 1970-01-26T08:00:00+08:00")
	is(t, "a Sunday from 500 h on", weekday(nextSunday(500*event.Hour, z), z), "Sun 1970-01-25T00:00:00+08:00")
	jobs := all(t, tr)
	is(t, "two halves", fmt.Sprintf("%s %d %d %s %d", jobs[0].ID, jobs[0].GPUs, jobs[0].Share, jobs[1].ID, jobs[1].Share), "job01.1 1 500 job01.2 500")
}

func BenchmarkPai(b *testing.B) {
	var jobs, tasks strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&jobs, "job%06d,inst%06d,user%d,Terminated,%d.0,%d.0\n", i, i, i%50, 10*i, 10*i+3600)
		fmt.Fprintf(&tasks, "job%06d,worker,1.0,Terminated,%d.0,%d.0,600.0,29.296875,50.0,T4\n", i, 10*i+5, 10*i+3600)
	}
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pai_task_table.csv"), []byte(tasks.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, "pai_job_table.csv")
	if err := os.WriteFile(path, []byte(jobs.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.SetBytes(int64(jobs.Len() + tasks.Len()))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Open("pai", []string{path}, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
