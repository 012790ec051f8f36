package table

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gpusim/sim/event"
)

// wideTable is like the jobs table: 30 columns, most of them times, accounts and
// names.
func wideTable() Schema {
	s := Schema{Name: "wide"}
	add := func(n int, name string, k Kind, nullable bool) {
		for i := range n {
			s.Columns = append(s.Columns, Column{Name: fmt.Sprintf("%s_%d", name, i), Kind: k, Nullable: nullable})
		}
	}
	add(1, "id", Text, false)
	add(7, "name", Text, true)
	add(4, "count", Int, false)
	add(9, "time", Seconds, true)
	add(4, "account", GPUSeconds, false)
	add(2, "share", Milli, true)
	add(2, "rate", Float, true)
	add(1, "flag", Flag, false)
	return s
}

// rows are made from a counter, cheaply: making them is measured alone as
// "none".
type wideRows struct {
	ids   []string
	names []string
	i     uint64
}

func newWideRows() *wideRows {
	w := &wideRows{}
	for i := range 4096 {
		w.ids = append(w.ids, "job-"+strconv.Itoa(1_000_000+i*7919))
	}
	for i := range 64 {
		w.names = append(w.names, "tenant-"+strconv.Itoa(i))
	}
	return w
}

func (w *wideRows) put(b *Batch) {
	x := w.i * 0x9E3779B97F4A7C15
	b.Text(0, w.ids[x>>52])
	for c := 1; c < 8; c++ {
		b.Text(c, w.names[x>>uint(c)&63])
	}
	for c := 8; c < 12; c++ {
		b.Int(c, int64(x>>60)+int64(c))
	}
	for c := 12; c < 21; c++ {
		if c > 18 && w.i&3 == 0 {
			b.Null(c)
		} else {
			b.Seconds(c, event.Time(w.i*1_000_000_000+x>>uint(30+c)))
		}
	}
	for c := 21; c < 25; c++ {
		b.GPUSeconds(c, 0, (x>>40)*1_000_000_000)
	}
	b.Milli(25, int64(x>>54))
	b.Milli(26, int64(x>>55))
	b.Float(27, float64(x>>50)/1024)
	b.Float(28, float64(x>>40)/1e5)
	b.Flag(29, x>>63 == 0)
	b.EndRow()
	w.i++
}

// BenchmarkRows writes a table of b.N rows of 30 columns. Run it with
// -benchtime 1000000x for the figures of a million rows.
func BenchmarkRows(b *testing.B) {
	for _, formats := range [][]Format{nil, {CSV}, {Arrow}, {Parquet}, {CSV, Parquet}, Formats()} {
		b.Run(fmt.Sprint(formats), func(b *testing.B) {
			s := wideTable()
			dir := b.TempDir()
			rows := newWideRows()
			b.ReportAllocs()
			b.ResetTimer()
			sink, err := Open(dir, s, formats)
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				rows.put(sink.Batch())
			}
			if err := sink.Close(); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			seconds := b.Elapsed().Seconds()
			b.ReportMetric(float64(b.N)/seconds, "rows/s")
			b.ReportMetric(seconds*1e9/float64(b.N)/float64(len(s.Columns)), "ns/cell")
			size := int64(0)
			for _, f := range formats {
				info, err := os.Stat(filepath.Join(dir, s.Name+"."+string(f)))
				if err != nil {
					b.Fatal(err)
				}
				size += info.Size()
			}
			b.ReportMetric(float64(size)/float64(b.N), "file-B/row")
		})
	}
}

func BenchmarkScan(b *testing.B) {
	for _, f := range Formats() {
		b.Run(string(f), func(b *testing.B) {
			s := wideTable()
			dir := b.TempDir()
			sink, err := Open(dir, s, []Format{f})
			if err != nil {
				b.Fatal(err)
			}
			rows := newWideRows()
			for range b.N {
				rows.put(sink.Batch())
			}
			if err := sink.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			n := 0
			err = Scan(filepath.Join(dir, s.Name+"."+string(f)), func(row Row) error {
				if !row.IsNull(0) {
					n++
				}
				return nil
			})
			if err != nil || n != b.N {
				b.Fatal(n, err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
