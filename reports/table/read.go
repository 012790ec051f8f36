package table

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gpusim/reports/table/arrowfile"
	"gpusim/reports/table/parquetfile"
	"gpusim/reports/table/vector"
)

// maxFrameText is how many bytes of text a column of a frame may hold.
const maxFrameText = 1<<31 - 1 - maxText

// reader reads a file in stretches of rows: the batches of Arrow, the row groups
// of Parquet, a thousand lines of CSV.
type reader interface {
	Schema() vector.Schema
	// Next appends the next rows and reports whether there were any.
	Next(columns []vector.Vector) (bool, error)
}

// Read loads a whole table; the ending of path says the format.
func Read(path string) (*Frame, error) {
	var whole *Frame
	err := stretches(path, func(f *Frame) error {
		for i := range f.cols {
			if len(f.cols[i].Bytes) > maxFrameText {
				return fmt.Errorf("column %s holds too much text to be loaded whole: use Scan", f.fields[i].Name)
			}
		}
		whole = f
		return nil
	}, false)
	if err != nil {
		return nil, err
	}
	return whole, nil
}

// Scan calls f with every row of a table, in order, and holds little of it at a
// time. A row is valid during the call. An error of f ends the scan and is
// returned as it is.
func Scan(path string, f func(row Row) error) error {
	var own error
	err := stretches(path, func(frame *Frame) error {
		for i := range frame.Rows() {
			if own = f(Row{frame, i}); own != nil {
				return own
			}
		}
		return nil
	}, true)
	if own != nil {
		return own
	}
	return err
}

// stretches reads a file into one frame and calls f after every stretch of rows
// and, for a table without rows, once. forget empties the frame in between.
func stretches(path string, f func(*Frame) error, forget bool) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading table: %w", err)
	}
	defer file.Close()
	r, err := newReader(file, path)
	if err != nil {
		return fmt.Errorf("reading table %s: %w", path, err)
	}
	frame := newFrame(r.Schema())
	for seen := false; ; seen = true {
		more, err := r.Next(frame.cols)
		if err != nil {
			return fmt.Errorf("reading table %s: %w", path, err)
		}
		if !more && seen {
			return nil
		}
		if err := f(frame); err != nil {
			return fmt.Errorf("reading table %s: %w", path, err)
		}
		if !more {
			return nil
		}
		if forget {
			for i := range frame.cols {
				frame.cols[i].Reset()
			}
		}
	}
}

func newReader(file *os.File, path string) (reader, error) {
	switch f := Format(strings.TrimPrefix(filepath.Ext(path), ".")); f {
	case CSV:
		return newCSVReader(file)
	case Arrow:
		return arrowfile.NewReader(file)
	case Parquet:
		return parquetfile.NewReader(file)
	default:
		return nil, fmt.Errorf("the ending is none of .csv, .arrow, .parquet")
	}
}
