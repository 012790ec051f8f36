package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fragile is a scenario whose figures depend on the seed: random placement
// strews small jobs, and those that want a whole node wait for one.
func fragile(t *testing.T) string {
	var b strings.Builder
	b.WriteString("apiVersion: gpusim/v1\nkind: Scenario\nname: fragile\ncluster:\n  nodes:\n    - {count: 4, name: n, gpus: 4}\nworkload:\n  jobs:\n")
	for i := range 40 {
		gpus, nodes := 1, ""
		if i%4 == 3 {
			gpus, nodes = 4, ", nodes: 1"
		}
		fmt.Fprintf(&b, "    - {id: j%d, submit: %ds, duration: %ds, gpus: %d%s}\n", i, 20*i, 100+37*(i*i%11), gpus, nodes)
	}
	b.WriteString("policy: {placement: random, backfill: greedy}\n")
	return file(t, "fragile.yaml", b.String())
}

func TestCompareTable(t *testing.T) {
	r := gpusim(t, "compare", "quickstart", "--vary", "policy.backfill=none,easy").must(t)
	r.says(t, r.out, "quickstart: 2 variants, seed 1", "wait_s.mean", "bounded_slowdown.mean", "gpu.allocation_ratio", "preemptions",
		"340.1 %", "75.0 %", "difference from policy.backfill=none", "-14310", "one seed gives no intervals")
	if strings.Contains(r.out, "±") {
		t.Errorf("an interval from one seed:\n%s", r.out)
	}
	r = gpusim(t, "compare", fragile(t), "--vary", "policy.placement=random,pack", "--seeds", "1..6", "--metric", "wait_s.mean,makespan_s").must(t)
	r.says(t, r.out, "seeds 1 to 6", "±", "95 % confidence interval (Student t, 5 degrees of freedom)")
	if strings.Contains(r.err, "nothing here depends on the seed") {
		t.Error(r.err)
	}
}

func TestCompareWarns(t *testing.T) {
	quiet := file(t, "quiet.yaml", "apiVersion: gpusim/v1\nkind: Scenario\nname: quiet\ncluster:\n  nodes:\n    - {name: n, gpus: 8}\nworkload:\n  jobs:\n    - {id: a, duration: 1h, gpus: 1}\n    - {id: b, submit: 30m, duration: 1h, gpus: 1}\n    - {id: c, submit: 1h, duration: 1h, gpus: 99}\n")
	r := gpusim(t, "compare", quiet, "--vary", "policy.order=fifo,sjf", "--seeds", "1..2").must(t)
	r.says(t, r.err, "little evidence", "nothing here depends on the seed", "1 of 3 jobs were rejected")
	if n := strings.Count(r.err, "rejected:"); n != 1 {
		t.Errorf("the same warning stands %d times:\n%s", n, r.err)
	}
	r = gpusim(t, "compare", quiet, "--vary", "cluster.nodes[0].gpus=1,8").must(t)
	r.says(t, r.err, "little evidence (variant cluster.nodes[0].gpus=8)")
}

func TestCompareJSONAgreesWithRun(t *testing.T) {
	sc := fragile(t)
	doc := gpusim(t, "compare", sc, "--vary", "policy.placement=random,pack", "--vary", "policy.order=fifo,sjf", "--seeds", "4..5", "--output", "json", "--metric", "wait_s.mean").object(t)
	same(t, "seeds", at(t, doc, "seeds"), []int{4, 5})
	for i, v := range [][2]string{{"random", "fifo"}, {"random", "sjf"}, {"pack", "fifo"}, {"pack", "sjf"}} {
		same(t, "placement", at(t, doc, "variants", i, "settings", 0, "value"), v[0])
		same(t, "order", at(t, doc, "variants", i, "settings", 1, "value"), v[1])
		sum := 0.0
		for j, seed := range []string{"4", "5"} {
			one := gpusim(t, "run", sc, "--set", "policy.placement="+v[0], "--set", "policy.order="+v[1], "--seed", seed, "--output", "json").object(t)
			want := at(t, one, "wait_s", "mean")
			same(t, "wait", at(t, doc, "variants", i, "figures", 0, "values", j), want)
			sum += want.(float64)
		}
		same(t, "mean", at(t, doc, "variants", i, "figures", 0, "mean"), sum/2)
	}
	same(t, "differences of the first", at(t, doc, "variants", 0, "differences"), []any{})
	a, b := at(t, doc, "variants", 0, "figures", 0, "values", 0).(float64), at(t, doc, "variants", 2, "figures", 0, "values", 0).(float64)
	same(t, "difference", at(t, doc, "variants", 2, "differences", 0, "values", 0), b-a)
}

func TestCompareFolder(t *testing.T) {
	sc := fragile(t)
	written := func(cores int) (map[string]string, string) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		dir := filepath.Join(t.TempDir(), "out")
		args := []string{"compare", sc, "--vary", "policy.placement=random,pack,spread", "--vary", "policy.preemption=none", "--seeds", "1..4", "-o", dir}
		gpusim(t, args...).must(t)
		gpusim(t, args...).refused(t, "not empty", "--force")
		gpusim(t, append(args, "--force")...).must(t)
		files := map[string]string{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[e.Name()] = string(b)
		}
		return files, dir
	}
	one, dir := written(1)
	two, _ := written(2)
	same(t, "one core and two", one, two)
	same(t, "files", keys(map[string]any{"compare.csv": 0, "compare.json": 0, "variant-1.yaml": 0, "variant-2.yaml": 0, "variant-3.yaml": 0}), sortedNames(one))
	gpusim(t, "run", filepath.Join(dir, "variant-3.yaml"), "--quiet").must(t)
	if !strings.Contains(one["variant-3.yaml"], "spread") || !strings.Contains(one["variant-3.yaml"], "seed: 1") {
		t.Errorf("variant 3 reads:\n%s", one["variant-3.yaml"])
	}
	rows, err := csv.NewReader(strings.NewReader(one["compare.csv"])).ReadAll()
	if err != nil || len(rows) != 1+3*(2+8) {
		t.Errorf("%d rows of compare.csv, %v", len(rows), err)
	}
	same(t, "head", rows[0][:5], []string{"variant", "policy.placement", "policy.preemption", "metric", "n"})
	for form, name := range map[string]string{"csv": "compare.csv", "json": "compare.json"} {
		r := gpusim(t, "compare", sc, "--vary", "policy.placement=random,pack,spread", "--vary", "policy.preemption=none", "--seeds", "1..4", "--output", form).must(t)
		same(t, name, r.out, one[name])
	}
}

func sortedNames(m map[string]string) []string {
	all := map[string]any{}
	for k := range m {
		all[k] = nil
	}
	return keys(all)
}

func TestCompareRefuses(t *testing.T) {
	gpusim(t, "compare", "quickstart").refused(t, "nothing varies", "--vary PATH=")
	gpusim(t, "compare", "--vary", "a=b").refused(t, "compare needs one SCENARIO")
	gpusim(t, "compare", "quickstart", "--vary", "policy.order=fifo,sjf", "--vary", "policy.order=las").refused(t, "policy.order is given twice")
	gpusim(t, "compare", "quickstart", "--vary", "policy.order=fifo,sjf", "--metric", "wait_s").refused(t, "--metric wait_s", "group")
	gpusim(t, "compare", "quickstart", "--vary", "policy.order=fifo,sjf", "--seeds", "9..1").refused(t, "--seeds 9..1")
	gpusim(t, "compare", "quickstart", "--vary", "policy.order=fifo,sjf", "--output", "yaml").refused(t, "table or json or csv")
	gpusim(t, "compare", "nothing", "--vary", "policy.order=fifo,sjf").refused(t, "no file nothing")

	r := gpusim(t, "compare", "quickstart", "--vary", "policy.order=fifo,srtff", "--vary", "policy.backfill=none,eassy")
	r.refused(t, "variant policy.order=fifo policy.backfill=eassy: ", "did you mean easy?", "variant policy.order=srtff policy.backfill=none: ", "did you mean srtf?")
	if strings.Contains(r.err, "policy.order=fifo policy.backfill=none") {
		t.Errorf("a valid variant is named:\n%s", r.err)
	}
	// What is wrong with all variants alike is said once.
	r = gpusim(t, "compare", "quickstart", "--set", "policy.placement=pak", "--vary", "policy.order=fifo,sjf")
	r.refused(t, "did you mean pack?")
	if strings.Contains(r.err, "variant") {
		t.Error(r.err)
	}
}

func TestCompareReadsStandardInputOnce(t *testing.T) {
	text, err := os.ReadFile(fragile(t))
	if err != nil {
		t.Fatal(err)
	}
	r := gpusimWith(t, string(text), "compare", "-", "--vary", "policy.order=fifo,sjf").must(t)
	r.says(t, r.out, "fragile: 2 variants")
}
