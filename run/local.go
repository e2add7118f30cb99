package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// Local is the file system of this machine.
type Local struct{}

// Exists reports whether there is a file, or a link, of this name.
func (Local) Exists(_ context.Context, name string) (bool, error) {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, named(name, err)
	}
	return true, nil
}

// Sum returns the SHA-256 of a file.
func (Local) Sum(_ context.Context, name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", named(name, err)
	}
	defer f.Close()
	return sumOf(name, f)
}

// Publish renames a whole file.
func (Local) Publish(_ context.Context, temporary, name string) error {
	return named(name, atomicfile.Rename(temporary, name))
}

// Remove removes a file, if it is there.
func (Local) Remove(_ context.Context, name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return named(name, err)
	}
	return nil
}

// SumOf returns the SHA-256 of an open file from its start, in hexadecimal digits, and
// seeks back there.
func SumOf(f *os.File) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", named(f.Name(), err)
	}
	sum, err := sumOf(f.Name(), f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return sum, named(f.Name(), err)
}

func sumOf(name string, in io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", named(name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// named returns an error of the operating system after the name that the user gave.
func named(name string, err error) error {
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
