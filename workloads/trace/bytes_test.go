package trace

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const nativeHeader = "job_id,submit_s,run_s,gpus,note\n"

func TestQuotes(t *testing.T) {
	text := nativeHeader +
		"1,0,\"5\",1, \"a \"\"b\"\", c\n\nd\" \n" + // blanks around a quoted field, a blank line in it
		"\n" +
		"2,0,5,1,\"x\"y\n" +
		"3,0,5,\"x\ny\",\n"
	rep := open(t, "native", text, Options{}).Report()
	is(t, "accepted", rep.Accepted, int64(1))
	is(t, "lines", rep.Files[0].Lines, int64(8))
	counted(t, rep, "damaged-line", Rejected, 1, 6)
	counted(t, rep, "not-a-number", Rejected, 1, 7)
	is(t, "column", *rep.Issue("damaged-line", Rejected).At[0].Column, int64(12))

	for text, want := range map[string]string{
		"a\rb\r":                       "carriage return",
		"job_id;submit_s;run_s\n1;2;3": "commas",
		"1,2,3,4\n":                    "looks like data",
		"\"job_id\"x,run_s\n":          "damaged",
		"PK\x03\x04zip":                "zip",
		"\xfe\xff\x00a":                "UTF-16",
		"a\x00b\x00c\x00d\x00":         "UTF-16",
		"\xff\xfe\x00\x00a":            "UTF-32",
	} {
		if _, err := Open("native", []string{put(t, "x", []byte(text))}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestRecordLimit reads one field of 8 MiB, one beyond the limit, and a packed
// file that unpacks to very much.
func TestRecordLimit(t *testing.T) {
	long := nativeHeader + "1,0,100,4,\"" + strings.Repeat("x", 8<<20) + "\"\n2,0,100,4,\n"
	is(t, "a field of 8 MiB", open(t, "native", long, Options{}).Report().Accepted, int64(2))
	lines := nativeHeader + "1,0,100,4,\"" + strings.Repeat("x\n", 4<<20) + "\"\n2,0,100,4,\n"
	is(t, "a field of 4 Mi lines", open(t, "native", lines, Options{}).Report().Accepted, int64(2))

	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for range 64 {
		w.Write(zeros)
	}
	w.Close()
	for _, format := range []string{"native", "swf", "philly"} {
		_, err := Open(format, []string{put(t, "bomb.gz", packed.Bytes())}, Options{})
		if err == nil || format != "philly" && !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: %v", format, err)
		}
	}
	_, err := Open("native", []string{put(t, "x.csv", []byte(nativeHeader+"1,0,1,1,\""+strings.Repeat("x\n", 9<<20)))}, Options{})
	if err == nil || !strings.Contains(err.Error(), ":2:9: a quote opens here") {
		t.Errorf("an open quote beyond the limit: %v", err)
	}
	_, err = Open("philly", []string{put(t, "x.json", []byte("[{\"jobid\":\""+strings.Repeat("x", 17<<20)))}, Options{})
	if err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a JSON record beyond the limit: %v", err)
	}
}

// TestManyFields reads records made of nothing but separators: they must be
// turned away at little cost.
func TestManyFields(t *testing.T) {
	rep := open(t, "native", nativeHeader+strings.Repeat(",", 8<<20)+"\n1,0,1,1,\n2,0,1,1,\"\""+strings.Repeat(",", 1<<20)+"\n", Options{}).Report()
	is(t, "accepted", rep.Accepted, int64(1))
	counted(t, rep, "too-many-fields", Rejected, 2, 2)
	if _, err := Open("native", []string{put(t, "x", []byte(strings.Repeat("a,", 1<<20)))}, Options{}); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Errorf("a header of a million columns: %v", err)
	}
	counted(t, open(t, "swf", strings.Repeat("1 ", 4<<20), Options{}).Report(), "too-many-fields", Rejected, 1, 1)
	const head = `{"jobid":"a","status":"Pass","submitted_time":"2018-01-01 00:00:00","attempts":`
	rep = open(t, "philly", "["+head+`[{"detail":[{"ip":"m","gpus":["g"`+strings.Repeat(`,"g"`, 1<<20)+"]}]}]},\n"+head+"[{}"+strings.Repeat(",{}", 1<<20)+"]}]", Options{}).Report()
	counted(t, rep, "out-of-range", Rejected, 2, 1)
}

// TestConcurrent takes two sources of one trace at once.
func TestConcurrent(t *testing.T) {
	forEach(t, func(t *testing.T, s sample, text string) {
		tr := mustOpen(t, s.format, s.file, s.opt)
		if tr.format.Nodes {
			return
		}
		done := make(chan int)
		for range 2 {
			go func() {
				n := 0
				if src, err := tr.Jobs(); err == nil {
					for _, err = src.Next(); err == nil; _, err = src.Next() {
						n++
					}
				}
				done <- n
			}()
		}
		is(t, "jobs", <-done, <-done)
	})
}

// TestMillion reads a million rows and watches the memory that stays in use.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million rows")
	}
	path := filepath.Join(t.TempDir(), "large.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(nativeHeader)
	for i := 1; i <= 1_000_000; i++ {
		fmt.Fprintf(&b, "%d,%d,%d,%d,\n", i, 10*i, 7919*i%3600+1, 1<<(i%4))
		if b.Len() > 1<<20 {
			b.WriteTo(f)
		}
	}
	b.WriteTo(f)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tr := mustOpen(t, "native", path, Options{})
	is(t, "GPU-seconds", tr.Report().GPUSeconds, Decimal("6751846000"))
	var mem runtime.MemStats
	src, err := tr.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	n, run := 0, int64(0)
	for {
		j, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
		run += int64(j.Duration) / 1e9
		if n == 900_000 {
			runtime.GC()
			runtime.ReadMemStats(&mem)
			if mem.HeapAlloc > 8<<20 {
				t.Errorf("%d MiB in use in the middle of a sorted file", mem.HeapAlloc>>20)
			}
		}
	}
	is(t, "jobs", n, 1_000_000)
	is(t, "run_s total", run, int64(1800525600))
}
