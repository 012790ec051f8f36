package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutations are faults planted one at a time in the source. Each must make
// `gpusim check` over the built-in scenarios fail, or the scenarios do not
// guard what they seem to.
var mutations = []struct{ name, file, old, new string }{
	{"a tie breaks the wrong way", "policies/queue/groups.go", "return a.Index < b.Index", "return a.Index > b.Index"},
	{"a round after every end", "sim/run.go", "if !k.cfg.RoundPerEvent || last {", "if last {"},
	{"submissions before ends", "sim/run.go", "if !ok || at != k.now {\n				break", "if !ok || at != k.now || k.next != nil && k.next.Submit == k.now {\n				break"},
	{"EASY counts one GPU too many beside the first job", "policies/backfill/easy.go", "sum - head.Req.GPUs // free", "sum - head.Req.GPUs + 1 // free"},
	{"EASY lets a job end just after the shadow", "policies/backfill/easy.go", "window := shadow - r.Now\n	extra", "window := shadow - r.Now + 60e9\n	extra"},
	{"conservative looks a little less far than the job is long", "policies/backfill/profile.go", "ps[k].at >= end {", "ps[k].at >= end-12e9 {"},
	{"a GPU is not given back", "sim/cluster/change.go", "idle += int32(bits.OnesCount64(ch.Mask))", "idle += int32(bits.OnesCount64(ch.Mask &^ 8))"},
	{"preempted work is not lost", "sim/execution.go", "	j.Left = j.Kept\n", "	j.Kept = j.Left\n"},
	{"a restart costs nothing", "sim/lifecycle.go", "j.Pause = restart", "j.Pause = 0 * restart"},
	{"a grace time is not given", "sim/lifecycle.go", "at := k.now + k.cfg.Preemption.Grace", "at := k.now + k.cfg.Preemption.Grace/2"},
	{"the guard of a young job is short", "policies/preemption/walk.go", "return now-j.LastStart < w.how.MinRun", "return now-j.LastStart < w.how.MinRun/2"},
	{"strict order is not strict", "policies/backfill/none.go", "s.behind(r, l, head)\n				break", "l.groups.Remove(head)\n				defer l.groups.Insert(head)"},
	{"tiresias leaves a queue late", "policies/order/tiresias.go", "l) < 1 {", "l) < 2 {"},
	{"tiresias never promotes", "policies/order/tiresias.go", "if o.promote == 0 ||", "if true ||"},
	{"an array runs one element too many", "sim/holds.go", "a.active >= j.Spec.Throttle", "a.active > j.Spec.Throttle"},
	{"a dependency is met too early", "sim/holds.go", "if d.left--; d.left > 0 {", "if d.left--; d.left > 1 {"},
	{"best fit takes the emptiest node", "policies/placement/bestfit.go", "return p.s.Tightest(j.Req, need)", "return p.s.Emptiest(j.Req, need)"},
	{"CPU is not counted", "sim/cluster/fit.go", "u = min(u, r.units(cpu, r.CPU))", "u = min(u, r.units(cpu, 1))"},
	{"sjf sorts backwards", "policies/order/sjf.go", "int64(j.Estimate())", "-int64(j.Estimate())"},
	{"waiting jobs preempt their equals", "policies/preemption/walk.go", "next.Key.Less(w.ranked[i].Key))", "!w.ranked[i].Key.Less(next.Key))"},
}

func TestMutationsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds the program once for each mutation")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	build := func(t *testing.T, overlay string) string {
		bin := filepath.Join(t.TempDir(), "gpusim")
		args := []string{"build", "-o", bin}
		if overlay != "" {
			args = append(args, "-overlay", overlay)
		}
		cmd := exec.Command("go", append(args, "./cmd/gpusim")...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building: %v\n%s", err, out)
		}
		return bin
	}
	check := func(bin string) (string, error) {
		cmd := exec.Command(bin, "check", "scenarios/builtin")
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check(build(t, "")); err != nil {
		t.Fatalf("without a mutation: %v\n%s", err, out)
	}
	for _, m := range mutations {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(root, filepath.FromSlash(m.file))
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(src), m.old); n != 1 {
				t.Fatalf("%q stands %d times in %s; bring the mutation up to date", m.old, n, m.file)
			}
			dir := t.TempDir()
			mutant := filepath.Join(dir, "mutant.go")
			if err := os.WriteFile(mutant, []byte(strings.Replace(string(src), m.old, m.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay := filepath.Join(dir, "overlay.json")
			b, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(overlay, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := check(build(t, overlay)); err == nil {
				t.Errorf("the mutation goes unnoticed:\n%s", out)
			}
		})
	}
}
