package trace

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"gpusim/workloads"
)

// sample is a file of a format that every test of the kit reads.
type sample struct {
	format, file string
	opt          Options
}

func kit() []sample {
	table := Options{TimeFormat: plainLayout, Timezone: "America/New_York",
		Columns: map[string]string{"submit": "when", "duration": "took", "gpus": "cards", "queue": "team"}}
	return []sample{
		{"native", "testdata/native.csv", Options{}},
		{"csv", "testdata/table.csv", table},
		{"swf", "testdata/log.swf", Options{}},
		{"openb", "testdata/pods.csv", Options{}},
		{"openb-nodes", "testdata/nodes.csv", Options{}},
		{"philly", "testdata/philly/cluster_job_log", Options{}},
		{"helios", "testdata/helios.csv", Options{Timezone: "Asia/Shanghai"}},
		{"acme", "testdata/acme.csv", Options{}},
		{"tiresias", "testdata/tiresias.csv", Options{}},
		{"pai", "testdata/pai/pai_job_table.csv", Options{}},
		{"kubernetes", "testdata/objects.yaml", Options{Annotations: map[string]string{"submit": "x/submit", "duration": "x/duration"}}},
		{"slurm-jobcomp", "testdata/jobcomp.log", Options{}},
		{"slurm-conf", "testdata/slurm/slurm.conf", Options{}},
		{"sacct", "testdata/sacct.txt", Options{ReportTime: "2026-01-01T04:00:00"}},
	}
}

// forEach runs a test for every format, with the text of its sample.
func forEach(t *testing.T, test func(t *testing.T, s sample, text string)) {
	for _, s := range kit() {
		t.Run(s.format, func(t *testing.T) {
			text, err := os.ReadFile(s.file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, s, string(text))
		})
	}
}

// put writes a file of the test's own folder.
func put(t testing.TB, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a trace of text.
func open(t testing.TB, format, text string, opt Options) *Trace {
	t.Helper()
	tr, err := Open(format, []string{put(t, "trace", []byte(text))}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// all takes every job of a trace.
func all(t testing.TB, tr *Trace) []*workloads.Job {
	t.Helper()
	src, err := tr.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*workloads.Job
	for {
		j, err := src.Next()
		if err == io.EOF {
			return jobs
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
}

func TestEveryFormatIsInTheKit(t *testing.T) {
	var have []string
	for _, s := range kit() {
		have = append(have, s.format)
	}
	for _, f := range Formats() {
		if !contains(have, f.Name) {
			t.Errorf("format %s has no sample in the kit", f.Name)
		}
		if f.Doc == "" || f.Sample == "" {
			t.Errorf("format %s lacks a doc line or a sample name", f.Name)
		}
	}
}

func TestKitSortedAndRepeatable(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		tr, err := Open(s.format, []string{s.file}, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		if tr.format.Nodes {
			if _, err := tr.Jobs(); err == nil {
				t.Error("a list of nodes gave jobs")
			}
			nodes, err := tr.Nodes()
			if err != nil || int64(len(nodes)) != tr.Report().Accepted {
				t.Errorf("%d nodes, %v, accepted %d", len(nodes), err, tr.Report().Accepted)
			}
			return
		}
		first, second := all(t, tr), all(t, tr)
		if !reflect.DeepEqual(first, second) {
			t.Error("two sources differ")
		}
		if len(first) == 0 || int64(len(first)) != tr.tally.jobs {
			t.Errorf("%d jobs, the first reading had %d", len(first), tr.tally.jobs)
		}
		for i := 1; i < len(first); i++ {
			a, b := first[i-1], first[i]
			if b.Submit < a.Submit || b.Submit == a.Submit && b.Line < a.Line {
				t.Errorf("%s comes behind %s", b.ID, a.ID)
			}
		}
		if first[0].Submit != 0 {
			t.Errorf("the first job is at %d, not 0", first[0].Submit)
		}
		ids := map[string]bool{}
		for _, j := range first {
			if ids[j.ID] {
				t.Errorf("two jobs have the id %s", j.ID)
			}
			ids[j.ID] = true
		}
	})
}

func TestKitCountsAddUp(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		for _, o := range []func(*Options){
			func(*Options) {},
			func(o *Options) { one := int64(1); o.Limit = &one },
			func(o *Options) { o.Until = "12" },
			func(o *Options) { o.Attempts = "each" },
		} {
			opt := s.opt
			o(&opt)
			if opt.Until != "" && (s.format == "openb-nodes" || s.format == "slurm-conf") || opt.Attempts != "" && s.format != "philly" {
				continue
			}
			rep := open(t, s.format, text, opt).Report()
			sum := rep.Accepted
			for _, i := range rep.Issues {
				if i.Action == Rejected || i.Action == Skipped {
					sum += i.Count
				}
				if len(i.At) == 0 || int64(len(i.At)) > i.Count || i.At[0].Message == "" {
					t.Errorf("%s: %d places for %d", i.Reason, len(i.At), i.Count)
				}
			}
			if sum != rep.Records {
				t.Errorf("%d records, but accepted, rejected and skipped are %d", rep.Records, sum)
			}
		}
	})
}

func TestKitEmpty(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		path := put(t, "empty", nil)
		_, err := Open(s.format, []string{path}, s.opt)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "empty") {
			t.Errorf("an empty file gave %v", err)
		}
	})
}

// wrappings are the ways to store a text that must not matter.
func wrappings(t testing.TB, text string) map[string][]byte {
	gz := func(parts ...string) []byte {
		var b bytes.Buffer
		for _, p := range parts {
			w := gzip.NewWriter(&b)
			w.Write([]byte(p))
			w.Close()
		}
		return b.Bytes()
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	half := len(text) / 2
	return map[string][]byte{
		"gz":          gz(text),
		"two members": gz(text[:half], text[half:]),
		"zst":         z.EncodeAll([]byte(text), nil),
		"bom":         append([]byte("\xef\xbb\xbf"), text...),
		"crlf":        []byte(strings.ReplaceAll(text, "\n", "\r\n")),
		"no last end": []byte(strings.TrimSuffix(text, "\n")),
	}
}

func TestKitWrappings(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		want := summary(t, s.format, []byte(text), s.opt)
		for name, data := range wrappings(t, text) {
			if got := summary(t, s.format, data, s.opt); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
			}
		}
	})
}

// summary is what must not depend on how a text is stored.
func summary(t *testing.T, format string, data []byte, opt Options) string {
	tr, err := Open(format, []string{put(t, "trace", data)}, opt)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	if !tr.format.Nodes {
		for _, j := range all(t, tr) {
			fmt.Fprintf(&b, "%+v\n", *j)
		}
	}
	nodes, _ := tr.Nodes()
	fmt.Fprintf(&b, "%+v\n", nodes)
	for _, i := range tr.Report().Issues {
		fmt.Fprintf(&b, "%s %s %d:", i.Reason, i.Action, i.Count)
		for _, p := range i.At {
			if p.Line != nil {
				fmt.Fprintf(&b, " %d", *p.Line)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestKitDamagedPacking(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		for name, data := range wrappings(t, text) {
			if name != "gz" && name != "zst" {
				continue
			}
			path := put(t, "cut."+name, data[:len(data)-5])
			if _, err := Open(s.format, []string{path}, s.opt); err == nil || !strings.Contains(err.Error(), "cut short") || !strings.Contains(err.Error(), path) {
				t.Errorf("cut %s: %v", name, err)
			}
			if name == "gz" {
				data[len(data)-6] ^= 1
				path = put(t, "bad."+name, data)
				if _, err := Open(s.format, []string{path}, s.opt); err == nil || !strings.Contains(err.Error(), "checksum") {
					t.Errorf("bad checksum: %v", err)
				}
			}
		}
	})
}

// TestKitNoise reads samples with random bytes changed, and plain noise: any
// answer will do but a panic or a difference between the two readings.
func TestKitNoise(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		rnd := rand.New(rand.NewPCG(1, 2))
		path := put(t, "noise", nil)
		for i := range 400 {
			data := []byte(text)
			for range 1 + rnd.IntN(6) {
				data[rnd.IntN(len(data))] = byte(rnd.IntN(256))
			}
			if i%10 == 0 {
				data = data[:rnd.IntN(len(data))]
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			tryAll(t, s.format, path, s.opt)
		}
	})
}

// tryAll uses a trace in every way.
func tryAll(t testing.TB, format, path string, opt Options) {
	tr, err := Open(format, []string{path}, opt)
	if err != nil {
		return
	}
	if !tr.format.Nodes {
		if got := int64(len(all(t, tr))); got != tr.tally.jobs {
			t.Errorf("%d jobs at first, %d then", tr.tally.jobs, got)
		}
	}
	if _, err := tr.JobRows(&Cluster{Nodes: []Node{{Name: "n", GPUs: 8, GPUType: "X"}}}); err != nil {
		t.Error(err)
	}
	rep := tr.Report()
	rep.WithCluster(Cluster{Nodes: []Node{{Name: "n", GPUs: 8, GPUType: "X"}}})
	mustJSON(t, rep)
}
