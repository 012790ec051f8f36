package trace

import (
	"strings"
	"testing"

	"gpusim/sim/event"
	"gpusim/workloads"
)

// byID finds a job.
func byID(t *testing.T, jobs []*workloads.Job, id string) workloads.Job {
	t.Helper()
	for _, j := range jobs {
		if j.ID == id {
			return *j
		}
	}
	t.Fatalf("no job %s", id)
	return workloads.Job{}
}

func TestNative(t *testing.T) {
	tr := mustOpen(t, "native", "testdata/native.csv", Options{Map: map[string]map[string]string{
		"gpu_type": {"V100": "V100-SXM2-16GB"}, "user": {"u2": "second"}}})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(8))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "never-started", Skipped, 1, 5)
	counted(t, rep, "still-running", Skipped, 1, 6)
	counted(t, rep, "cancelled-before-start", Skipped, 1, 7)
	counted(t, rep, "not-a-number", Rejected, 1, 8)
	counted(t, rep, "duplicate-id", Rejected, 1, 9)
	counted(t, rep, "limit-exceeded", Noted, 1, 2)
	counted(t, rep, "unknown-column", Noted, 1, 1)
	counted(t, rep, "unused-column", Noted, 1, 1)
	jobs := all(t, tr)
	is(t, "order", jobs[0].ID+jobs[1].ID+jobs[2].ID, "acb")

	a := byID(t, jobs, "a")
	is(t, "submission", a.Submit, event.Time(0))
	is(t, "length", a.Duration, 60500*event.Millisecond)
	is(t, "types", strings.Join(a.GPUTypes, " "), "V100-SXM2-16GB A100")
	is(t, "wait", a.RecordedWait, 2*event.Second)
	is(t, "priority", a.Priority, int64(-3))
	is(t, "cpus", a.CPUMilli, int64(16000))
	is(t, "line", a.Line, int64(2))
	b := byID(t, jobs, "b")
	is(t, "name", b.Name, `say "hi", twice`)
	is(t, "user", b.User, "second")
	is(t, "share", b.Share, 250)
	is(t, "outcome", b.Outcome, workloads.OutcomeFail)
	is(t, "fails after", b.OutcomeAfter, 30*event.Second)
	c := byID(t, jobs, "c")
	is(t, "limit of -1", c.HasLimit, false)
	is(t, "wait of -1", c.HasRecordedWait, false)
	is(t, "outcome", c.Outcome, workloads.OutcomeCancel)
	is(t, "GPUs", c.GPUs, 0)

	is(t, "statuses", mustJSON(t, rep.JobsBy.Status), `{"cancelled":1,"completed":1,"failed":1}`)
	is(t, "GPUs", mustJSON(t, rep.JobsBy.GPUs), `{"0":1,"0.25":1,"4":1}`)
	is(t, "GPU time", rep.GPUSeconds, Decimal("249.5"))
}

func TestCSVClockChanges(t *testing.T) {
	s := kit()[1]
	tr := mustOpen(t, "csv", s.file, s.opt)
	rep := tr.Report()
	counted(t, rep, "no-such-time", Noted, 1, 4)
	counted(t, rep, "ambiguous-time", Noted, 1, 5)
	counted(t, rep, "bad-time", Rejected, 1, 6)
	is(t, "clock", *rep.Clock.Timezone+", "+*rep.Clock.StatedBy, "America/New_York, option")
	jobs := all(t, tr)
	is(t, "an hour on the clock is a second", jobs[1].Submit, event.Second)
	is(t, "the hour that never was", jobs[2].Submit, 1801*event.Second)
	is(t, "ids are row numbers", jobs[2].ID, "3")
}

func TestCSVForms(t *testing.T) {
	const stamped = "id,submit,start,end,gpus,status\n" +
		"a,2020-01-01T00:00:00+02:00,2020-01-01T00:10:00+02:00,2020-01-01T01:10:00+02:00,2,Pass\n" +
		"b,2019-12-31 22:00:01Z,2019-12-31T22:00:00Z,2019-12-31T22:30:00Z,1,weird\n" +
		"c,2020-01-02T00:00:00Z,2020-01-02T01:00:00Z,2020-01-02T00:30:00Z,1,failed\n" +
		"d,2020-01-02T00:00:00Z,,,1,\n"
	tr := open(t, "csv", stamped, Options{TimeFormat: "rfc3339", Columns: map[string]string{"start": "start", "end": "end"}})
	rep := tr.Report()
	is(t, "stated by", *rep.Clock.StatedBy, "stamps")
	counted(t, rep, "start-before-submit", Noted, 1, 3)
	counted(t, rep, "unknown-state", Noted, 1, 3)
	counted(t, rep, "time-backwards", Rejected, 1, 4)
	counted(t, rep, "never-started", Skipped, 1, 5)
	jobs := all(t, tr)
	is(t, "length from start and end", jobs[0].Duration, event.Hour)
	is(t, "wait from submit and start", jobs[0].RecordedWait, 10*event.Minute)
	is(t, "offsets count", jobs[1].Submit, event.Second)

	ms := open(t, "csv", "submit,duration,gpus,memory\n1500,250,1,2GiB\n500,1,1,-1B\n", Options{TimeFormat: "milliseconds"})
	jobs = all(t, ms)
	is(t, "length in milliseconds", jobs[0].Duration, 250*event.Millisecond)
	is(t, "memory", jobs[0].Memory, int64(2<<30))
	counted(t, ms.Report(), "negative", Rejected, 1, 3)
}

func TestSWF(t *testing.T) {
	tr := mustOpen(t, "swf", "testdata/log.swf", Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(11))
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "cancelled-before-start", Skipped, 1, 9)
	counted(t, rep, "no-gpus", Rejected, 1, 12)
	counted(t, rep, "too-large", Rejected, 1, 13)
	counted(t, rep, "limit-exceeded", Noted, 1, 13)
	counted(t, rep, "step-row", Skipped, 1, 14)
	counted(t, rep, "negative", Rejected, 0, 0)
	counted(t, rep, "missing", Skipped, 1, 16)
	counted(t, rep, "too-few-fields", Rejected, 1, 17)
	counted(t, rep, "too-many-fields", Rejected, 1, 18)
	counted(t, rep, "duplicate-id", Rejected, 1, 19)
	counted(t, rep, "dependency-ignored", Noted, 1, 10)
	is(t, "origin", *rep.Clock.Origin, "2001-09-09T01:46:40Z")
	is(t, "zone", *rep.Clock.Timezone, "Europe/Berlin")
	is(t, "facts", mustJSON(t, rep.Facts[len(rep.Facts)-1]), `{"Key":"Note","Value":"made up\non two lines"}`)
	jobs := all(t, tr)
	j := byID(t, jobs, "7")
	is(t, "memory", j.Memory, int64(2048*1024*8))
	is(t, "user", j.User+j.Tenant+j.Name+j.Queue, "1234")
	is(t, "limit", j.TimeLimit, 200*event.Second)
	j = byID(t, jobs, "9")
	is(t, "asked", j.GPUs, 4)
	is(t, "outcome", j.Outcome, workloads.OutcomeFail)
	is(t, "length", j.Duration, event.Second/2)
	is(t, "a part of its own", byID(t, jobs, "12").Outcome, workloads.OutcomeFail)

	cpus := all(t, mustOpen(t, "swf", "testdata/log.swf", Options{Processors: "cpus"}))
	is(t, "cores", byID(t, cpus, "7").CPUMilli, int64(8000))
	is(t, "GPUs", byID(t, cpus, "7").GPUs, 0)

	late := mustOpen(t, "swf", "testdata/log.swf", Options{From: "2001-09-09 03:47:00"})
	is(t, "first in the window", late.Report().FirstSubmit, Decimal("20"))
}

func TestOpenb(t *testing.T) {
	rep := mustOpen(t, "openb", "testdata/pods.csv", Options{}).Report()
	is(t, "accepted", rep.Accepted, int64(3))
	counted(t, rep, "bad-quantity", Rejected, 2, 6)
	counted(t, rep, "out-of-range", Rejected, 1, 7)
	counted(t, rep, "no-gpus", Rejected, 1, 8)
	counted(t, rep, "time-backwards", Rejected, 1, 10)
	counted(t, rep, "duplicate-id", Rejected, 1, 11)
	tr := mustOpen(t, "openb", "testdata/pods.csv", Options{Pending: "1h"})
	j := byID(t, all(t, tr), "p4")
	is(t, "length of a pending pod", j.Duration, event.Hour)
	is(t, "one node", j.Nodes, 1)
	tr = mustOpen(t, "openb", "testdata/pods.csv", Options{Lifetime: "forever"})
	for _, j := range all(t, tr) {
		is(t, "length of "+j.ID, j.Duration, forever)
		is(t, "outcome of "+j.ID, j.Outcome, workloads.OutcomeOK)
	}
	is(t, "pending ones come too", tr.Report().Accepted, int64(4))
	_, err := Open("openb", []string{put(t, "shapes", []byte("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000\n"))}, Options{})
	if err == nil || !strings.Contains(err.Error(), "lifetime: forever") {
		t.Errorf("a list without times: %v", err)
	}
	const there = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time\na,1,1,1,1000,5,,3\nb,1,1,1,1000,6,,\nc,1,1,1,1000,6,9,8\n"
	rep = open(t, "openb", there, Options{}).Report()
	counted(t, rep, "still-running", Skipped, 1, 2)
	counted(t, rep, "start-before-submit", Noted, 1, 2)
	counted(t, rep, "never-started", Skipped, 1, 3)
	is(t, "without deletion times", open(t, "openb", there, Options{Lifetime: "forever"}).Report().Accepted, int64(3))
	nodes := mustOpen(t, "openb-nodes", "testdata/nodes.csv", Options{})
	is(t, "nodes", nodes.Report().Accepted, int64(4))
	counted(t, nodes.Report(), "unknown-gpu", Noted, 1, 6)
	counted(t, nodes.Report(), "duplicate-id", Rejected, 1, 5)
}

func TestPhilly(t *testing.T) {
	tr := mustOpen(t, "philly", "testdata/philly", Options{})
	rep := tr.Report()
	is(t, "records", rep.Records, int64(9))
	is(t, "accepted", rep.Accepted, int64(2))
	counted(t, rep, "still-running", Skipped, 1, 6)
	counted(t, rep, "no-attempts", Skipped, 1, 8)
	counted(t, rep, "duplicate-key", Rejected, 1, 11)
	counted(t, rep, "bad-time", Rejected, 1, 12)
	counted(t, rep, "damaged-line", Rejected, 1, 13)
	counted(t, rep, "not-a-job", Rejected, 1, 14)
	counted(t, rep, "no-gpus", Rejected, 1, 15)
	counted(t, rep, "duplicate-gpu", Noted, 1, 2)
	counted(t, rep, "duplicate-id", Noted, 1, 9)
	counted(t, rep, "unknown-column", Noted, 1, 9)
	counted(t, rep, "unknown-state", Noted, 1, 9)
	counted(t, rep, "unknown-gpu", Noted, 1, 3)
	counted(t, rep, "unknown-node", Noted, 1, 0)
	is(t, "cluster", rep.Cluster.GPUs, int64(6))
	is(t, "GPU time, each attempt with its own GPUs", rep.GPUSeconds, Decimal("4200"))
	j := byID(t, all(t, tr), "j1")
	is(t, "length", j.Duration, 180*event.Second)
	is(t, "GPUs of the last attempt", j.GPUs, 4)
	is(t, "wait", j.RecordedWait, event.Minute)
	is(t, "the second of its id", byID(t, all(t, tr), "j1#2").GPUs, 1)

	first := mustOpen(t, "philly", "testdata/philly", Options{Attempts: "first"})
	is(t, "GPUs of the first attempt", byID(t, all(t, first), "j1").GPUs, 2)

	each := all(t, mustOpen(t, "philly", "testdata/philly", Options{Attempts: "each"}))
	j = byID(t, each, "j1.2")
	is(t, "submitted when the first ended", j.Submit, 2*event.Minute)
	is(t, "wait of the second attempt", j.RecordedWait, event.Minute)
	is(t, "outcome of the first attempt", byID(t, each, "j1.1").Outcome, workloads.OutcomeFail)

	until := mustOpen(t, "philly", "testdata/philly", Options{Unfinished: "until"})
	j = byID(t, all(t, until), "j2")
	is(t, "runs until the log's last time", j.Duration, 4*event.Hour)
	is(t, "queue", j.Queue, "bü")
	until = mustOpen(t, "philly", "testdata/philly", Options{Unfinished: "until", Until: "2018-01-01 09:30:00"})
	is(t, "runs until the option", byID(t, all(t, until), "j2").Duration, 30*event.Minute)
	if _, err := Open("philly", []string{t.TempDir()}, Options{}); err == nil || !strings.Contains(err.Error(), "cluster_job_log") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestPhillyDamage(t *testing.T) {
	const good = `{"jobid":"a","status":"Pass","submitted_time":"2018-01-01 00:00:00","attempts":[]}`
	for text, want := range map[string]string{
		"[" + good:                         "unexpected end",
		"[" + good + ",]":                  "must follow the comma",
		"[" + good + " " + good + "]":      "comma",
		"[" + good + "] x":                 "behind the end",
		"{}":                               "must be one JSON array",
		"[{\"jobid\": [}]":                 "closes what",
		"[\n{\"jobid\": \"never closed}\n": ":2:11: unexpected end",
		"  \n ":                            "empty",
		strings.Repeat("[", 70):            "deeper",
	} {
		if _, err := Open("philly", []string{put(t, "log", []byte(text))}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	is(t, "an empty log", open(t, "philly", " [ ] \n", Options{}).Report().Records, int64(0))
	rep := open(t, "philly", `[{"jobid":NaN}, {"jobid":"x"}, {"jobid":null}, {"jobid":"a","submitted_time":"2018-01-01 00:00:00","attempts":null}]`, Options{}).Report()
	counted(t, rep, "damaged-line", Rejected, 1, 1)
	counted(t, rep, "missing", Rejected, 2, 1)
	counted(t, rep, "no-attempts", Skipped, 1, 1)
}
