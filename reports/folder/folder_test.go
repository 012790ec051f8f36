package folder

import (
	"errors"
	"fmt"
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

func TestWriteFileStaysInside(t *testing.T) {
	f := create(t, filepath.Join(t.TempDir(), "run"), false)
	defer f.Abort()
	for _, name := range []string{"../x", "/x", ""} {
		if err := f.WriteFile(name, nil); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	if err := f.WriteFile("figures/wait.svg", []byte("x")); err != nil {
		t.Error(err)
	}
}

func TestJSONLayout(t *testing.T) {
	type inner struct {
		Z int      `json:"z"`
		A *float64 `json:"a"`
	}
	got, err := MarshalJSON(inner{Z: 1})
	if want := "{\n  \"z\": 1,\n  \"a\": null\n}\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if got, _ := MarshalJSON("<&>"); string(got) != "\"<&>\"\n" {
		t.Errorf("%q", got)
	}
	f := create(t, filepath.Join(t.TempDir(), "run"), false)
	defer f.Abort()
	if err := f.WriteJSON("x.json", func() {}); err == nil || !strings.Contains(err.Error(), "x.json") {
		t.Errorf("error %v", err)
	}
}

func TestOpenFindsTheTables(t *testing.T) {
	for _, formats := range [][]table.Format{{table.CSV}, {table.Arrow}, {table.Parquet}, table.Formats()} {
		dir := filepath.Join(t.TempDir(), "run")
		f := create(t, dir, false)
		fill(t, f, formats...)
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if path, _ := r.Path("jobs"); path != filepath.Join(dir, "jobs."+string(formats[0])) {
			t.Errorf("%v: path %s", formats, path)
		}
		frame, err := r.Table("jobs")
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := frame.Seconds(1, 0); !ok || at != 1_500_000_000 || frame.Text(0, 0) != "a" {
			t.Errorf("%v: read %v %v", formats, at, ok)
		}
		rows := 0
		if err := r.Scan("jobs", func(table.Row) error { rows++; return nil }); err != nil || rows != 1 {
			t.Errorf("%v: scanned %d rows, %v", formats, rows, err)
		}
		if _, err := r.Table("nothing"); !errors.Is(err, ErrNoTable) {
			t.Errorf("error %v", err)
		}
		if err := r.Scan("nothing", nil); !errors.Is(err, ErrNoTable) {
			t.Errorf("error %v", err)
		}
	}
}

func TestOpenChecksTheFormat(t *testing.T) {
	for summary, want := range map[string]error{
		`{"format":"gpusim-run/1"}`:   nil,
		`{"format":"gpusim-run/1.7"}`: nil,
		`{"format":"gpusim-run/2"}`:   ErrTooNew,
		`{"format":"gpusim-run/2.1"}`: ErrTooNew,
		`{"format":"gpusim-run/x"}`:   ErrNotARun,
		`{"format":"gpusim-run/0"}`:   ErrNotARun,
		`{"format":"other/1"}`:        ErrNotARun,
		`{}`:                          ErrNotARun,
		`{"format":1}`:                ErrNotARun,
		`not json`:                    ErrNotARun,
	} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "summary.json"), []byte(summary), 0o666)
		if _, err := Open(dir); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", summary, err, want)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNotARun) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "no")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func Example() {
	parent, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(parent)

	f, err := Create(filepath.Join(parent, "run"), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Abort() // nothing is left if something goes wrong on the way

	schema := table.Schema{Name: "jobs", Columns: []table.Column{
		{Name: "job_id", Kind: table.Text},
		{Name: "wait_s", Unit: "s", Kind: table.Seconds},
	}}
	jobs, err := f.Table(schema, []table.Format{table.CSV})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := jobs.Batch()
	b.Text(0, "train")
	b.Seconds(1, 90_500_000_000)
	b.EndRow()
	f.WriteJSON("summary.json", struct {
		Format   string `json:"format"`
		Complete bool   `json:"complete"`
	}{Format, true})
	if err := f.Commit(); err != nil {
		fmt.Println(err)
		return
	}

	run, err := Open(filepath.Join(parent, "run"))
	if err != nil {
		fmt.Println(err)
		return
	}
	run.Scan("jobs", func(row table.Row) error {
		fmt.Println(row.Text(0), "waited", row.Text(1), "s")
		return nil
	})
	// Output: train waited 90.5 s
}
