package trace

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gpusim/workloads"
)

// converted writes a trace in another format and opens that.
func converted(t *testing.T, tr *Trace, to string) *Trace {
	t.Helper()
	var b bytes.Buffer
	if err := Convert(tr, to, &b); err != nil {
		t.Fatal(err)
	}
	if to == "csv" { // the same table
		return open(t, "native", b.String(), Options{Shift: "keep"})
	}
	return open(t, to, b.String(), Options{Shift: "keep"})
}

func TestConvertRoundTrip(t *testing.T) {
	const text = "job_id,submit_s,run_s,gpus,user,tenant,queue,time_limit_s,status,memory_bytes,recorded_wait_s\n" +
		"a,5,10.5,1,ann,p,q,20,completed,2048,3\nb,0.25,7,4,bob,p,,,failed,,\nc,9,0,8,ann,,r,-1,cancelled,,0\nd,12,3,2,eve,p,q,,,,\n"
	first := open(t, "native", text, Options{})
	swf := converted(t, first, "swf")
	is(t, "issues of the middle", len(swf.Report().Issues), 0)
	last := converted(t, swf, "native")
	is(t, "issues of the end", len(last.Report().Issues), 0)
	a, b := all(t, first), all(t, last)
	is(t, "jobs", len(b), len(a))
	users := [2]map[string]bool{{}, {}}
	for i := range a {
		is(t, "job "+a[i].ID, shown(b[i]), shown(a[i]))
		users[0][a[i].User], users[1][b[i].User] = true, true
	}
	is(t, "users", len(users[1]), len(users[0]))
}

// shown is what every step of the way must keep.
func shown(j *workloads.Job) string {
	return fmt.Sprintln(j.Submit, j.Duration, j.GPUs, j.HasLimit, j.TimeLimit, j.Outcome, j.Memory, j.RecordedWait, j.HasRecordedWait, j.User == "", j.Tenant == "")
}

// TestConvertEveryFormat writes every format as native, which must say the same
// of all jobs, and as swf.
func TestConvertEveryFormat(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, _ string) {
		tr := mustOpen(t, s.format, s.file, s.opt)
		if tr.format.Nodes {
			if err := Convert(tr, "native", &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "nodes") {
				t.Errorf("a list of nodes: %v", err)
			}
			return
		}
		again := converted(t, tr, "native")
		want, got := all(t, tr), all(t, again)
		is(t, "jobs", len(got), len(want))
		for i := range want {
			w, g := *want[i], *got[i]
			w.Line, g.Line, w.NodeSelector = 0, 0, nil
			if w.GPUTypes == nil {
				g.GPUTypes = nil
			}
			if !reflect.DeepEqual(w, g) {
				t.Errorf("got  %+v\nwant %+v", g, w)
			}
		}
		gpus := 0
		for _, j := range want {
			if j.GPUs > 0 {
				gpus++
			}
		}
		is(t, "as swf", len(all(t, converted(t, tr, "swf"))), gpus)
	})
}

func TestLosses(t *testing.T) {
	tr := mustOpen(t, "native", "testdata/native.csv", Options{})
	losses, err := Losses(tr, "swf")
	if err != nil {
		t.Fatal(err)
	}
	text := mustJSON(t, losses)
	for _, part := range []string{`"jobs without GPUs (left out)","jobs":1`, `whole one)","jobs":1`, `"GPU types","jobs":1`, `by numbers)","jobs":3`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s", text, part)
		}
	}
	if losses, err = Losses(tr, "native"); err != nil || len(losses) != 0 {
		t.Errorf("native: %v %v", losses, err)
	}
	var b bytes.Buffer
	if err := Convert(tr, "swf", &b); err != nil || !strings.Contains(b.String(), "1 jobs without GPUs are left out") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := Convert(tr, "sfw", &b); err == nil || !strings.Contains(err.Error(), "did you mean swf") {
		t.Error(err)
	}
	if _, err := Losses(tr, "x"); err == nil {
		t.Error("an unknown format has losses")
	}
}

// brokenWriter fails after some bytes.
type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, fmt.Errorf("the disk is full")
	}
	return len(p), nil
}

func TestConvertToABrokenWriter(t *testing.T) {
	var s strings.Builder
	s.WriteString("job_id,submit_s,run_s,gpus\n")
	for i := range 20_000 {
		fmt.Fprintf(&s, "%d,%d,5,1\n", i, i)
	}
	tr := open(t, "native", s.String(), Options{})
	for _, to := range Targets() {
		for _, left := range []int{0, 100_000} {
			if err := Convert(tr, to, &brokenWriter{left}); err == nil || !strings.Contains(err.Error(), "disk is full") {
				t.Errorf("%s after %d bytes: %v", to, left, err)
			}
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	var s strings.Builder
	s.WriteString("job_id,submit_s,run_s,gpus,user\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "%d,%d,%d.25,%d,user%d\n", i, 10*i, 7919*i%3600+1, 1<<(i%4), i%50)
	}
	for _, to := range []string{"native", "swf"} {
		b.Run(to, func(b *testing.B) {
			tr := open(b, "native", s.String(), Options{})
			b.SetBytes(int64(s.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if err := Convert(tr, to, &bytes.Buffer{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
