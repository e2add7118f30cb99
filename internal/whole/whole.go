// Package whole writes files that appear under their name whole or not at all.
//
// Until then a file is beside its name under a hidden one, a dot, the name and
// digits, and only its owner may read it.
package whole

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. It is for one goroutine.
type File struct {
	*os.File
	path string
	mode fs.FileMode // when it has its name
	done bool
}

// Create begins a file that is to appear at path. One that it replaces leaves it
// its permissions; a new one gets 0644 less the process's umask.
func Create(path string) (*File, error) {
	mode, err := modeFor(path)
	if err != nil {
		return nil, err
	}
	f, err := hidden(path) // mode 0600
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: path, mode: mode}, nil
}

// CloseAtomicallyReplace gives the file its name, also where another has it.
func (f *File) CloseAtomicallyReplace() error {
	if err := f.close(); err != nil {
		return err
	}
	err := os.Rename(f.Name(), f.path)
	f.done = err == nil
	return err
}

// CloseUnlessThere gives the file its name unless another file has it; that one
// stays.
func (f *File) CloseUnlessThere() error {
	if err := f.close(); err != nil {
		return err
	}
	if err := os.Link(f.Name(), f.path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	err := os.Remove(f.Name())
	f.done = err == nil
	return err
}

// close makes the file ready for its name.
func (f *File) close() error {
	return errors.Join(allow(f.File, f.mode), f.Sync(), f.File.Close())
}

// Cleanup removes what did not get its name.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	_ = f.File.Close()
	return os.Remove(f.Name())
}

// WriteFile writes a file, whole or not at all.
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

// Rename gives a file its name that a process wrote in full and then left under
// the name temporary, which it had from Create.
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

func hidden(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
}
