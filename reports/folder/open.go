package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gpusim/reports/table"
)

// Format names the layout of the folder. It is the field "format" of
// summary.json. The number grows when a reader of the old layout would go
// wrong, not when something is added.
const Format = formatName + "1"

const (
	formatName  = "gpusim-run/"
	formatMajor = 1
	summaryFile = "summary.json"
)

// Errors that Open and Run.Table return, wrapped with what was looked for.
var (
	ErrNotARun    = errors.New("it is not a run folder")
	ErrTooNew     = errors.New("it was written by a newer gpusim")
	ErrUnfinished = errors.New("it is what an unfinished run left behind")
	ErrNoTable    = errors.New("there is no such table")
)

// Run is a finished run folder.
type Run struct {
	dir     string
	summary []byte
}

// Open checks that dir is a run folder that this program can read. Only
// summary.json is read.
func Open(dir string) (*Run, error) {
	r, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("opening run folder %s: %w", dir, err)
	}
	return r, nil
}

func open(dir string) (*Run, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if base := filepath.Base(abs); strings.HasPrefix(base, ".") && strings.Contains(base, partial) {
		return nil, ErrUnfinished
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	summary, err := os.ReadFile(filepath.Join(dir, summaryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrNotARun, summaryFile)
	}
	if err != nil {
		return nil, err
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(summary, &head); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNotARun, summaryFile, err)
	}
	if err := checkFormat(head.Format); err != nil {
		return nil, err
	}
	return &Run{dir: dir, summary: summary}, nil
}

// checkFormat accepts "gpusim-run/1" and whatever was added to it, "1.2".
func checkFormat(format string) error {
	version, ok := strings.CutPrefix(format, formatName)
	number, _, _ := strings.Cut(version, ".")
	major, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil || major < 1:
		return fmt.Errorf("%w: %s has format %q, not %q", ErrNotARun, summaryFile, format, Format)
	case major > formatMajor:
		return fmt.Errorf("%w: its format is %q, this program reads %q", ErrTooNew, format, Format)
	}
	return nil
}

// Dir is the folder.
func (r *Run) Dir() string { return r.dir }

// Summary fills v from summary.json.
func (r *Run) Summary(v any) error {
	if err := json.Unmarshal(r.summary, v); err != nil {
		return fmt.Errorf("run folder %s: %s: %w", r.dir, summaryFile, err)
	}
	return nil
}

// Path returns the file of a table, in the format with the most exact numbers
// of those that are there. The error is ErrNoTable if there is none.
func (r *Run) Path(name string) (string, error) {
	for _, f := range table.Formats() {
		path := filepath.Join(r.dir, name+"."+string(f))
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() {
			return path, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("run folder %s: table %s: %w", r.dir, name, err)
		}
	}
	return "", fmt.Errorf("run folder %s: table %s: %w", r.dir, name, ErrNoTable)
}

// Table loads a table of the run.
func (r *Run) Table(name string) (*table.Frame, error) {
	path, err := r.Path(name)
	if err != nil {
		return nil, err
	}
	return table.Read(path)
}

// Scan walks through a table of the run, see table.Scan.
func (r *Run) Scan(name string, f func(row table.Row) error) error {
	path, err := r.Path(name)
	if err != nil {
		return err
	}
	return table.Scan(path, f)
}
