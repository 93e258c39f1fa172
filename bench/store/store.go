package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"socsim/soc"
)

// Store is a folder of rows. Several processes, on several machines, may use it at once.
type Store struct{ dir string }

// extension is that of rows. Other files in the folder are left alone, but for those
// that begin with temporary and are of a process that ended long ago.
const (
	extension = ".json"
	temporary = ".new-"
	abandoned = 24 * time.Hour
)

// Open makes the folder, if it is not there.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(escaped(dir), temporary+"*"))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > abandoned {
			os.Remove(name)
		}
	}
	return &Store{dir}, nil
}

// escaped is a folder's name without a meaning to filepath.Glob.
func escaped(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// Dir is the folder.
func (s *Store) Dir() string { return s.dir }

// Rows returns all rows, sorted by key. An error names the file.
func (s *Store) Rows() ([]Row, error) {
	entries, err := os.ReadDir(s.dir) // sorted
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var rows []Row
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), extension)
		if !ok || strings.HasPrefix(key, ".") || e.IsDir() {
			continue
		}
		r, there, err := s.Get(key)
		if err != nil {
			return nil, err
		}
		if there {
			rows = append(rows, *r)
		}
	}
	return rows, nil
}

// Get returns the row of a key, and whether there is one.
func (s *Store) Get(key string) (*Row, bool, error) {
	name := s.file(key)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("store: %w", err)
	}
	r, err := Decode(text)
	if err != nil {
		return nil, false, fmt.Errorf("store: %s: %w", name, err)
	}
	if r.Key() != key {
		return nil, false, fmt.Errorf("store: %s: its row should be called %s: it was changed, or renamed", name, r.Key()+extension)
	}
	return &r, true, nil
}

// Put writes a row: whole or not at all. If the row is there already, nothing is done; if
// another one is there under its key, that is a *ConflictError: the one there stays, and
// the new one is kept beside it.
func (s *Store) Put(r Row) error {
	if r.ModelVersion != soc.ModelVersion {
		return fmt.Errorf("store: a row of model version %q, this is %s", r.ModelVersion, soc.ModelVersion)
	}
	text, err := r.Encode()
	if err != nil {
		return fmt.Errorf("store: %s: %w", r.Point, err)
	}
	made, err := s.write(text)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer os.Remove(made)
	name := s.file(r.Key())
	// A link never takes another file's place, so that of two machines that end the same
	// point at once the later one sees the earlier one's row.
	err = os.Link(made, name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, missing := os.Lstat(name); errors.Is(missing, fs.ErrNotExist) {
			if err := os.Rename(made, name); err != nil {
				return fmt.Errorf("store: %w", err)
			}
			return nil
		}
	}
	if err == nil {
		return nil
	}
	there, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if bytes.Equal(there, text) {
		return nil
	}
	beside := strings.TrimSuffix(name, extension) + ".other"
	if err := os.Rename(made, beside); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return &ConflictError{File: name, New: beside, Point: r.Point}
}

// ConflictError says that a point has two results.
type ConflictError struct {
	File  string // the row that was there, and stays
	New   string // where the other one is now
	Point Point
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("store: %s has another result of %s; it stays, and the new one is %s: one of two builds, or of two machines, is wrong", e.File, e.Point, e.New)
}

// write writes a new file in the folder, and returns its name.
func (s *Store) write(text []byte) (name string, err error) {
	f, err := os.CreateTemp(s.dir, temporary+"*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	for _, step := range []func() error{func() error { return f.Chmod(0o644) }, f.Sync, f.Close} {
		if failed := step(); err == nil {
			err = failed
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

func (s *Store) file(key string) string { return filepath.Join(s.dir, key+extension) }

// Merge puts all rows of other stores into this one, and returns how many were not in it.
func (s *Store) Merge(others ...*Store) (added int, err error) {
	var mine []string
	rows, err := s.Rows()
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		mine = append(mine, r.Key())
	}
	var first error
	conflicts := 0
	for _, o := range others {
		rows, err := o.Rows()
		if err != nil {
			return added, err
		}
		for _, r := range rows {
			var conflict *ConflictError
			if err := s.Put(r); errors.As(err, &conflict) { // of the other rows none is at fault
				if conflicts++; first == nil {
					first = fmt.Errorf("%w (from %s)", err, o.dir)
				}
				continue
			} else if err != nil {
				return added, fmt.Errorf("%w (from %s)", err, o.dir)
			}
			if _, there := slices.BinarySearch(mine, r.Key()); !there {
				added++
			}
		}
	}
	if conflicts > 1 {
		first = fmt.Errorf("%w; %d more rows differ", first, conflicts-1)
	}
	return added, first
}
