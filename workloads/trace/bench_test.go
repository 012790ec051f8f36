package trace

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bench reads a made-up trace again and again: the first reading (Open), and
// the second one (Jobs).
func bench(b *testing.B, format, text string, opt Options) {
	path := filepath.Join(b.TempDir(), "trace")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Open(format, []string{path}, opt); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("jobs", func(b *testing.B) {
		tr, err := Open(format, []string{path}, opt)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			src, err := tr.Jobs()
			if err != nil {
				b.Fatal(err)
			}
			for {
				if _, err := src.Next(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkNative(b *testing.B) {
	var s strings.Builder
	s.WriteString("job_id,submit_s,run_s,gpus,user,note\n")
	for i := 1; i <= 100_000; i++ {
		fmt.Fprintf(&s, "%d,%d,%d.25,%d,user%d,some words that nobody reads\n", i, 10*i, 7919*i%3600+1, 1<<(i%4), i%50)
	}
	bench(b, "native", s.String(), Options{})
}

func BenchmarkCSV(b *testing.B) {
	var s strings.Builder
	s.WriteString("timestamp,duration,num_gpus,gpu_time,cluster\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "2017-10-%02d %02d:%02d:%02d,%d.0,%d,%d.0,6214e9\n", 1+i/24/3600, i/3600%24, i/60%60, i%60, 7919*i%3600+1, 1<<(i%4), i)
	}
	bench(b, "csv", s.String(), Options{TimeFormat: plainLayout, Columns: map[string]string{"submit": "timestamp", "gpus": "num_gpus", "queue": "cluster"}})
}

func BenchmarkSWF(b *testing.B) {
	var s strings.Builder
	s.WriteString("; MaxProcs: 64\n")
	for i := 1; i <= 100_000; i++ {
		fmt.Fprintf(&s, "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i, 10*i, i%100, 7919*i%3600+1, 1<<(i%4), 1<<(i%4), 7200, i%50)
	}
	bench(b, "swf", s.String(), Options{})
}

func BenchmarkPhilly(b *testing.B) {
	var s strings.Builder
	s.WriteString("[\n")
	for i := range 50_000 {
		if i > 0 {
			s.WriteString(",\n")
		}
		fmt.Fprintf(&s, ` {
  "status": "Pass",
  "vc": "vc%d",
  "jobid": "application_1500000000001_%06d",
  "attempts": [
   {
    "start_time": "2017-09-%02d %02d:%02d:30",
    "end_time": "2017-10-01 00:00:00",
    "detail": [
     {
      "ip": "m%d",
      "gpus": [
       "gpu0",
       "gpu1"
      ]
     }
    ]
   }
  ],
  "submitted_time": "2017-09-%02d %02d:%02d:00",
  "user": "u%d"
 }`, i%15, i, 1+i/24/60%28, i/60%24, i%60, i%300, 1+i/24/60%28, i/60%24, i%60, i%100)
	}
	s.WriteString("\n]")
	bench(b, "philly", s.String(), Options{})
}
