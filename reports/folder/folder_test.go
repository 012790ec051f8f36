package folder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gpusim/reports/table"
)

var jobs = table.Schema{Name: "jobs", Columns: []table.Column{{Name: "job_id", Kind: table.Text}, {Name: "submit_s", Kind: table.Seconds}}}

// names lists a folder, hidden entries included.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func create(t *testing.T, dir string, force bool) *Folder {
	t.Helper()
	f, err := Create(dir, force)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fill writes a small run.
func fill(t *testing.T, f *Folder, formats ...table.Format) {
	t.Helper()
	sink, err := f.Table(jobs, formats)
	if err != nil {
		t.Fatal(err)
	}
	b := sink.Batch()
	b.Text(0, "a")
	b.Seconds(1, 1_500_000_000)
	b.EndRow()
	if err := f.WriteJSON("summary.json", map[string]any{"format": Format, "scenario": "a<b"}); err != nil {
		t.Fatal(err)
	}
}

func TestFolderAppearsWithCommit(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "run")
	f := create(t, dir, false)
	fill(t, f, table.CSV)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("before Commit: %v", err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); got != "run" {
		t.Errorf("the parent holds %s", got)
	}
	if got := names(t, dir); got != "jobs.csv summary.json" {
		t.Errorf("the folder holds %s", got)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "jobs.csv"))
	if string(data) != "job_id,submit_s\na,1.5\n" {
		t.Errorf("jobs.csv holds %q", data)
	}
	if err := f.Abort(); err != nil {
		t.Errorf("Abort after Commit: %v", err)
	}
	if got := names(t, parent); got != "run" {
		t.Errorf("after Abort the parent holds %s", got)
	}
	if err := f.Commit(); err == nil {
		t.Error("a second Commit is accepted")
	}
	if err := f.WriteFile("x", nil); err == nil {
		t.Error("a file is accepted after Commit")
	}
	if _, err := f.Table(jobs, nil); err == nil {
		t.Error("a table is accepted after Commit")
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	f := create(t, filepath.Join(parent, "a/b/run"), false)
	fill(t, f, table.Formats()...)
	if err := f.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); got != "" {
		t.Errorf("the parent holds %s", got)
	}
}

// A process that dies neither commits nor aborts.
func TestCrashLeavesNothingAtThePlace(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "run")
	f := create(t, dir, false)
	fill(t, f, table.CSV)
	if err := f.closeTables(); err != nil {
		t.Fatal(err)
	}
	left := names(t, parent)
	if !strings.HasPrefix(left, ".run.partial-") || strings.Contains(left, " ") {
		t.Fatalf("the parent holds %s", left)
	}
	if _, err := Open(filepath.Join(parent, left)); !errors.Is(err, ErrUnfinished) {
		t.Errorf("opening what is left: %v", err)
	}
	again := create(t, dir, false)
	fill(t, again, table.CSV)
	if err := again.Commit(); err != nil {
		t.Errorf("the next run: %v", err)
	}
}

func TestNotEmptyNeedsForce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.MkdirAll(filepath.Join(dir, "old/deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, false); !errors.Is(err, ErrNotEmpty) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("error %v", err)
	}
	f := create(t, dir, true)
	fill(t, f, table.CSV)
	if got := names(t, dir); got != "old" {
		t.Errorf("before Commit the folder holds %s", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "jobs.csv summary.json" {
		t.Errorf("the folder holds %s", got)
	}
	if got := names(t, filepath.Dir(dir)); got != "run" {
		t.Errorf("the parent holds %s", got)
	}
}

func TestForceAbortedKeepsTheOld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	os.MkdirAll(filepath.Join(dir, "old"), 0o777)
	f := create(t, dir, true)
	fill(t, f, table.CSV)
	if err := f.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir) + names(t, filepath.Dir(dir)); got != "oldrun" {
		t.Errorf("left are %s", got)
	}
}

func TestForceDoesNotTakeTheCurrentFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	os.MkdirAll(filepath.Join(dir, "src"), 0o777)
	t.Chdir(filepath.Join(dir, "src"))
	if _, err := Create(dir, true); !errors.Is(err, ErrTooMuch) {
		t.Errorf("error %v", err)
	}
	t.Setenv("HOME", filepath.Join(dir, "src"))
	t.Chdir(t.TempDir())
	if _, err := Create(dir, true); !errors.Is(err, ErrTooMuch) {
		t.Errorf("home: error %v", err)
	}
}

func TestEmptyFolderIsTaken(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir, false)
	fill(t, f, table.CSV)
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "jobs.csv summary.json" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestLinkToAFolderStaysALink(t *testing.T) {
	parent := t.TempDir()
	os.Mkdir(filepath.Join(parent, "real"), 0o777)
	if err := os.Symlink("real", filepath.Join(parent, "link")); err != nil {
		t.Skip(err)
	}
	f := create(t, filepath.Join(parent, "link"), false)
	fill(t, f, table.CSV)
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(parent, "real")); got != "jobs.csv summary.json" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestAFileIsInTheWay(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	os.WriteFile(file, []byte("keep"), 0o666)
	for _, force := range []bool{false, true} {
		if _, err := Create(file, force); !errors.Is(err, ErrNotADir) {
			t.Errorf("force %v: error %v", force, err)
		}
	}
	if _, err := Create(filepath.Join(file, "run"), false); err == nil {
		t.Error("a folder below a file is accepted")
	}
	f := create(t, filepath.Join(parent, "late"), true)
	os.WriteFile(filepath.Join(parent, "late"), []byte("keep"), 0o666)
	if err := f.Commit(); !errors.Is(err, ErrNotADir) {
		t.Errorf("a file that came later: error %v", err)
	}
	if data, _ := os.ReadFile(filepath.Join(parent, "late")); string(data) != "keep" {
		t.Error("the file is gone")
	}
	if got := names(t, parent); got != "file late" {
		t.Errorf("the parent holds %s", got)
	}
	if _, err := Create("", false); err == nil {
		t.Error("an empty name is accepted")
	}
}

func TestParentThatMayNotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	parent := t.TempDir()
	os.Chmod(parent, 0o555)
	defer os.Chmod(parent, 0o755)
	if _, err := Create(filepath.Join(parent, "run"), false); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// Commit cannot rename when the folder it wrote is gone; that stands for every
// failure of the rename, for root too.
func TestFailedCommitCleansUpAndKeepsTheOld(t *testing.T) {
	for _, force := range []bool{false, true} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "run")
		want := ""
		if force {
			os.MkdirAll(filepath.Join(dir, "old"), 0o777)
			want = "run"
		}
		f := create(t, dir, force)
		os.RemoveAll(f.temp)
		if err := f.Commit(); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("force %v: error %v", force, err)
		}
		if got := names(t, parent); got != want {
			t.Errorf("force %v: the parent holds %q", force, got)
		}
		if force && names(t, dir) != "old" {
			t.Error("the old folder is not back")
		}
	}
}

func TestBadTableFailsTheCommit(t *testing.T) {
	parent := t.TempDir()
	f := create(t, filepath.Join(parent, "run"), false)
	sink, err := f.Table(jobs, table.Formats())
	if err != nil {
		t.Fatal(err)
	}
	sink.Batch().EndRow()
	if err := f.Commit(); err == nil || !strings.Contains(err.Error(), "column job_id is not set") {
		t.Errorf("error %v", err)
	}
	if got := names(t, parent); got != "" {
		t.Errorf("the parent holds %s", got)
	}
}

func TestOnlyOneOfManyWins(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "a/run")
	var wg sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wg.Go(func() {
			f, err := Create(dir, false)
			if err == nil {
				err = errors.Join(f.WriteJSON("summary.json", map[string]any{"format": Format, "n": i}), f.Commit())
			}
			errs[i] = err
		})
	}
	wg.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("%d and %d both won", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, ErrNotEmpty):
			t.Errorf("%d: %v", i, err)
		}
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ N int }
	if err := r.Summary(&v); err != nil || v.N != winner {
		t.Errorf("%d won and the folder is of %d, %v", winner, v.N, err)
	}
	if got := names(t, parent) + names(t, filepath.Dir(dir)); got != "arun" {
		t.Errorf("left are %s", got)
	}
}
