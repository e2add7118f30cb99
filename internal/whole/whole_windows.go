package whole

import (
	"os"
	"path/filepath"
)

// File is a file that is being written.
type File struct {
	*os.File
	path string
	done bool
}

// Create begins a file that is to stand at path.
func Create(path string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: path}, nil
}

// CloseAtomicallyReplace gives the file its name.
func (f *File) CloseAtomicallyReplace() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	f.done = true
	return os.Rename(f.Name(), f.path)
}

// Cleanup removes what did not get its name.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	_ = f.Close()
	return os.Remove(f.Name())
}
