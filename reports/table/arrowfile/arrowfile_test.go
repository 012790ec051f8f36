package arrowfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"gpusim/reports/table/vector"
)

func schema() vector.Schema {
	return vector.Schema{Name: "jobs", Doc: "one row a job", Fields: []vector.Field{
		{Name: "wait_s", Type: vector.Float, Nullable: true, Unit: "s", Kind: "seconds", Doc: "time spent waiting"},
		{Name: "gpus", Type: vector.Int, Kind: "int"},
		{Name: "name", Type: vector.Text, Nullable: true, Kind: "text"},
		{Name: "late", Type: vector.Flag, Kind: "flag"},
	}}
}

// columns has n rows; every third is absent where that is allowed.
func columns(n int) []*vector.Vector {
	var list []*vector.Vector
	for _, f := range schema().Fields {
		v := vector.New(f.Type, 0)
		for i := range n {
			switch {
			case f.Nullable && i%3 == 2:
				v.AppendNull()
			case f.Type == vector.Int:
				v.AppendInt(int64(i))
			case f.Type == vector.Float:
				v.AppendFloat(float64(i) / 2)
			case f.Type == vector.Flag:
				v.AppendFlag(i%5 == 0)
			default:
				v.AppendString(fmt.Sprint("job ", i))
			}
		}
		list = append(list, &v)
	}
	return list
}

func writeFile(t *testing.T, s vector.Schema, batches ...[]*vector.Vector) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.arrow")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	w, err := NewWriter(file, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRoundTrip(t *testing.T) {
	// 21 rows: the bits of the last byte are not all used.
	file := writeFile(t, schema(), columns(21), columns(3))
	r, err := NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(r.Schema()) != fmt.Sprint(schema()) {
		t.Errorf("schema %v", r.Schema())
	}
	for _, rows := range []int{21, 3} {
		var got []vector.Vector
		for _, f := range schema().Fields {
			got = append(got, vector.New(f.Type, 0))
		}
		more, err := r.Next(got)
		if err != nil || !more {
			t.Fatal(more, err)
		}
		for i, want := range columns(rows) {
			if fmt.Sprint(got[i]) != fmt.Sprint(*want) {
				t.Errorf("column %d: %v, want %v", i, got[i], *want)
			}
		}
	}
	if more, err := r.Next(nil); more || err != nil {
		t.Errorf("a third batch: %v, %v", more, err)
	}
}

// Other programs must find the plain types and the units.
func TestFileIsPlainArrow(t *testing.T) {
	file := writeFile(t, schema(), columns(4))
	r, err := ipc.NewFileReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, f := range r.Schema().Fields() {
		types = append(types, fmt.Sprint(f.Name, " ", f.Type.ID(), " ", f.Nullable))
	}
	want := []string{
		fmt.Sprint("wait_s ", arrow.FLOAT64, " true"), fmt.Sprint("gpus ", arrow.INT64, " false"),
		fmt.Sprint("name ", arrow.STRING, " true"), fmt.Sprint("late ", arrow.BOOL, " false"),
	}
	if fmt.Sprint(types) != fmt.Sprint(want) {
		t.Errorf("types %v, want %v", types, want)
	}
	if unit, _ := r.Schema().Field(0).Metadata.GetValue("unit"); unit != "s" {
		t.Errorf("unit %q", unit)
	}
	record, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(record.Column(0), record.Column(3)); got != "[0 0.5 (null) 1.5] [true false false false]" {
		t.Errorf("values %s", got)
	}
}

func TestReaderRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.arrow")
	os.WriteFile(path, bytes.Repeat([]byte("no arrow"), 20), 0o666)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := NewReader(file); err == nil || !strings.Contains(err.Error(), "footer") {
		t.Errorf("error %v", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	w, err := NewWriter(fullDisk{}, schema())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(columns(1)); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

func Example() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	file, err := os.Create(filepath.Join(dir, "gpus.arrow"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()

	s := vector.Schema{Name: "gpus", Fields: []vector.Field{{Name: "power", Type: vector.Float, Unit: "W"}}}
	w, err := NewWriter(file, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	power := vector.New(vector.Float, 2)
	power.AppendFloat(61.5)
	power.AppendFloat(400)
	w.Write([]*vector.Vector{&power})
	w.Close()

	r, err := NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	back := []vector.Vector{vector.New(vector.Float, 0)}
	r.Next(back)
	fmt.Println(r.Schema().Fields[0].Unit, back[0].Floats)
	// Output: W [61.5 400]
}
