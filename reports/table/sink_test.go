package table

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestSameRowsGiveSameBytes(t *testing.T) {
	s := every()
	rows := 9*batchRows + 5 // more than one row group
	first, second := t.TempDir(), t.TempDir()
	write(t, first, s, rows, 1, Formats()...)
	runtime.GC() // drops pooled buffers and encoders
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	write(t, second, s, rows, 1, Formats()...)
	for _, f := range Formats() {
		a, err := os.ReadFile(filepath.Join(first, "every."+string(f)))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(filepath.Join(second, "every."+string(f)))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: two writes differ", f)
		}
		alone := t.TempDir()
		write(t, alone, s, rows, 1, f)
		if c, _ := os.ReadFile(filepath.Join(alone, "every."+string(f))); !bytes.Equal(a, c) {
			t.Errorf("%s: written alone it differs", f)
		}
	}
}

// An absent value must not carry what the slot held in an earlier batch.
func TestAbsentValuesLeaveNoTrace(t *testing.T) {
	s := every()
	b := newBatch(&s)
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		fill(b, s, r)
	}
	b.round()
	b.reset()
	for i, c := range s.Columns {
		if c.Nullable {
			b.Null(i)
		} else {
			b.null(i)
		}
	}
	b.EndRow()
	b.round()
	for i := range b.cols {
		v := &b.cols[i].vec
		if fmt.Sprint(v.Ints, v.Floats, v.Flags) != "[0] [] []" && fmt.Sprint(v.Ints, v.Floats, v.Flags) != "[] [0] []" &&
			fmt.Sprint(v.Ints, v.Floats, v.Flags) != "[] [] [0]" && fmt.Sprint(v.Offsets) != "[0 0]" {
			t.Errorf("column %s keeps %+v", s.Columns[i].Name, v)
		}
	}
}

func (b *Batch) null(col int) { b.set++; b.cols[col].null() }

func TestMistakesAreReported(t *testing.T) {
	s := Schema{Name: "m", Columns: []Column{{Name: "a", Kind: Int}, {Name: "b", Kind: Text, Nullable: true}, {Name: "f", Kind: Float, Nullable: true}}}
	cases := map[string]struct {
		row  func(b *Batch)
		want string
	}{
		"kind":       {func(b *Batch) { b.Text(0, "x"); b.Null(1); b.Null(2); b.EndRow() }, "column a is of kind int and is set as text"},
		"twice":      {func(b *Batch) { b.Int(0, 1); b.Int(0, 2); b.Null(1); b.Null(2); b.EndRow() }, "column a is set twice"},
		"forgotten":  {func(b *Batch) { b.Int(0, 1); b.Null(2); b.EndRow() }, "column b is not set"},
		"no column":  {func(b *Batch) { b.Int(3, 1) }, "no column 3"},
		"negative":   {func(b *Batch) { b.Null(-1) }, "no column -1"},
		"absent":     {func(b *Batch) { b.Null(0); b.Null(1); b.Null(2); b.EndRow() }, "column a is left absent"},
		"not finite": {func(b *Batch) { b.Int(0, 1); b.Null(1); b.Float(2, math.NaN()); b.EndRow() }, "column f is set to NaN"},
		"not ended":  {func(b *Batch) { b.Int(0, 1); b.Null(1); b.Null(2) }, "the row is not ended"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			sink, err := Open(t.TempDir(), s, Formats())
			if err != nil {
				t.Fatal(err)
			}
			c.row(sink.Batch())
			err = sink.Close()
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "table m") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if again := sink.Close(); again != err {
				t.Errorf("closing again gives %v", again)
			}
		})
	}
}

func TestOpenRefusesBadSchemas(t *testing.T) {
	for want, s := range map[string]Schema{
		"cannot be the name":         {Name: "../x", Columns: []Column{{Name: "a"}}},
		"has no columns":             {Name: "x"},
		"two columns named a":        {Name: "x", Columns: []Column{{Name: "a"}, {Name: "a"}}},
		"a column without a name":    {Name: "x", Columns: []Column{{}}},
		"column a has no valid kind": {Name: "x", Columns: []Column{{Name: "a", Kind: 99}}},
	} {
		if _, err := Open(t.TempDir(), s, Formats()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestOpenInAFolderThatIsNotThere(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "no"), every(), Formats())
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A disk that is full must neither hang the caller nor be lost.
func TestWriteErrorIsReported(t *testing.T) {
	s := every()
	dir := t.TempDir()
	sink, err := Open(dir, s, Formats())
	if err != nil {
		t.Fatal(err)
	}
	sink.writers[2].(*binaryWriter).file.Close()
	r := rand.New(rand.NewPCG(1, 0))
	for range 12 * batchRows {
		fill(sink.Batch(), s, r)
	}
	if err := sink.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if err := sink.Err(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Err gives %v", err)
	}
}

func TestLongTextsEndABatchEarly(t *testing.T) {
	s := Schema{Name: "long", Columns: []Column{{Name: "t", Kind: Text}}}
	b := newBatch(&s)
	for !b.full() {
		b.Text(0, strings.Repeat("x", 1<<20))
		b.EndRow()
	}
	if b.rows != 4 {
		t.Errorf("the batch is full after %d MiB", b.rows)
	}
}

// A long run must not feed the garbage collector with every row.
func TestRowsAreNotAllocated(t *testing.T) {
	s := wideTable()
	b := newBatch(&s)
	w := newCSVWriter(nopFile{}, &s)
	rows := newWideRows()
	batch := func() {
		for !b.full() {
			rows.put(b)
		}
		b.round()
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		b.reset()
	}
	batch() // lets the buffers grow
	if n := testing.AllocsPerRun(3, batch); n > 0 {
		t.Errorf("%v allocations in %d rows", n, batchRows)
	}
}

type nopFile struct{}

func (nopFile) Write(p []byte) (int, error) { return len(p), nil }

func (nopFile) Close() error { return nil }

func TestBytesAreCopied(t *testing.T) {
	s := Schema{Name: "b", Columns: []Column{{Name: "t", Kind: Text}}}
	b := newBatch(&s)
	buf := []byte("first")
	b.Bytes(0, buf)
	b.EndRow()
	copy(buf, "other")
	b.Bytes(0, nil)
	b.EndRow()
	if got := string(b.cols[0].vec.Text(0)); got != "first" || b.err != nil {
		t.Errorf("%q, %v", got, b.err)
	}
	if got := b.cols[0].vec.Text(1); len(got) != 0 || b.rows != 2 {
		t.Errorf("%q in row 2 of %d", got, b.rows)
	}
}
