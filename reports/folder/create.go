package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Errors that Create and Commit return, wrapped with the folder's name.
var (
	ErrNotEmpty = errors.New("the folder exists and is not empty")
	ErrNotADir  = errors.New("it exists and is not a folder")
	ErrTooMuch  = errors.New("it holds the home folder or the current folder and is never replaced")
)

// partial is in the name of every folder that is still being written.
const partial = ".partial-"

// Create prepares the run folder dir, whose parents are made as needed. Nothing
// appears at dir before Commit. If dir holds something, the error is ErrNotEmpty
// unless force says that Commit replaces it, all of it.
func Create(dir string, force bool) (*Folder, error) {
	place, err := resolve(dir)
	if err != nil {
		return nil, fmt.Errorf("creating run folder %s: %w", dir, err)
	}
	if err := checkPlace(place, force); err != nil {
		return nil, fmt.Errorf("creating run folder %s: %w", dir, err)
	}
	f := &Folder{place: place, name: dir, force: force}
	if f.parents, err = makeParents(filepath.Dir(place)); err == nil {
		f.temp, err = beside(place, partial)
	}
	if err != nil {
		f.removeParents()
		return nil, fmt.Errorf("creating run folder %s: %w", dir, err)
	}
	return f, nil
}

// resolve makes dir absolute and follows links, so that what is renamed is the
// folder and not a link to it.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no name given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return abs, nil
	}
	return real, err
}

// checkPlace refuses places that Commit could not or should not take.
func checkPlace(place string, force bool) error {
	info, err := os.Lstat(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return ErrNotADir
	}
	empty, err := isEmpty(place)
	switch {
	case err != nil:
		return err
	case empty:
		// Commit has to put another folder in its place: see now, and not after a
		// long run, whether that is allowed.
		if err := os.Remove(place); err != nil {
			return err
		}
		return os.Mkdir(place, info.Mode().Perm())
	case !force:
		return ErrNotEmpty
	}
	return checkReplaceable(place)
}

// checkReplaceable keeps force from removing the place the user lives in.
func checkReplaceable(place string) error {
	home, errHome := os.UserHomeDir()
	here, errHere := os.Getwd()
	if errHome == nil && within(home, place) || errHere == nil && within(here, place) {
		return ErrTooMuch
	}
	return nil
}

// within reports whether path is folder or lies in it.
func within(path, folder string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func isEmpty(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	return len(entries) == 0, err
}

// makeParents makes dir and returns the folders that were not there, the
// deepest first.
func makeParents(dir string) ([]string, error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		missing = append(missing, d)
	}
	return missing, os.MkdirAll(dir, 0o777)
}

// beside makes a new hidden folder next to place.
func beside(place, mark string) (string, error) {
	for {
		name := besideName(place, mark)
		err := os.Mkdir(name, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return name, err
	}
}

// besideName is a name next to place that no other process uses.
func besideName(place, mark string) string {
	return filepath.Join(filepath.Dir(place), fmt.Sprintf(".%s%s%d-%08x", filepath.Base(place), mark, os.Getpid(), rand.Uint32()))
}
