package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallTrace = "job_id,submit_s,run_s,gpus,status,queue,user\na,10,100,4,completed,q1,u\nb,20,50.5,8,failed,q1,u\nc,5,1,0,completed,q2,v\na,30,1,1,completed,q1,u\n"

func TestInspectJSONHasTheKeysOfTheContract(t *testing.T) {
	path := file(t, "jobs.csv", smallTrace)
	doc := gpusim(t, "trace", "inspect", path, "--format", "native", "--output", "json").object(t)
	for _, k := range []string{"format", "files", "records", "accepted", "issues", "clock", "first_submit_s", "last_end_s", "span_s", "gpu_s",
		"wait_s", "jobs_by", "gpu_s_by", "cluster", "offered_load", "facts", "next"} {
		at(t, doc, k)
	}
	if _, ok := doc["jobs"]; ok {
		t.Error("jobs are there without --jobs")
	}
	same(t, "file", keys(at(t, doc, "files", 0)), []string{"compression", "encoding", "lines", "path", "records"})
	same(t, "clock", keys(at(t, doc, "clock")), []string{"origin", "stated_by", "timezone"})
	same(t, "jobs_by", keys(at(t, doc, "jobs_by")), []string{"gpu_type", "gpus", "queue", "status", "tenant"})
	same(t, "gpu_s_by", keys(at(t, doc, "gpu_s_by")), []string{"gpu_type", "tenant"})
	same(t, "wait", at(t, doc, "wait_s"), map[string]any{"mean": nil, "known": 0})
	same(t, "records", []any{at(t, doc, "records"), at(t, doc, "accepted"), at(t, doc, "gpu_s")}, []any{4, 3, 804})
	same(t, "cluster", at(t, doc, "cluster"), nil)
	same(t, "load", at(t, doc, "offered_load"), nil)
	same(t, "issue", keys(at(t, doc, "issues", 0)), []string{"action", "at", "count", "reason"})
	same(t, "place", keys(at(t, doc, "issues", 0, "at", 0)), []string{"column", "file", "id", "line", "message"})
}

func TestInspectJobsAndCluster(t *testing.T) {
	path := file(t, "jobs.csv", smallTrace)
	inspect := func(more ...string) map[string]any {
		return gpusim(t, append([]string{"trace", "inspect", path, "--format", "native", "--output", "json"}, more...)...).object(t)
	}
	job := at(t, inspect("--jobs"), "jobs", 0)
	for _, k := range []string{"id", "line", "submit_s", "start_s", "end_s", "wait_s", "run_s", "busy_s", "gpus", "gpu_s", "slices", "gpu_types", "cpus",
		"memory_bytes", "user", "tenant", "queue", "status", "time_limit_s", "limit_exceeded", "notes"} {
		at(t, job, k)
	}
	if _, ok := job.(map[string]any)["eligible_nodes"]; ok {
		t.Error("eligible_nodes are there without --on")
	}
	doc := inspect("--jobs", "--on", "quickstart")
	same(t, "eligible", at(t, doc, "jobs", 0, "eligible_nodes"), []string{"dgx-0", "dgx-1"})
	same(t, "cluster", at(t, doc, "cluster"), map[string]any{"nodes": 2, "gpus": 16, "usable_gpus": 16, "out_of_service": []any{}})
	same(t, "load", at(t, doc, "offered_load", "all"), 3.35) // 804 GPU-seconds on 16 GPUs in 15 s

	empty := file(t, "empty.csv", "job_id,submit_s,run_s,gpus\n")
	doc = gpusim(t, "trace", "inspect", empty, "--format", "native", "--output", "json", "--jobs").object(t)
	same(t, "jobs of an empty trace", at(t, doc, "jobs"), []any{})

	scenario := gpusim(t, "scenarios", "show", "quickstart").must(t).out
	r := gpusimWith(t, scenario, "trace", "inspect", path, "--format", "native", "--on", "-").must(t)
	r.says(t, r.out, "2 nodes, 16 GPUs, 16 usable", "offered: all 335.0 %")
}

func TestInspectTable(t *testing.T) {
	path := file(t, "jobs.csv", smallTrace)
	r := gpusim(t, "trace", "inspect", path, "--format", "native", "--jobs", "--on", "quickstart").must(t)
	r.says(t, r.out, "native: ", "5 lines, 4 records", "4 read, 3 accepted, 1 set aside", "clock     time 0 is not known",
		"1  rejected  duplicate-id  line 5, id a: ", "Worth knowing", "out-of-order", "Jobs by GPUs", "Jobs by queue", "q1  2  66.7 %", "Try now\n  gpusim run quickstart")
	evil := file(t, "evil.csv", "job_id,submit_s,run_s,gpus,queue\n\x1b[31me,0,1,1,\x1b[2Jq\n\"a\tb\",0,x\x1b,1,q\n")
	r = gpusim(t, "trace", "inspect", evil, "--format", "native", "--jobs").must(t)
	r.says(t, r.out, `\x1b[31me`, `\x1b[2Jq`, `a\tb`)
	if strings.ContainsAny(r.out, "\x1b\t") {
		t.Error("the table has control characters")
	}

	var b strings.Builder
	b.WriteString("job_id,submit_s,run_s,gpus\n")
	for i := range 25 {
		size := string(rune('0'+i/10)) + string(rune('0'+i%10))
		b.WriteString("j" + size + ",0,1," + size + "\n")
	}
	r = gpusim(t, "trace", "inspect", file(t, "sizes.csv", b.String()), "--format", "native").must(t)
	r.says(t, r.out, "15 others  15  60.0 %")
}

func TestInspectReadsCompressedFilesAndOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.csv.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	z.Write([]byte("who,when,secs,n\nx,2026-01-01 00:00:00,60,2\ny,2026-01-01 01:00:00,60,4\n"))
	z.Close()
	f.Close()
	gpusim(t, "trace", "inspect", path).refused(t, "jobs.csv.gz looks like --format csv", "philly", "openb-nodes")
	doc := gpusim(t, "trace", "inspect", path, "--format", "csv", "--output", "json", "--opt", "columns.id=who", "--opt", "columns.submit=when",
		"--opt", "columns.duration=secs", "--opt", "columns.gpus=n", "--opt", "time_format=2006-01-02 15:04:05", "--opt", "where.who=y").object(t)
	same(t, "compression", at(t, doc, "files", 0, "compression"), "gzip")
	same(t, "accepted", at(t, doc, "accepted"), 1)
	runNext(t, doc, 1)
}

func TestInspectRefuses(t *testing.T) {
	path := file(t, "jobs.csv", smallTrace)
	gpusim(t, "trace", "inspect").refused(t, "needs a FILE")
	gpusim(t, "trace", "inspect", path).refused(t, "needs --format", "looks like --format native", "swf")
	gpusim(t, "trace", "inspect", file(t, "x", "hello")).refused(t, "needs --format. The formats are:")
	gpusim(t, "trace", "inspect", path, "--format", "nativ").refused(t, "nativ", "native")
	gpusim(t, "trace", "inspect", path+"x", "--format", "native").refused(t, "jobs.csvx")
	gpusim(t, "trace", "inspect", file(t, "none.csv", ""), "--format", "native").refused(t, "none.csv")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--opt", "limit").refused(t, "KEY=VALUE")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--opt", "limti=3", "--opt", "strict=maybe").refused(t, "did you mean limit", "strict=maybe")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--opt", "pending=skip").refused(t, "pending does nothing")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--opt", "strict=true").refused(t, "jobs.csv:5", "duplicate-id")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--on", "no-such").refused(t, "no-such")
	gpusim(t, "trace", "inspect", path, "--format", "native", "--output", "csv").refused(t, "--output")
}

func TestGuessFormat(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"a.swf": {"", "swf"}, "b": {"; Version: 2.2\n", "swf"}, "c.json": {"[{", "philly"},
		"d.csv": {"\ufeffjob_id,submit_s,run_s,gpus\r\n", "native"}, "e.csv": {"name,cpu_milli,memory_mib,num_gpu,gpu_milli\n", "openb"},
		"f.csv": {"sn,cpu_milli,memory_mib,gpu,model\n", "openb-nodes"}, "g.csv": {"a,b,c\n", "csv"}, "h": {"a b\n", ""}, "i.gz": {"\x1f\x8bx", ""},
	} {
		same(t, name, guessFormat(file(t, name, c.content)), c.want)
	}
	same(t, "no file", guessFormat("no-such-file"), "")
	same(t, "a folder", guessFormat(t.TempDir()), "")
	same(t, "philly's folder", guessFormat(field(t, "02-philly-attempts")), "philly")
}

func TestNextHoldsTheLargestJobAndTheLoad(t *testing.T) {
	for content, want := range map[string]string{
		"a,0,1,1\nb,5,1,2\n":            "[{count: 2, name: n, gpus: 8}]",
		"a,0,1,100\n":                   "[{count: 13, name: n, gpus: 8}]",
		"a,0,172800,64\nb,172800,0,1\n": "[{count: 10, name: n, gpus: 8}]", // 64 GPUs busy all the time are 80 % of 10 nodes
	} {
		doc := gpusim(t, "trace", "inspect", file(t, "jobs.csv", "job_id,submit_s,run_s,gpus\n"+content), "--format", "native", "--output", "json").object(t)
		if next := at(t, doc, "next").(string); !strings.Contains(next, "'cluster.nodes="+want+"'") {
			t.Errorf("%q: %s, want nodes %s", content, next, want)
		}
		runNext(t, doc, strings.Count(content, "\n"))
	}
	r := gpusim(t, "trace", "inspect", file(t, "jobs.csv", "job_id,submit_s,run_s,gpus\na,x,1,1\n"), "--format", "native").must(t)
	r.says(t, r.out, "nothing was accepted")
}

// runNext runs the command that an inspection suggests and counts its jobs.
func runNext(t *testing.T, doc map[string]any, jobs int) {
	t.Helper()
	next := at(t, doc, "next").(string)
	words := shellSplit(t, next)
	if words[0] != "gpusim" || words[1] != "run" {
		t.Fatalf("next is %q", next)
	}
	sum := gpusim(t, append(words[1:], "--output", "json")...).object(t)
	same(t, "jobs of "+next, at(t, sum, "jobs", "submitted"), jobs)
	same(t, "rejected of "+next, at(t, sum, "jobs", "rejected"), 0)
}

// shellSplit takes a command apart as a shell does, single quotes included.
func shellSplit(t *testing.T, s string) []string {
	t.Helper()
	var words []string
	word, quoted := "", false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word += string(s[i])
		case c == ' ' && !quoted:
			words, word = append(words, word), ""
		default:
			word += string(c)
		}
	}
	if quoted {
		t.Fatalf("a quote is open in %s", s)
	}
	return append(words, word)
}

func TestNextSurvivesOddNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "it's {a}: #b, c.csv")
	if err := os.WriteFile(path, []byte("the id,when.s,secs[1],type,n\na b,0,60,A.1: {x},1\nc,1,60,A.1: {x},1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"trace", "inspect", path, "--format", "csv", "--output", "json", "--opt", "columns.id=the id", "--opt", "columns.submit=when.s",
		"--opt", "columns.duration=secs[1]", "--opt", "columns.gpu_type=type", "--opt", "columns.gpus=n", "--opt", "where.the id=c", "--opt", "map.gpu_type.A.1: {x}=null"}
	runNext(t, gpusim(t, args...).object(t), 1)

	// A scenario in another folder: its relative paths begin there.
	scenario := filepath.Join(dir, "my scenario.yaml")
	if err := os.WriteFile(scenario, []byte(gpusim(t, "scenarios", "show", "quickstart").must(t).out), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Mkdir("below", 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir("below")
	if err := os.WriteFile("jobs.csv", []byte("job_id,submit_s,run_s,gpus\na,0,1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	runNext(t, gpusim(t, "trace", "inspect", "jobs.csv", "--format", "native", "--output", "json", "--on", scenario).object(t), 1)
	runNext(t, gpusim(t, "trace", "inspect", "jobs.csv", "--format", "native", "--output", "json").object(t), 1)
}
