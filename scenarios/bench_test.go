package scenarios

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpusim/reports/table"
	"gpusim/sim/event"
)

// phillyTable is the table of 57,584 jobs beside the repository.
func phillyTable(b *testing.B) string {
	p, err := filepath.Abs(filepath.Join("..", "..", "shared", "data", "traces", "philly-jobs", "philly_dev_vcs.csv.gz"))
	if err == nil {
		_, err = os.Stat(p)
	}
	if err != nil {
		b.Skip("skipped: the shared data are not there")
	}
	return p
}

func benchScenario(b *testing.B, text string, formats ...table.Format) {
	b.ReportAllocs()
	jobs := int64(0)
	for i := 0; i < b.N; i++ {
		s, err := Parse("bench", ".", []byte(text), nil)
		if err != nil {
			b.Fatal(err)
		}
		out, err := s.Run(RunOptions{Dir: filepath.Join(b.TempDir(), "run"), Formats: formats})
		if err != nil {
			b.Fatal(err)
		}
		jobs += int64(out.Summary.Jobs.Submitted)
	}
	b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkPhilly is the Philly table at 90 % load, read, simulated and written
// as CSV.
func BenchmarkPhilly(b *testing.B) {
	path := phillyTable(b)
	for _, p := range []string{
		"{order: fifo}", "{order: fifo, backfill: greedy}", "{order: fifo, backfill: easy}", "{order: fifo, backfill: conservative}",
		"{order: srtf, backfill: greedy, preemption: checkpoint}",
		"{order: {name: tiresias, queues: [3600, 36000]}, backfill: greedy, preemption: checkpoint}",
	} {
		b.Run(strings.NewReplacer(" ", "", "{", "", "}", "").Replace(p), func(b *testing.B) {
			benchScenario(b, fmt.Sprintf(`{apiVersion: gpusim/v1, kind: Scenario, name: philly, cluster: {nodes: [{count: 31, name: n, gpus: 8}, {name: half, gpus: 4}]},
workload: {trace: {format: csv, path: %q, columns: {submit: timestamp, duration: duration, gpus: num_gpus, queue: cluster}, time_format: "2006-01-02 15:04:05"}}, policy: %s}`, path, p), table.CSV)
		})
	}
}

// BenchmarkMillion is 1,000,000 generated jobs (Philly-like sizes) at 90 % load
// under fifo + easy + best-fit, jobs and attempts in CSV and Parquet.
func BenchmarkMillion(b *testing.B) {
	for _, gpus := range []int{1000, 10000} {
		path := filepath.Join(b.TempDir(), "jobs.csv")
		generateNative(b, path, 1_000_000, gpus)
		b.Run(fmt.Sprint(gpus, "GPUs"), func(b *testing.B) {
			benchScenario(b, fmt.Sprintf(`{apiVersion: gpusim/v1, kind: Scenario, name: million, cluster: {nodes: [{count: %d, name: n, gpus: 8}]},
workload: {trace: {format: native, path: %q}}, policy: {backfill: easy, placement: best-fit}, reports: {tables: [jobs, attempts]}}`, gpus/8, path), table.CSV, table.Parquet)
		})
	}
}

// generateNative writes made-up jobs: Poisson arrivals, lognormal run times,
// Philly-like sizes, estimates one to ten times the run time.
func generateNative(b *testing.B, path string, n, gpus int) {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	sizes, weights := []int{1, 2, 4, 8, 16, 32}, []float64{.75, .1, .06, .06, .02, .01}
	mean := 0.0
	for i, s := range sizes {
		mean += weights[i] * float64(s)
	}
	mu, sd := math.Log(600), 1.2
	gap := mean * math.Exp(mu+sd*sd/2) / (.9 * float64(gpus))
	r := event.Stream(7, "bench", 0)
	now := 0.0
	fmt.Fprintln(w, "job_id,submit_s,run_s,gpus,user,time_limit_s")
	for i := 0; i < n; i++ {
		now += r.ExpFloat64() * gap
		u, size := r.Float64(), 32
		for k, p := range weights {
			if u -= p; u < 0 {
				size = sizes[k]
				break
			}
		}
		d := math.Ceil(math.Exp(mu + sd*r.NormFloat64()))
		fmt.Fprintf(w, "j%d,%.3f,%.0f,%d,u%d,%.0f\n", i, now, d, size, r.IntN(300), d*(1+9*r.Float64()))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
