package sim_test

import (
	"bufio"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpusim/policies/assembly"
	"gpusim/sim/event"
	"gpusim/workloads"
)

// shared returns a path below the shared data, which lies beside the
// repository. Without it the test is skipped, but fails in CI.
func shared(t testing.TB, path string) string {
	t.Helper()
	p := filepath.Join("..", "..", "shared", "data", path)
	if _, err := os.Stat(p); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the shared data are not there: %v", err)
		}
		t.Skipf("skipped: the shared data are not there (%s)", path)
	}
	return p
}

// swf reads the few fields that the reference results need, on its own.
func swf(t testing.TB, path string) []*workloads.Job {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var jobs []*workloads.Job
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if strings.HasPrefix(sc.Text(), ";") || strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		w := strings.Fields(sc.Text())
		num := func(i int) int {
			v, err := strconv.Atoi(w[i])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		j := J(w[0], num(1), num(3), num(4))
		if num(8) > 0 {
			j.HasLimit, j.TimeLimit = true, event.Time(num(8))*event.Second
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// TestReferenceStarts compares every start time with an independent reference.
func TestReferenceStarts(t *testing.T) {
	dir := shared(t, "traces/swf")
	for _, log := range []string{"made3k-exact", "made3k-user"} {
		jobs := swf(t, filepath.Join(dir, log+".swf"))
		for _, c := range []struct {
			name, backfill string
			event          bool
		}{
			{"fcfs.instant", "none", false}, {"fcfs.event", "none", true},
			{"easy.instant", "easy", false}, {"easy.event", "easy", true},
			{"cons.instant", "conservative", false},
		} {
			for _, nodes := range [][]int{{192}, eights(24)} {
				t.Run(log+"."+c.name+"."+strconv.Itoa(len(nodes)), func(t *testing.T) {
					want := starts(t, filepath.Join(dir, log+"."+c.name+".csv"))
					_, got := setup{nodes: nodes, jobs: jobs, recipe: recipe("fifo", c.backfill, "first-fit", "none"), perEv: c.event, noDebug: true}.run(t)
					bad := 0
					for _, j := range jobs {
						if w := want[j.ID]; got[j.ID].start != w {
							if bad++; bad < 4 {
								t.Errorf("job %s starts at %d, reference %d", j.ID, got[j.ID].start/event.Second, w/event.Second)
							}
						}
					}
					if bad > 0 {
						t.Errorf("%d of %d jobs differ", bad, len(jobs))
					}
				})
			}
		}
	}
}

func eights(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = 8
	}
	return s
}

func starts(t *testing.T, path string) map[string]event.Time {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]event.Time{}
	for _, r := range rows[1:] {
		v, err := strconv.ParseInt(r[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		m[r[0]] = event.Time(v) * event.Second
	}
	return m
}

// TestTiresiasTable reproduces the published simulator's results on its own
// 60-job trace: mean JCT, makespan and preemptions.
func TestTiresiasTable(t *testing.T) {
	f, err := os.Open(shared(t, "traces/tiresias/60_job.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*workloads.Job
	for _, r := range rows[1:] {
		num := func(i int) int { v, _ := strconv.Atoi(r[i]); return v }
		jobs = append(jobs, J(r[0], num(2), num(5), num(1)))
	}
	type result struct {
		jct         string
		makespan    event.Time
		preemptions uint64
	}
	for _, c := range []struct {
		name      string
		recipe    assembly.Recipe
		big, tiny result
	}{
		{"fifo", recipe("fifo", "none", "first-fit", "none"), result{"200.8167", 3335, 0}, result{"1556.4833", 5747, 0}},
		{"fit-first", recipe("fifo", "greedy", "first-fit", "none"), result{"190.6833", 3271, 0}, result{"715.2667", 4806, 0}},
		{"smallest-first", recipe("smallest-first", "greedy", "first-fit", "checkpoint"), result{"198.2000", 3271, 8}, result{"725.7000", 4806, 8}},
		{"srtf", recipe("srtf", "greedy", "first-fit", "checkpoint"), result{"192.1167", 3271, 4}, result{"519.8667", 4901, 7}},
		{"srsf", recipe("srsf", "greedy", "first-fit", "checkpoint"), result{"195.9000", 3315, 7}, result{"563.3833", 4962, 13}},
	} {
		for _, n := range []struct {
			nodes []int
			want  result
		}{{[]int{8, 8}, c.big}, {[]int{4, 4, 4, 4}, c.big}, {[]int{8}, c.tiny}} {
			res, got := setup{nodes: n.nodes, jobs: jobs, recipe: c.recipe}.run(t)
			sum := 0.0
			for _, j := range jobs {
				sum += float64(got[j.ID].end-j.Submit) / float64(event.Second)
			}
			is := result{strconv.FormatFloat(sum/60, 'f', 4, 64), (res.End - 0) / event.Second, res.Preemptions}
			if is != n.want {
				t.Errorf("%s on %v: %+v, published %+v", c.name, n.nodes, is, n.want)
			}
		}
	}
}
