package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpusim/sim/event"
)

// every is a table with every kind, absent values allowed and not.
func every() Schema {
	s := Schema{Name: "every", Doc: "every kind"}
	for _, nullable := range []bool{true, false} {
		for k := Int; k <= Flag; k++ {
			s.Columns = append(s.Columns, Column{
				Name: fmt.Sprintf("z%d_%s_%v", Flag-k, k, nullable), Unit: "u" + k.String(), Doc: "column, of \"" + k.String() + "\"", Kind: k, Nullable: nullable,
			})
		}
	}
	return s
}

var texts = []string{"a", "job-1", "x,y", `say "hi"`, `"`, "two\nlines", "cr\rlf\r\n", " blanks ", "é漢字🙂", "\x00", "bad\xffutf8", "'", "-1", "true", strings.Repeat("long,", 500)}

// fill puts one random row into b.
func fill(b *Batch, s Schema, r *rand.Rand) {
	for i, c := range s.Columns {
		if c.Nullable && r.IntN(4) == 0 {
			b.Null(i)
			continue
		}
		v := int64(r.Uint64() >> r.IntN(64))
		switch c.Kind {
		case Int:
			b.Int(i, []int64{v, -v, math.MaxInt64, math.MinInt64, 0}[r.IntN(5)])
		case Seconds:
			b.Seconds(i, event.Time([]int64{v, -v, math.MaxInt64 - 1, math.MinInt64, 0}[r.IntN(5)]))
		case GPUSeconds:
			b.GPUSeconds(i, []int64{0, 0, v, -v, math.MinInt64}[r.IntN(5)], r.Uint64())
		case Milli:
			b.Milli(i, []int64{v, -v, 460, 4000, math.MinInt64}[r.IntN(5)])
		case Float:
			b.Float(i, []float64{r.NormFloat64(), 0, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e21}[r.IntN(5)])
		case Text:
			b.Text(i, texts[r.IntN(len(texts))])
		case Flag:
			b.Flag(i, r.IntN(2) == 0)
		}
	}
	b.EndRow()
}

func write(t testing.TB, dir string, s Schema, rows int, seed uint64, formats ...Format) {
	t.Helper()
	sink, err := Open(dir, s, formats)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for range rows {
		fill(sink.Batch(), s, r)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, dir string, s Schema, f Format) *Frame {
	t.Helper()
	frame, err := Read(filepath.Join(dir, s.Name+"."+string(f)))
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

func TestFormatsHoldTheSame(t *testing.T) {
	s := every()
	for seed, rows := range []int{0, 1, 2, 7, 500, batchRows, batchRows + 1, 2*batchRows + 77} {
		dir := t.TempDir()
		write(t, dir, s, rows, uint64(seed), Formats()...)
		text := read(t, dir, s, CSV)
		for _, f := range []Format{Arrow, Parquet} {
			frame := read(t, dir, s, f)
			if frame.Rows() != rows || text.Rows() != rows {
				t.Fatalf("%s has %d rows, CSV %d, written %d", f, frame.Rows(), text.Rows(), rows)
			}
			if got, want := fmt.Sprint(frame.Names()), fmt.Sprint(text.Names()); got != want {
				t.Fatalf("%s has columns %s, CSV %s", f, got, want)
			}
			for col, c := range s.Columns {
				for row := range rows {
					sameCell(t, f, c, text, frame, col, row)
				}
			}
		}
	}
}

func sameCell(t *testing.T, f Format, c Column, text, frame *Frame, col, row int) {
	t.Helper()
	if text.IsNull(col, row) != frame.IsNull(col, row) {
		t.Fatalf("%s %s row %d: absent %v, in CSV %v", f, c.Name, row, frame.IsNull(col, row), text.IsNull(col, row))
	}
	if !c.Nullable && frame.IsNull(col, row) {
		t.Fatalf("%s %s row %d is absent", f, c.Name, row)
	}
	switch c.Kind {
	case Int, Text, Flag:
		if text.Text(col, row) != frame.Text(col, row) {
			t.Fatalf("%s %s row %d: %q, in CSV %q", f, c.Name, row, frame.Text(col, row), text.Text(col, row))
		}
	default:
		a, oka := text.Float(col, row)
		b, okb := frame.Float(col, row)
		if a != b || oka != okb {
			t.Fatalf("%s %s row %d: %v, in CSV %v (%s)", f, c.Name, row, b, a, text.Text(col, row))
		}
	}
}

// The CSV must also be right for readers other than ours.
func TestCSVIsReadByTheStandardLibrary(t *testing.T) {
	dir := t.TempDir()
	s := every()
	write(t, dir, s, 3000, 9, CSV)
	file, err := os.Open(filepath.Join(dir, "every.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	frame := read(t, dir, s, CSV)
	for row, record := range records[1:] {
		for col, cell := range record {
			want := strings.ReplaceAll(frame.Text(col, row), "\r\n", "\n") // encoding/csv does that
			if cell != want {
				t.Fatalf("row %d column %d: %q, we read %q", row, col, cell, want)
			}
		}
	}
}

func TestCSVText(t *testing.T) {
	dir := t.TempDir()
	s := Schema{Name: "t", Columns: []Column{
		{Name: "id", Kind: Text}, {Name: "at, s", Kind: Seconds}, {Name: "use", Kind: GPUSeconds}, {Name: "share", Kind: Milli},
		{Name: "p", Kind: Float}, {Name: "ok", Kind: Flag}, {Name: "end", Kind: Seconds, Nullable: true},
	}}
	sink, err := Open(dir, s, []Format{CSV})
	if err != nil {
		t.Fatal(err)
	}
	b := sink.Batch()
	b.Text(0, `a "b", c`)
	b.Seconds(1, 1_500_000_000)
	b.GPUSeconds(2, 0, 3_600_000_000_000_001)
	b.Milli(3, 460)
	b.Float(4, 0.30000000000000004)
	b.Flag(5, true)
	b.Seconds(6, event.Never)
	b.EndRow()
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(filepath.Join(dir, "t.csv"))
	want := "id,\"at, s\",use,share,p,ok,end\n\"a \"\"b\"\", c\",1.5,3600.000000000001,0.46,0.30000000000000004,true,\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestScanSeesEveryRowInOrder(t *testing.T) {
	s := Schema{Name: "n", Columns: []Column{{Name: "i", Kind: Int}, {Name: "t", Kind: Text}}}
	dir := t.TempDir()
	sink, err := Open(dir, s, Formats())
	if err != nil {
		t.Fatal(err)
	}
	const rows = 70_000
	for i := range rows {
		b := sink.Batch()
		b.Int(0, int64(i))
		b.Text(1, "job-"+strconv.Itoa(i))
		b.EndRow()
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, f := range Formats() {
		n, most := int64(0), 0
		path := filepath.Join(dir, "n."+string(f))
		err := Scan(path, func(row Row) error {
			most = max(most, row.frame.Rows())
			if v, ok := row.Int(row.Column("i")); !ok || v != n || row.Text(1) != "job-"+strconv.FormatInt(n, 10) {
				return fmt.Errorf("row %d is %d", n, v)
			}
			n++
			return nil
		})
		if err != nil || n != rows {
			t.Errorf("%s: %d rows, %v", f, n, err)
		}
		if most == rows {
			t.Errorf("%s: the whole table was held at once", f)
		}
		if err := Scan(path, func(Row) error { return stop }); err != stop {
			t.Errorf("%s: error %v", f, err)
		}
	}
}

func TestOneColumnWithoutValues(t *testing.T) {
	dir := t.TempDir()
	s := Schema{Name: "one", Columns: []Column{{Name: "t", Kind: Text, Nullable: true}}}
	sink, err := Open(dir, s, Formats())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		sink.Batch().Null(0)
		sink.Batch().EndRow()
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		if frame := read(t, dir, s, f); frame.Rows() != 3 || !frame.IsNull(0, 2) {
			t.Errorf("%s: %d rows", f, frame.Rows())
		}
	}
}

func TestParseFormats(t *testing.T) {
	got, err := ParseFormats(" csv, Parquet")
	if err != nil || fmt.Sprint(got) != "[csv parquet]" {
		t.Errorf("%v, %v", got, err)
	}
	for list, want := range map[string]string{"": "no format", "csv,": "missing", "xml": `unknown format "xml": choose from csv, arrow, parquet`, "csv,csv": "twice"} {
		if _, err := ParseFormats(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", list, err, want)
		}
	}
}
