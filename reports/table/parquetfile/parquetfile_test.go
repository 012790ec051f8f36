package parquetfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"gpusim/reports/table/vector"
)

func schema() vector.Schema {
	return vector.Schema{Name: "jobs", Doc: "one row a job", Fields: []vector.Field{
		{Name: "z_id", Type: vector.Text, Kind: "text"},
		{Name: "a_tenant", Type: vector.Text, Nullable: true, Kind: "text"},
		{Name: "wait_s", Type: vector.Float, Nullable: true, Unit: "s", Kind: "seconds", Doc: "time spent waiting"},
		{Name: "gpus", Type: vector.Int, Kind: "int"},
		{Name: "late", Type: vector.Flag, Nullable: true, Kind: "flag"},
	}}
}

// columns has n rows from the first: ids are all different, tenants are few,
// every third value is absent where that is allowed.
func columns(first, n int) []*vector.Vector {
	var list []*vector.Vector
	for _, f := range schema().Fields {
		v := vector.New(f.Type, 0)
		for i := first; i < first+n; i++ {
			switch {
			case f.Nullable && i%3 == 2:
				v.AppendNull()
			case f.Type == vector.Int:
				v.AppendInt(int64(i))
			case f.Type == vector.Float:
				v.AppendFloat(float64(i) / 2)
			case f.Type == vector.Flag:
				v.AppendFlag(i%5 == 0)
			case f.Name == "z_id":
				v.AppendString(fmt.Sprint("job ", i))
			default:
				v.AppendString(fmt.Sprint("tenant ", i%7))
			}
		}
		list = append(list, &v)
	}
	return list
}

// writeFile writes rows in batches of 8,192.
func writeFile(t testing.TB, rows int) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "x.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	w := NewWriter(file, schema())
	for first := 0; first < rows; first += 8192 {
		if err := w.Write(columns(first, min(8192, rows-first))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRoundTrip(t *testing.T) {
	for _, rows := range []int{0, 1, 1025, groupRows, groupRows + 10} {
		r, err := NewReader(writeFile(t, rows))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(r.Schema()) != fmt.Sprint(schema()) {
			t.Errorf("schema %v", r.Schema())
		}
		var got []vector.Vector
		for _, f := range schema().Fields {
			got = append(got, vector.New(f.Type, 0))
		}
		for more := true; more; {
			if more, err = r.Next(got); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range columns(0, rows) {
			if fmt.Sprint(got[i]) != fmt.Sprint(*want) {
				t.Errorf("%d rows: column %s differs", rows, schema().Fields[i].Name)
			}
		}
	}
}

// What another program sees: order, types, encodings, row groups, who wrote it.
func TestLayout(t *testing.T) {
	file := writeFile(t, groupRows+10)
	info, _ := file.Stat()
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	meta := f.Metadata()
	if meta.CreatedBy != "gpusim" {
		t.Errorf("created by %q", meta.CreatedBy)
	}
	if unit, _ := f.Lookup("unit:wait_s"); unit != "s" {
		t.Errorf("unit %q", unit)
	}
	var rows []int64
	for _, g := range meta.RowGroups {
		rows = append(rows, g.NumRows)
	}
	if fmt.Sprint(rows) != fmt.Sprint([]int64{groupRows, 10}) {
		t.Errorf("row groups of %v", rows)
	}
	want := map[string]string{
		"z_id": "DELTA_LENGTH_BYTE_ARRAY", "a_tenant": "RLE_DICTIONARY", "wait_s": "PLAIN", "gpus": "DELTA_BINARY_PACKED", "late": "PLAIN",
	}
	for i, c := range meta.RowGroups[0].Columns {
		name := strings.Join(c.MetaData.PathInSchema, ".")
		if name != schema().Fields[i].Name {
			t.Errorf("column %d is %s", i, name)
		}
		if !strings.Contains(fmt.Sprint(c.MetaData.Encoding), want[name]) {
			t.Errorf("column %s is encoded %v, want %s", name, c.MetaData.Encoding, want[name])
		}
		if c.MetaData.Codec.String() != "ZSTD" {
			t.Errorf("column %s is compressed with %v", name, c.MetaData.Codec)
		}
	}
}

// A column that began with few texts and goes on with ever new ones falls back
// to plain texts; the file stays readable and reproducible.
func TestDictionaryThatOvergrows(t *testing.T) {
	s := vector.Schema{Name: "t", Fields: []vector.Field{{Name: "t", Type: vector.Text, Nullable: true}}}
	write := func() []byte {
		var buf bytes.Buffer
		w := NewWriter(&buf, s)
		for batch := range 7 {
			v := vector.New(vector.Text, 0)
			for i := range 8192 {
				if batch == 0 {
					v.AppendString("same")
				} else {
					v.AppendString(fmt.Sprintf("%d-%d-%s", batch, i, strings.Repeat("x", 100)))
				}
			}
			if err := w.Write([]*vector.Vector{&v}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	data := write()
	if !bytes.Equal(data, write()) {
		t.Error("two writes differ")
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	os.WriteFile(path, data, 0o666)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	got := []vector.Vector{vector.New(vector.Text, 0)}
	if _, err := r.Next(got); err != nil {
		t.Fatal(err)
	}
	if n := got[0].Len(); n != 7*8192 {
		t.Fatalf("%d rows", n)
	}
	if text := string(got[0].Text(7*8192 - 1)); !strings.HasPrefix(text, "6-8191-xx") {
		t.Errorf("the last text is %q", text)
	}
	chunk := r.file.Metadata().RowGroups[0].Columns[0].MetaData
	if e := fmt.Sprint(chunk.Encoding); !strings.Contains(e, "RLE_DICTIONARY") || !strings.Contains(e, "PLAIN") {
		t.Errorf("encodings %s: the fallback was not reached", e)
	}
}

func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		distinct, rows int
		want           bool
	}{{0, 0, true}, {1, 1000, true}, {64, 64, true}, {250, 1000, true}, {251, 1000, false}, {1000, 1000, false}} {
		v := vector.New(vector.Text, 0)
		for i := range c.rows {
			v.AppendString(fmt.Sprint(i % c.distinct))
			v.AppendNull()
		}
		if got := repeats(&v); got != c.want {
			t.Errorf("%d texts in %d rows: %v", c.distinct, c.rows, got)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	w := NewWriter(fullDisk{}, schema())
	if err := w.Write(columns(0, 1)); err != nil {
		t.Errorf("a batch is buffered, yet: %v", err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

func TestReaderRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	os.WriteFile(path, []byte("not a parquet file, but long enough to be one"), 0o666)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := NewReader(file); err == nil || !strings.Contains(err.Error(), "footer") {
		t.Errorf("error %v", err)
	}
	type other struct{ A []int32 }
	list := filepath.Join(t.TempDir(), "y.parquet")
	if err := parquet.WriteFile(list, []other{{A: []int32{1}}}); err != nil {
		t.Fatal(err)
	}
	file2, err := os.Open(list)
	if err != nil {
		t.Fatal(err)
	}
	defer file2.Close()
	if _, err := NewReader(file2); err == nil || !strings.Contains(err.Error(), "column A") {
		t.Errorf("error %v", err)
	}
}

func Example() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	file, err := os.Create(filepath.Join(dir, "gpus.parquet"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()

	s := vector.Schema{Name: "gpus", Fields: []vector.Field{{Name: "power", Type: vector.Float, Nullable: true, Unit: "W"}}}
	w := NewWriter(file, s)
	power := vector.New(vector.Float, 2)
	power.AppendFloat(61.5)
	power.AppendNull()
	w.Write([]*vector.Vector{&power})
	w.Close()

	r, err := NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	back := []vector.Vector{vector.New(vector.Float, 0)}
	r.Next(back)
	fmt.Println(r.Schema().Fields[0].Unit, back[0].Floats, back[0].Valid)
	// Output: W [61.5 0] [1 0]
}
