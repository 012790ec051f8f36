package scenarios

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"testing"
	"time"

	"gpusim/sim/event"
)

// ref is a job of the reference below: plain numbers, nanoseconds.
type ref struct {
	at, run    int64
	gpus       int
	start, end int64
	left       int64 // preemptive: still to run
	on         bool
	vc         string
}

// sharedFile finds a file of the shared data.
func sharedFile(t testing.TB, path ...string) string {
	t.Helper()
	p, err := filepath.Abs(filepath.Join(append([]string{"..", "..", "shared", "data"}, path...)...))
	if err == nil {
		_, err = os.Stat(p)
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("skipped: the shared data are not there")
	}
	return p
}

// readPhilly reads the table on its own: in order of submission, equal times in
// the order of the file.
func readPhilly(t testing.TB, path string) []*ref {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(z)
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	var jobs []*ref
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse("2006-01-02 15:04:05", row[0])
		if err != nil {
			t.Fatal(err)
		}
		run, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		gpus, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, &ref{at: at.Unix() * 1e9, run: int64(run * 1e9), gpus: gpus, vc: row[4]})
	}
	sort.SliceStable(jobs, func(i, j int) bool { return jobs[i].at < jobs[j].at })
	first := jobs[0].at
	for _, j := range jobs {
		j.at -= first
		j.left = j.run
	}
	return jobs
}

// queueReference is fifo on a number of GPUs: strict, or with greedy or EASY
// backfilling by exact run times. It walks the whole queue at every instant.
func queueReference(jobs []*ref, gpus int, backfill string) {
	var queue, running []*ref
	free, next := gpus, 0
	for next < len(jobs) || len(running) > 0 {
		now := int64(1<<63 - 1)
		if next < len(jobs) {
			now = jobs[next].at
		}
		for _, j := range running {
			now = min(now, j.end)
		}
		kept := running[:0]
		for _, j := range running {
			if j.end == now {
				free += j.gpus
			} else {
				kept = append(kept, j)
			}
		}
		running = kept
		for next < len(jobs) && jobs[next].at == now {
			queue = append(queue, jobs[next])
			next++
		}
		var waiting []*ref
		shadow, extra, blocked := int64(0), 0, false
		for i, j := range queue {
			ok := j.gpus <= free
			if blocked && ok && backfill == "easy" {
				if now+j.run > shadow {
					if ok = j.gpus <= extra; ok {
						extra -= j.gpus
					}
				}
			}
			if !ok {
				waiting = append(waiting, j)
				if !blocked {
					blocked = true
					if backfill == "none" {
						waiting = append(waiting, queue[i+1:]...)
						break
					}
					ends := append([]*ref(nil), running...)
					sort.Slice(ends, func(a, b int) bool { return ends[a].end < ends[b].end })
					avail := free
					for _, r := range ends {
						if avail >= j.gpus && r.end > shadow {
							break
						}
						avail += r.gpus
						if avail-r.gpus < j.gpus {
							shadow = r.end
						}
					}
					extra = avail - j.gpus
				}
				continue
			}
			j.start, j.end = now, now+j.run
			free -= j.gpus
			running = append(running, j)
		}
		queue = waiting
	}
}

func timeLeft(j *ref) int64    { return j.left }
func serviceLeft(j *ref) int64 { return j.left / 1e6 * int64(j.gpus) }
func size(j *ref) int64        { return int64(j.gpus) }

// remainingReference is an order with free preemption (time left: srtf; time left
// x GPUs: srsf; GPUs: smallest-first): a stable sort of all unfinished jobs by
// the key at every instant. The published simulator (Tiresias,
// run_sim.py) sorts by the key alone; our rule adds that at the same key a
// running job stands before a waiting one.
func remainingReference(jobs []*ref, gpus int, key func(*ref) int64, published bool) {
	var list []*ref
	next := 0
	now := int64(0)
	for _, j := range jobs {
		j.start = -1
	}
	for next < len(jobs) || len(list) > 0 {
		then := int64(1<<63 - 1)
		if next < len(jobs) {
			then = jobs[next].at
		}
		for _, j := range list {
			if j.on {
				then = min(then, now+j.left)
			}
		}
		kept := list[:0]
		for _, j := range list {
			if j.on {
				j.left -= then - now
			}
			if j.on && j.left == 0 {
				j.end = then
			} else {
				kept = append(kept, j)
			}
		}
		list, now = kept, then
		for next < len(jobs) && jobs[next].at == now {
			list = append(list, jobs[next])
			next++
		}
		sort.SliceStable(list, func(a, b int) bool {
			if x, y := key(list[a]), key(list[b]); x != y || published {
				return x < y
			}
			return list[a].on && !list[b].on
		})
		free := gpus
		for _, j := range list {
			j.on = j.gpus <= free
			if j.on {
				free -= j.gpus
				if j.start < 0 {
					j.start = now
				}
			}
		}
	}
}

// TestPhillyAgainstReference compares every start and end of the 57,584 jobs
// with a reference that shares no code with the engine. Each case states its
// load and the share of jobs that waited.
func TestPhillyAgainstReference(t *testing.T) {
	path := sharedFile(t, "traces", "philly-jobs", "philly_dev_vcs.csv.gz")
	for _, c := range []struct {
		nodes  int
		policy string
		ref    func([]*ref, int)
	}{
		{32, "{order: fifo}", func(j []*ref, n int) { queueReference(j, n, "none") }},
		{32, "{order: fifo, backfill: greedy}", func(j []*ref, n int) { queueReference(j, n, "greedy") }},
		{32, "{order: fifo, backfill: easy}", func(j []*ref, n int) { queueReference(j, n, "easy") }},
		{32, "{order: srtf, backfill: greedy, preemption: checkpoint}", func(j []*ref, n int) { remainingReference(j, n, timeLeft, false) }},
		{32, "{order: srsf, backfill: greedy, preemption: checkpoint}", func(j []*ref, n int) { remainingReference(j, n, serviceLeft, false) }},
	} {
		t.Run(c.policy, func(t *testing.T) {
			if testing.Short() {
				t.Skip("skipped: the reference walks the whole queue at every instant")
			}
			t.Parallel()
			jobs := readPhilly(t, path)
			s, err := Parse("philly", ".", []byte(fmt.Sprintf(`{apiVersion: gpusim/v1, kind: Scenario, name: philly, cluster: {nodes: [{count: %d, name: n, gpus: 8}]},
workload: {trace: {format: csv, path: %q, columns: {submit: timestamp, duration: duration, gpus: num_gpus}, time_format: "2006-01-02 15:04:05"}}, policy: %s}`, c.nodes, path, c.policy)), nil)
			if err != nil {
				t.Fatal(err)
			}
			out, err := s.Run(RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			c.ref(jobs, 8*c.nodes)
			bad := 0
			for i, j := range jobs {
				r := out.Recorder.Row(i)
				if r.Start != event.Time(j.start) || r.End != event.Time(j.end) {
					if bad++; bad < 4 {
						t.Errorf("job %s: %d to %d, reference %d to %d", out.Recorder.ID(i), r.Start, r.End, j.start, j.end)
					}
				}
			}
			if bad > 0 {
				t.Errorf("%d of %d jobs differ", bad, len(jobs))
			}
			waited, err := out.Summary.Waited.Float64()
			if err != nil || waited < 0.1 {
				t.Errorf("only %v of the jobs waited: this is no evidence", *out.Summary.Waited)
			}
			t.Logf("offered load %s, %s of the jobs waited", *out.Summary.OfferedLoad, *out.Summary.Waited)
		})
	}
}

// TestVirtualClustersAsPublished runs every virtual cluster of the table by
// itself, sized for about 90 % load, under the five policies of the published
// simulator, and compares every job with its rules.
func TestVirtualClustersAsPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: the reference sorts all jobs at every instant")
	}
	path := sharedFile(t, "traces", "philly-jobs", "philly_dev_vcs.csv.gz")
	vcs := map[string][]*ref{}
	for _, j := range readPhilly(t, path) {
		vcs[j.vc] = append(vcs[j.vc], j)
	}
	var names []string
	for vc := range vcs {
		names = append(names, vc)
	}
	sort.Strings(names)
	for _, vc := range names {
		t.Run(vc, func(t *testing.T) {
			t.Parallel()
			jobs := vcs[vc]
			service, widest := int64(0), 0
			first := jobs[0].at
			for _, j := range jobs {
				j.at -= first
				service += j.run / 1e9 * int64(j.gpus)
				widest = max(widest, j.gpus)
			}
			span := max(jobs[len(jobs)-1].at/1e9, 1)
			nodes := max((int(float64(service)/float64(span)/.9)+7)/8, (widest+7)/8)
			for _, c := range []struct {
				policy string
				ref    func([]*ref, int)
			}{
				{"{order: fifo}", func(j []*ref, n int) { queueReference(j, n, "none") }},
				{"{order: fifo, backfill: greedy}", func(j []*ref, n int) { queueReference(j, n, "greedy") }},
				{"{order: smallest-first, backfill: greedy, preemption: checkpoint}", func(j []*ref, n int) { remainingReference(j, n, size, true) }},
				{"{order: srtf, backfill: greedy, preemption: checkpoint}", func(j []*ref, n int) { remainingReference(j, n, timeLeft, true) }},
				{"{order: srsf, backfill: greedy, preemption: checkpoint}", func(j []*ref, n int) { remainingReference(j, n, serviceLeft, true) }},
			} {
				s, err := Parse("vc", ".", []byte(fmt.Sprintf(`{apiVersion: gpusim/v1, kind: Scenario, name: vc, cluster: {nodes: [{count: %d, name: n, gpus: 8}]},
workload: {trace: {format: csv, path: %q, where: {cluster: %q}, columns: {submit: timestamp, duration: duration, gpus: num_gpus}, time_format: "2006-01-02 15:04:05"}}, policy: %s}`, nodes, path, vc, c.policy)), nil)
				if err != nil {
					t.Fatal(err)
				}
				out, err := s.Run(RunOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if out.Recorder.Len() != len(jobs) {
					t.Fatalf("%d jobs, the table has %d", out.Recorder.Len(), len(jobs))
				}
				for _, j := range jobs {
					j.left, j.on = j.run, false
				}
				c.ref(jobs, 8*nodes)
				bad := 0
				for i, j := range jobs {
					if r := out.Recorder.Row(i); r.Start != event.Time(j.start) || r.End != event.Time(j.end) {
						bad++
					}
				}
				if bad > 0 {
					t.Errorf("%s on %d GPUs: %d of %d jobs differ", c.policy, 8*nodes, bad, len(jobs))
				}
				load := "no"
				if out.Summary.OfferedLoad != nil {
					load = string(*out.Summary.OfferedLoad)
				}
				t.Logf("%s on %d GPUs: load %.5s, %.5s of %d jobs waited", c.policy, 8*nodes, load, string(*out.Summary.Waited), len(jobs))
			}
		})
	}
}
