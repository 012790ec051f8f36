package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gpusim/reports/table"
)

// Folder is a run folder being written. It belongs to one goroutine; the tables
// may be filled by others, one each. It ends with Commit or Abort.
type Folder struct {
	name    string // as the caller gave it
	place   string // where Commit puts it
	temp    string // where it is written
	force   bool
	parents []string // folders made on the way to place, the deepest first
	sinks   []*table.Sink
	ended   bool
}

var errEnded = errors.New("the folder is already committed or aborted")

// Table starts a table of the folder. The sink may be closed by the caller;
// Commit and Abort close what is still open.
func (f *Folder) Table(schema table.Schema, formats []table.Format) (*table.Sink, error) {
	if f.ended {
		return nil, fmt.Errorf("run folder %s: table %s: %w", f.name, schema.Name, errEnded)
	}
	s, err := table.Open(f.temp, schema, formats)
	if err != nil {
		return nil, fmt.Errorf("run folder %s: %w", f.name, err)
	}
	f.sinks = append(f.sinks, s)
	return s, nil
}

// WriteFile writes one file of the folder. A name that leads out of the folder
// is an error.
func (f *Folder) WriteFile(name string, data []byte) error {
	if f.ended {
		return fmt.Errorf("run folder %s: file %s: %w", f.name, name, errEnded)
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("run folder %s: %q is not the name of a file in it", f.name, name)
	}
	path := filepath.Join(f.temp, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("run folder %s: %w", f.name, err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return fmt.Errorf("run folder %s: %w", f.name, err)
	}
	return nil
}

// WriteJSON writes v as JSON, see MarshalJSON.
func (f *Folder) WriteJSON(name string, v any) error {
	data, err := MarshalJSON(v)
	if err != nil {
		return fmt.Errorf("run folder %s: file %s: %w", f.name, name, err)
	}
	return f.WriteFile(name, data)
}

// MarshalJSON is how every JSON file of a run folder looks: two blanks an
// indent, fields in the order of the struct, <, > and & as they are, a line end
// at the end.
func MarshalJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return buf.Bytes(), err
}

// Commit closes the tables and puts the folder in its place. If anything fails,
// all that was written is removed and the place is as it was. Without force the
// error is ErrNotEmpty if the place was taken meanwhile.
func (f *Folder) Commit() error {
	if f.ended {
		return fmt.Errorf("run folder %s: %w", f.name, errEnded)
	}
	err := f.closeTables()
	if err == nil {
		err = f.intoPlace()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("run folder %s: %w", f.name, err), f.Abort())
	}
	f.ended = true
	return nil
}

// Abort removes all that was written. After Commit or Abort it does nothing, so
// that it may be deferred.
func (f *Folder) Abort() error {
	if f.ended {
		return nil
	}
	f.ended = true
	f.closeTables() // the files go away: whether they are whole does not matter
	err := os.RemoveAll(f.temp)
	f.removeParents()
	if err != nil {
		return fmt.Errorf("removing unfinished run folder: %w", err)
	}
	return nil
}

func (f *Folder) closeTables() error {
	var first error
	for _, s := range f.sinks {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// intoPlace renames the folder into its place.
func (f *Folder) intoPlace() error {
	info, err := os.Lstat(f.place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.rename()
	case err != nil:
		return err
	case !info.IsDir():
		return ErrNotADir
	}
	if err = os.Remove(f.place); err == nil { // it was empty
		if err = f.rename(); err != nil {
			os.Mkdir(f.place, info.Mode().Perm())
		}
		return err
	}
	if f.force {
		return f.replace()
	}
	if empty, readErr := isEmpty(f.place); readErr == nil && !empty {
		return ErrNotEmpty
	}
	return err
}

// rename is the step in which the folder appears. Somebody else may be first.
func (f *Folder) rename() error {
	err := os.Rename(f.temp, f.place)
	if err == nil {
		return nil
	}
	if _, statErr := os.Lstat(f.place); statErr == nil {
		if f.force {
			return f.replace()
		}
		return ErrNotEmpty
	}
	return err
}

// replace moves the old folder aside, the new one in, and removes the old one;
// if the new one cannot come in, the old one goes back.
func (f *Folder) replace() error {
	old := besideName(f.place, ".replaced-")
	if err := os.Rename(f.place, old); err != nil {
		return err
	}
	if err := os.Rename(f.temp, f.place); err != nil {
		return errors.Join(err, os.Rename(old, f.place))
	}
	if err := os.RemoveAll(old); err != nil {
		f.ended = true // the new folder is in place and stays
		return fmt.Errorf("the new folder is in place, but the old one is left: %w", err)
	}
	return nil
}

// removeParents removes the folders Create made, unless something is in them.
func (f *Folder) removeParents() {
	for _, dir := range f.parents {
		if os.Remove(dir) != nil {
			return
		}
	}
}
