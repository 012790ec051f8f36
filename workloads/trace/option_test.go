package trace

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"gpusim/workloads"
)

func TestSet(t *testing.T) {
	var o Options
	for _, kv := range []string{"limit=5", "from=10", "until=2020-01-01", "where.cluster=abc", "where.user=x=y", "shift=keep", "scale.submit=0.5", "scale.duration=2",
		"map.gpu_type.V100=V100-SXM2-16GB", "strict=true", "columns.id=jobid", "time_format=rfc3339", "timezone=UTC", "processors=cpus", "attempts=each",
		"pending=1h", "lifetime=forever", "unfinished=until", "report_time=5", "annotations.submit=a.b/c"} {
		k, v, _ := strings.Cut(kv, "=")
		if err := o.Set(k, v); err != nil {
			t.Errorf("%s: %v", kv, err)
		}
	}
	five, half, two := int64(5), 0.5, 2.0
	want := Options{Limit: &five, From: "10", Until: "2020-01-01", Where: map[string]string{"cluster": "abc", "user": "x=y"}, Shift: "keep", Scale: Scale{&half, &two},
		Map: map[string]map[string]string{"gpu_type": {"V100": "V100-SXM2-16GB"}}, Strict: true, Columns: map[string]string{"id": "jobid"}, TimeFormat: "rfc3339",
		Timezone: "UTC", Processors: "cpus", Attempts: "each", Pending: "1h", Lifetime: "forever", Unfinished: "until", ReportTime: "5", Annotations: map[string]string{"submit": "a.b/c"}}
	if !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v", o)
	}
	if got := o.given(); !reflect.DeepEqual(got, allOptions[:]) {
		t.Errorf("given: %v", got)
	}
	for kv, part := range map[string]string{"limt=5": "did you mean limit", "limit=x": "whole number", "strict=yes": "true or false", "where=5": "where.cluster", "scale.x=1": "submit",
		"map.gpu_type=V": "map.gpu_type.V100", "shift.x=1": "nothing below", "scale.submit=x": "not a number", "annotations=x": "annotations.duration"} {
		k, v, _ := strings.Cut(kv, "=")
		if err := o.Set(k, v); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", kv, err)
		}
	}
}

// TestOptionTags checks that Set and the tags of Options name the same keys.
func TestOptionTags(t *testing.T) {
	typ := reflect.TypeFor[Options]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		key := f.Tag.Get("yaml")
		if key == "-" {
			continue
		}
		if f.Tag.Get("doc") == "" || !contains(allOptions[:], key) {
			t.Errorf("option %s has no doc or no place in the list", key)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	neg, nan := int64(-1), -0.5
	for _, c := range []struct {
		format string
		opt    Options
		parts  []string
	}{
		{"swf", Options{Attempts: "last", Timezone: "UTC"}, []string{"option attempts does nothing for format swf", "option timezone does nothing"}},
		{"native", Options{Columns: map[string]string{"id": "x"}}, []string{"option columns does nothing"}},
		{"openb-nodes", Options{Shift: "keep", From: "1"}, []string{"option shift does nothing", "option from does nothing"}},
		{"swf", Options{Processors: "gpu", Shift: "none", Limit: &neg, Scale: Scale{Submit: &nan}}, []string{"did you mean gpus", "option shift", "negative", "scale.submit"}},
		{"swf", Options{Map: map[string]map[string]string{"gpu_type": {"a": "b"}}}, []string{"fills no"}},
		{"csv", Options{Columns: map[string]string{"sumbit": "x"}, TimeFormat: "dd"}, []string{"did you mean submit", "time_format"}},
		{"openb", Options{Pending: "soon"}, []string{"neither skip nor a length"}},
		{"philly", Options{Timezone: "PST8"}, []string{"timezone"}},
		{"csv", Options{ReportTime: "5"}, []string{"option report_time does nothing for format csv"}},
		{"sacct", Options{Annotations: map[string]string{"submit": "x"}}, []string{"option annotations does nothing for format sacct"}},
		{"kubernetes", Options{Annotations: map[string]string{"submt": "x", "duration": ""}}, []string{"did you mean submit", "name the key"}},
		{"swff", Options{}, []string{"did you mean swf"}},
	} {
		_, err := Open(c.format, []string{"/does/not/exist"}, c.opt)
		for _, p := range c.parts {
			if err == nil || !strings.Contains(err.Error(), p) {
				t.Errorf("%s: %v lacks %q", c.format, err, p)
			}
		}
	}
}

const five = "job_id,submit_s,run_s,gpus,user\na,100,10,1,x\nb,110,20,2,y\nc,120,30,1,x\nd,130,40,1,x\ne,140,50,1,y\n"

// times writes ids with submissions and lengths.
func times(jobs []*workloads.Job) string {
	var b strings.Builder
	for _, j := range jobs {
		fmt.Fprintf(&b, "%s@%s+%s ", j.ID, seconds(j.Submit), seconds(j.Duration))
	}
	return strings.TrimSpace(b.String())
}

func TestSharedOptions(t *testing.T) {
	half, twice, tenth := 0.5, 2.0, 0.1
	two := int64(2)
	for _, c := range []struct {
		opt    Options
		want   string
		reason string
		count  int64
	}{
		{Options{}, "a@0+10 b@10+20 c@20+30 d@30+40 e@40+50", "", 0},
		{Options{Shift: "keep"}, "a@100+10 b@110+20 c@120+30 d@130+40 e@140+50", "", 0},
		{Options{Limit: &two}, "a@0+10 b@10+20", "over-limit", 3},
		{Options{Where: map[string]string{"user": "x"}}, "a@0+10 c@20+30 d@30+40", "filtered-out", 2},
		{Options{Where: map[string]string{"user": "y"}, Shift: "zero"}, "b@0+20 e@30+50", "filtered-out", 3},
		{Options{From: "110", Until: "130"}, "b@0+20 c@10+30", "outside-window", 3},
		{Options{From: "110", Limit: &two, Where: map[string]string{"user": "x"}}, "c@0+30 d@10+40", "outside-window", 1},
		{Options{Scale: Scale{Submit: &half, Duration: &twice}}, "a@0+20 b@5+40 c@10+60 d@15+80 e@20+100", "", 0},
		{Options{Scale: Scale{Submit: &tenth}, Shift: "keep"}, "a@10+10 b@11+20 c@12+30 d@13+40 e@14+50", "", 0},
	} {
		tr := open(t, "native", five, c.opt)
		is(t, "jobs", times(all(t, tr)), c.want)
		if c.reason != "" {
			counted(t, tr.Report(), c.reason, Skipped, c.count, 0)
		}
	}
	for _, c := range []struct {
		opt  Options
		part string
	}{
		{Options{Where: map[string]string{"usr": "x"}}, "did you mean user"},
		{Options{From: "2020-01-01"}, "no date"},
		{Options{From: "20", Until: "10"}, "not before"},
		{Options{Scale: Scale{Duration: func() *float64 { f := 1e9; return &f }()}}, "scale.duration"},
	} {
		_, err := Open("native", []string{put(t, "x.csv", []byte(five))}, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%+v: %v", c.opt, err)
		}
	}
}

func TestShiftFromTheFirstJob(t *testing.T) {
	const text = "job_id,submit_s,run_s,gpus\na,-50,,1\nb,-20,5,1\nc,30,5,1\n"
	is(t, "a row that is no job does not count", times(all(t, open(t, "native", text, Options{}))), "b@0+5 c@50+5")
	tr := open(t, "native", text, Options{Shift: "keep"})
	is(t, "kept", times(all(t, tr)), "c@30+5")
	counted(t, tr.Report(), "negative", Rejected, 1, 3)
}

func TestSeveralFiles(t *testing.T) {
	a := put(t, "a.csv", []byte("job_id,submit_s,run_s,gpus\na,10,1,1\nb,30,1,1\n"))
	b := put(t, "b.csv", []byte("gpus,run_s,submit_s,job_id\n1,2,20,c\n1,2,40,a\n"))
	tr, err := Open("native", []string{a, b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	is(t, "jobs", times(all(t, tr)), "a@0+1 c@10+2 b@20+1")
	i := tr.Report().Issue("duplicate-id", Rejected)
	is(t, "duplicates", i.Count, int64(1))
	if !strings.Contains(i.At[0].Message, a+":2") || i.At[0].File != b {
		t.Errorf("the duplicate is %+v", i.At[0])
	}
	is(t, "files", len(tr.Report().Files), 2)
}

func TestChangedFile(t *testing.T) {
	path := put(t, "x.csv", []byte(five))
	tr := mustOpen(t, "native", path, Options{})
	if err := os.WriteFile(path, []byte(five+"f,150,1,1,x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := tr.Jobs()
	for err == nil {
		_, err = src.Next()
	}
	if !strings.Contains(err.Error(), "changed") {
		t.Errorf("a changed file gave %v", err)
	}
}

func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.WriteString(five)
		w.Close()
	}()
	in := &input{path: "pipe"}
	if err := in.keep(r); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := in.open(true)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(s); err != nil || b.String() != five {
			t.Errorf("%q %v", b.String(), err)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/does/not/exist"} {
		if _, err := Open("native", []string{path}, Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open("native", nil, Options{}); err == nil {
		t.Error("no path was taken")
	}
	tr := mustOpen(t, "native", put(t, "a b ü.csv", []byte(five)), Options{})
	is(t, "jobs", tr.Report().Accepted, int64(5))
}

// TestPack fills every field of a job and packs it.
func TestPack(t *testing.T) {
	var j workloads.Job
	fillAny(reflect.ValueOf(&j).Elem(), new(int64))
	p := newPacker()
	var places []uint64
	for range 20000 {
		places = append(places, p.pack(&j))
	}
	for _, at := range []uint64{places[0], places[9999], places[19999]} {
		if got := p.unpack(at); !reflect.DeepEqual(*got, j) {
			t.Fatalf("got  %+v\nwant %+v", *got, j)
		}
	}
	if len(p.blocks) < 2 {
		t.Error("the test is too small")
	}
	zero := workloads.Job{}
	if got := p.unpack(p.pack(&zero)); !reflect.DeepEqual(*got, zero) {
		t.Errorf("got %+v", got)
	}
}

// fillAny sets everything to some value of its own.
func fillAny(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillAny(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillAny(v.Index(0), n)
		fillAny(v.Index(1), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillAny(v.Elem(), n)
	case reflect.String:
		v.SetString(fmt.Sprint("s", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 200))
	default:
		v.SetInt(-1 << 40 * *n)
	}
}

func TestCluster(t *testing.T) {
	c := Cluster{Nodes: []Node{{"a", 8, "X", 8000, 1 << 30}, {"b", 4, "Y", 0, 0}, {"c", 8, "X", 64000, 1 << 40}},
		OutOfService: []OutOfService{{Node: "c", Reason: "7 of 8 GPUs"}}}
	for _, x := range []struct {
		job   workloads.Job
		nodes string
		why   string
	}{
		{workloads.Job{GPUs: 4}, "a b", ""},
		{workloads.Job{GPUs: 12}, "a b", ""},
		{workloads.Job{GPUs: 13}, "", "13 GPUs"},
		{workloads.Job{GPUs: 8, Nodes: 1}, "a", ""},
		{workloads.Job{GPUs: 8, GPUsPerNode: 4}, "a b", ""},
		{workloads.Job{GPUs: 9, Nodes: 1}, "", "most on one is 8"},
		{workloads.Job{GPUs: 1, GPUTypes: []string{"Z"}}, "", "type Z"},
		{workloads.Job{GPUs: 1, GPUTypes: []string{"Z", "Y"}}, "b", ""},
		{workloads.Job{GPUs: 2, Nodes: 1, CPUMilli: 9000, GPUTypes: []string{"X"}}, "", "9 CPU cores"},
		{workloads.Job{GPUs: 2, CPUMilli: 9000}, "a b", ""},
		{workloads.Job{GPUs: 1, Memory: 2 << 30, GPUTypes: []string{"X"}}, "", "memory"},
		{workloads.Job{CPUMilli: 8000}, "a b", ""},
	} {
		nodes, why := c.Eligible(&x.job)
		if strings.Join(nodes, " ") != x.nodes || !strings.Contains(why, x.why) || x.why == "" && why != "" || nodes == nil {
			t.Errorf("%+v: %v %q", x.job, nodes, why)
		}
	}
	rep := open(t, "native", "job_id,submit_s,run_s,gpus,gpu_type\na,0,100,4,X\nb,100,50,2,\nc,100,50,2,Z\n", Options{}).Report()
	rep.WithCluster(c)
	is(t, "load", mustJSON(t, rep.OfferedLoad), `{"all":0.5,"X":0.5,"Z":null}`)
	is(t, "cluster", rep.Cluster.Usable, int64(12))
	rep = open(t, "native", "job_id,submit_s,run_s,gpus\na,0,100,4\n", Options{}).Report()
	rep.WithCluster(c)
	is(t, "load without a span", mustJSON(t, rep.OfferedLoad), `{"all":null}`)
}

// TestReportKeys compares the report with the keys that scripts rely on.
func TestReportKeys(t *testing.T) {
	tr := mustOpen(t, "philly", "testdata/philly", Options{})
	rep := tr.Report()
	rows, err := tr.JobRows(&Cluster{})
	if err != nil {
		t.Fatal(err)
	}
	rep.Jobs = rows
	text := mustJSON(t, rep)
	for _, key := range []string{"format", "files", "path", "compression", "encoding", "lines", "records", "accepted", "issues", "reason", "action", "count", "at", "file", "line",
		"column", "id", "message", "clock", "origin", "timezone", "stated_by", "first_submit_s", "last_end_s", "span_s", "gpu_s", "wait_s", "mean", "known", "jobs_by", "status", "gpus",
		"gpu_type", "tenant", "queue", "gpu_s_by", "cluster", "nodes", "usable_gpus", "out_of_service", "offered_load", "all", "facts", "next", "jobs", "submit_s", "start_s", "end_s",
		"run_s", "busy_s", "slices", "gpu_types", "cpus", "memory_bytes", "user", "time_limit_s", "limit_exceeded", "eligible_nodes", "notes"} {
		if !strings.Contains(text, `"`+key+`":`) {
			t.Errorf("the report lacks %s", key)
		}
	}
	is(t, "same again", mustJSON(t, mustOpen(t, "philly", "testdata/philly", Options{}).Report().Issues), mustJSON(t, rep.Issues))
}

func TestStrict(t *testing.T) {
	for format, want := range map[string]string{"native": ":8:7: not-a-number", "swf": ":12:12: no-gpus", "openb": ":6:15: bad-quantity", "philly": "duplicate-key"} {
		for _, s := range kit() {
			if s.format != format {
				continue
			}
			opt := s.opt
			opt.Strict = true
			if _, err := Open(format, []string{s.file}, opt); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
}
