package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/internal/filelock"
)

// IsTemporary reports whether a file beside path has one of its temporary names.
func IsTemporary(path, name string) bool {
	digits, ok := strings.CutPrefix(name, prefix(path))
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Sweep removes what killed processes left of some files of a folder: files with their
// temporary names that no process holds. It keeps the temporary names of whole files that
// wait for their names, as after File.CloseUnnamed.
func Sweep(folder string, files []string, keep ...string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	of, kept := map[string]bool{}, map[string]bool{}
	for _, name := range files {
		of[name] = true
	}
	for _, name := range keep {
		kept[name] = true
	}
	for _, e := range entries {
		at := strings.LastIndex(e.Name(), marker)
		if at < 1 || !e.Type().IsRegular() || kept[e.Name()] {
			continue
		}
		if name := e.Name()[1:at]; of[name] && IsTemporary(name, e.Name()) {
			err = errors.Join(err, sweep(filepath.Join(folder, e.Name())))
		}
	}
	return err
}

// SweepBeside removes the files that a library left beside temporary names of a file, such as
// the journal of a database: those with one of the ends whose temporary file is gone. Call it
// after Sweep.
func SweepBeside(folder, file string, ends ...string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		for _, end := range ends {
			of, ok := strings.CutSuffix(e.Name(), end)
			if !ok || !e.Type().IsRegular() || !IsTemporary(file, of) {
				continue
			}
			if _, gone := os.Lstat(filepath.Join(folder, of)); errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, os.Remove(filepath.Join(folder, e.Name())))
			}
		}
	}
	return err
}

// sweep removes a file unless a process holds it, or it cannot be opened or locked.
func sweep(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil //nolint:nilerr // another user's, or gone
	}
	defer f.Close()
	if free, err := filelock.Lock(f); err != nil || !free {
		return nil //nolint:nilerr // held, or nobody knows
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
