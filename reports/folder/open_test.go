package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpusim/reports/table"
)

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
