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

func TestHelios(t *testing.T) {
	tr := mustOpen(t, "helios", "testdata/helios.csv", Options{Timezone: "Asia/Shanghai"})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(12))
	is(t, "accepted", rep.Accepted, int64(4))
	is(t, "first submission", rep.FirstSubmit, Decimal("1585670400"))
	counted(t, rep, "duration-mismatch", Noted, 1, 6)
	counted(t, rep, "wait-mismatch", Noted, 1, 11)
	counted(t, rep, "cancelled-before-start", Skipped, 1, 4)
	counted(t, rep, "time-backwards", Rejected, 1, 5)
	counted(t, rep, "negative", Rejected, 1, 7)
	counted(t, rep, "bad-quantity", Rejected, 1, 8)
	counted(t, rep, "unknown-state", Noted, 1, 9)
	counted(t, rep, "start-before-submit", Noted, 1, 9)
	counted(t, rep, "still-running", Skipped, 1, 10)
	counted(t, rep, "duplicate-id", Rejected, 1, 11)
	counted(t, rep, "bad-time", Rejected, 1, 12)
	counted(t, rep, "too-few-fields", Rejected, 1, 13)
	counted(t, rep, "unknown-column", Noted, 1, 1)
	jobs := all(t, tr)
	is(t, "order", jobs[0].ID+jobs[1].ID, "21")
	j := byID(t, jobs, "1")
	is(t, "tenant and queue", j.Tenant+j.Queue, "v1v1")
	is(t, "wait", j.RecordedWait, event.Minute)
	is(t, "outcome", byID(t, jobs, "2").Outcome, workloads.OutcomeFail)
	for _, part := range []string{`"NODE_FAIL":9600`, `"hardware":1`, `"limit":1`, `"gpu_s_running_so_far":0`} {
		if facts := mustJSON(t, rep.Facts); !strings.Contains(facts, part) {
			t.Errorf("the facts %s lack %s", facts, part)
		}
	}
}

func TestAcme(t *testing.T) {
	tr := mustOpen(t, "acme", "testdata/acme.csv", Options{Map: map[string]map[string]string{"kind": {"Pretrain": "training"}}})
	rep := tr.Report()
	is(t, "accepted", rep.Accepted, int64(3))
	is(t, "GPU time", rep.GPUSeconds, Decimal("1600"))
	counted(t, rep, "duration-mismatch", Noted, 3, 2)
	jobs := all(t, tr)
	is(t, "one clock", jobs[0].Submit, jobs[1].Submit)
	j := byID(t, jobs, "a1")
	is(t, "memory", j.Memory, int64(1_001_000_000_000))
	is(t, "kind", j.Kind, "training")
	is(t, "half a second", byID(t, jobs, "a2").RecordedWait, event.Second/2)
	is(t, "a blank zone", byID(t, jobs, "a3").GPUs, 0)
}

func TestFieldAcme(t *testing.T) {
	kalos := shared(t, "field", "03-acme-kalos-duration", "kalos_like.csv")
	seren := shared(t, "field", "03-acme-kalos-duration", "seren_like.csv")
	rep := mustOpen(t, "acme", kalos, Options{}).Report()
	is(t, "Kalos", rep.GPUSeconds, Decimal("29440"))
	counted(t, rep, "duration-mismatch", Noted, 4, 2)
	is(t, "Seren", mustOpen(t, "acme", seren, Options{}).Report().GPUSeconds, Decimal("29736"))
	tr, err := Open("acme", []string{kalos, seren}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tr.JobRows(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"10,640,10,failed", "3600,28800,3600,cancelled", "600,0,5,completed", ",0,,cancelled", "117,936,32,failed", "3600,28800,0,failed"}
	for i, r := range rows {
		is(t, r.ID, fmt.Sprintf("%s,%s,%s,%s", r.Run, r.GPUSeconds, r.Wait, *r.Status), want[i])
	}
	is(t, "the same instant", rows[0].Submit, rows[4].Submit)
	is(t, "no start is made up", rows[3].Start, Decimal(""))
	is(t, "recorded", *rows[5].Recorded, "NODE_FAIL")
}

func TestAnyStamp(t *testing.T) {
	c, _, err := newAnyStamp("", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"1970-01-01 00:00:00": "0", "1970-01-01T00:00:01.5": "1.5", "1970-01-01 08:00:00+08:00": "0", "1970-01-01T00:00:00Z": "0",
		"1970-01-01T08:00:00+0800": "0", "1969-12-31 19:00:00-05": "0", "1970-01-01 05:30:00.25 +05:30": "0.25",
		"": "missing", "soon": "bad-time", "1970-01-01 00:00:00+8": "bad-time", "1970-13-01 00:00:00Z": "bad-time", "9999-01-01 00:00:00Z": "out-of-range",
	} {
		s, why := c.read([]byte(text))
		if why == "" {
			why = string(seconds(s.at))
		}
		is(t, text, why, want)
	}
}

func BenchmarkHelios(b *testing.B) {
	var s strings.Builder
	s.WriteString("job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n")
	for i := range 100_000 {
		day, h, m, sec := 1+i/3600/24, i/3600%24, i/60%60, i%60
		fmt.Fprintf(&s, "%d,u%d,v%d,%d,8,1,COMPLETED,2020-04-%02d %02d:%02d:%02d,2020-04-%02d %02d:%02d:%02d,2020-05-01 00:00:00,60,0\n", i, i%50, i%9, 1<<(i%4), day, h, m, sec, day, h, m, sec)
	}
	bench(b, "helios", s.String(), Options{})
}

func BenchmarkAcme(b *testing.B) {
	var s strings.Builder
	s.WriteString("job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n")
	for i := range 100_000 {
		day, h, m, sec := 1+i/3600/24, i/3600%24, i/60%60, i%60
		fmt.Fprintf(&s, "%d,u%d,1,%d,8,Other,FAILED,2023-04-%02d %02d:%02d:%02d+08:00,2023-04-%02d %02d:%02d:%02d+08:00,2023-05-01 00:00:00+08:00,60,0,936.0\n", i, i%50, 1<<(i%4), day, h, m, sec, day, h, m, sec)
	}
	bench(b, "acme", s.String(), Options{})
}

func TestHeliosFolder(t *testing.T) {
	text, err := os.ReadFile("testdata/helios.csv")
	if err != nil {
		t.Fatal(err)
	}
	path := put(t, "cluster_log.csv", text)
	is(t, "found", mustOpen(t, "helios", filepath.Dir(path), Options{}).Report().Accepted, int64(4))
	if _, err := Open("helios", []string{t.TempDir()}, Options{}); err == nil || !strings.Contains(err.Error(), "cluster_log.csv") {
		t.Errorf("an empty folder: %v", err)
	}
}
