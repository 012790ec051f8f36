package arrowfile

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Arrow, and from it only what IPC needs, is imported by this package alone: a
// move to another release of the library then touches one folder.
func TestOnlyThisPackageImportsArrow(t *testing.T) {
	root := moduleRoot(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const library = "github.com/apache/arrow"
	allowed := map[string]bool{"arrow": true, "arrow/array": true, "arrow/ipc": true, "arrow/memory": true}
	found := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a file that went away while we looked
			}
			return err
		}
		if entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // the compiler says so better
		}
		for _, spec := range file.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if !strings.HasPrefix(name, library) {
				continue
			}
			found++
			_, inside, _ := strings.Cut(strings.TrimPrefix(name, library+"/go/"), "/")
			switch {
			case filepath.Dir(path) != here:
				t.Errorf("%s imports %s; only reports/table/arrowfile may", path, name)
			case !allowed[inside]:
				t.Errorf("%s imports %s, which is not needed for IPC files", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no import of Arrow was found at all: the search is broken")
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
