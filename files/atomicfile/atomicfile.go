// Package atomicfile writes files that appear under their names complete or not at
// all.
//
// A file that is being written is in the same folder under a hidden name: a dot, the
// final name, ".sotto-" and digits. It is locked as long as its process lives, so that
// [Sweep] can remove what a killed one left. It has mode 0600 before its first byte, because a
// half-written output shows how far a private input has been read. It gets the
// permissions of the file that it replaces, or 0644 less the umask, together with
// its name.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// File is a file that is being written. It must not be used by several goroutines
// at once. Call Cleanup in a defer: it removes a file that did not get its name.
type File struct {
	f    *os.File
	path string
	mode fs.FileMode // when it has its name
	done bool
}

// Create begins a file that is to appear at path. The folder must exist. Errors are
// those of the operating system.
func Create(path string) (*File, error) {
	mode, err := modeFor(path)
	if err != nil {
		return nil, err
	}
	f, err := locked(path) // mode 0600
	if err != nil {
		return nil, err
	}
	return &File{f: f, path: path, mode: mode}, nil
}

// CreatePrivate is Create for a file that only its owner may read, whatever it replaces.
func CreatePrivate(path string) (*File, error) {
	f, err := Create(path)
	if err == nil {
		f.mode = 0o600
	}
	return f, err
}

// Name returns the temporary name of the file.
func (f *File) Name() string { return f.f.Name() }

// Write appends p to the file.
func (f *File) Write(p []byte) (int, error) { return f.f.Write(p) }

// WriteAt writes p at an offset in bytes, as for a header that is known last.
func (f *File) WriteAt(p []byte, off int64) (int, error) { return f.f.WriteAt(p, off) }

// CloseAtomicallyReplace syncs the file to disk and renames it to its final name.
// It replaces an existing file.
func (f *File) CloseAtomicallyReplace() error {
	if runtime.GOOS == "windows" { // an open file cannot be renamed there
		if err := errors.Join(f.sync(), f.f.Close()); err != nil {
			return err
		}
		err := os.Rename(f.Name(), f.path)
		f.done = err == nil
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	f.done = true
	return f.f.Close() // only now: the lock keeps others from the temporary name
}

// CloseUnlessThere syncs the file to disk and renames it to its final name. If
// that exists, it is kept and this file is removed.
func (f *File) CloseUnlessThere() error {
	if err := f.sync(); err != nil {
		return err
	}
	if err := os.Link(f.Name(), f.path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f.done = true
	return errors.Join(f.f.Close(), os.Remove(f.Name()))
}

// sync sets the permissions and writes the content to disk.
func (f *File) sync() error { return errors.Join(allow(f.f, f.mode), f.f.Sync()) }

// CloseUnnamed writes the file to disk and leaves it under its temporary name, for
// Rename. Cleanup does not remove it any more.
func (f *File) CloseUnnamed() error {
	f.done = true
	return errors.Join(f.f.Sync(), f.f.Close())
}

// Cleanup removes a file that did not get its name, and does nothing after one that
// did.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	_ = f.f.Close()
	return os.Remove(f.Name())
}

// WriteFile writes data to a file atomically. It replaces an existing file.
func WriteFile(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// Rename renames a complete file that another process left under its temporary
// name, File.Name. It replaces an existing file.
func Rename(temporary, path string) error {
	mode, err := modeFor(path)
	if err != nil {
		return err
	}
	f, err := os.Open(temporary)
	if err != nil {
		return err
	}
	if err := errors.Join(allow(f, mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
