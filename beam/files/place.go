package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// local reports whether a name is a path of this machine.
func local(name string) bool { return !strings.Contains(name, "://") }

// signs are the characters that file systems treat as patterns.
const signs = `*?[]\`

// exists reports whether there is a file of exactly this name.
func exists(ctx context.Context, name string) (bool, error) {
	if local(name) {
		_, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil, err
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return false, err
	}
	defer files.Close()
	found, err := files.List(ctx, name) // Rewrite refuses remote names with signs
	return len(found) > 0, err
}

// stage writes a file in full to the disk, beside the given name, and returns its
// temporary name. On this machine only its owner may read it.
func stage(ctx context.Context, near string, data []byte) (temporary string, err error) {
	if !local(near) {
		temporary = near + "." + rand.Text()
		return temporary, overwrite(ctx, temporary, data)
	}
	f, err := begin(near, data)
	if err != nil {
		return "", err
	}
	return f.Name(), f.CloseUnnamed()
}

// publish renames a staged file to its final name.
func publish(ctx context.Context, temporary, name string) error {
	if local(name) {
		return atomicfile.Rename(temporary, name)
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	return filesystem.Rename(ctx, files, temporary, name)
}

// first writes a small file, whole or not at all. On a local file system it fails if the
// name exists.
func first(ctx context.Context, name string, data []byte) error {
	if !local(name) {
		return overwrite(ctx, name, data)
	}
	f, err := begin(name, data)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // leaves nothing behind
	return f.CloseUnlessThere()
}

// overwrite writes a small file, whole or not at all.
func overwrite(ctx context.Context, name string, data []byte) error {
	if local(name) {
		return atomicfile.WriteFile(name, data)
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	return filesystem.Write(ctx, files, name, data)
}

// begin writes a file that has no name yet.
func begin(name string, data []byte) (*atomicfile.File, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(name)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(err, f.Cleanup())
	}
	return f, nil
}

func remove(ctx context.Context, name string) error {
	if local(name) {
		return os.Remove(name)
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	if r, ok := files.(filesystem.Remover); ok {
		return r.Remove(ctx, name)
	}
	return fmt.Errorf("%s: its file system cannot remove files", name)
}

func openRead(ctx context.Context, name string) (io.ReadCloser, error) {
	if local(name) {
		return os.Open(name)
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	return files.OpenRead(ctx, name)
}

func readAll(ctx context.Context, name string) ([]byte, error) {
	in, err := openRead(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

// ReadIfThere returns the contents of a file, nil if there is none.
func ReadIfThere(ctx context.Context, name string) ([]byte, error) {
	if ok, err := exists(ctx, name); err != nil || !ok {
		return nil, err
	}
	return readAll(ctx, name)
}

// RemoveIfThere removes a file that an earlier run may have left.
func RemoveIfThere(ctx context.Context, name string) error {
	if ok, err := exists(ctx, name); err != nil || !ok {
		return err
	}
	return remove(ctx, name)
}

// Clean removes the leftovers of interrupted attempts from a local folder. Call it after
// a run that no other process shares. Such a leftover is a second draw of the same texts.
func Clean(cfg Config) error {
	if !local(cfg.Output) || cfg.Of > 1 {
		return nil
	}
	entries, err := cfg.beside()
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".json") {
			err = errors.Join(err, os.Remove(filepath.Join(cfg.Output, recordsFolder, e.Name())))
		}
	}
	return err
}

// beside returns what is in the local folder of the records, if there is one.
func (c Config) beside() ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(filepath.Join(c.Output, recordsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// places is the file system of outputs, local or Beam's.
type places struct{}

func (places) Exists(ctx context.Context, name string) (bool, error) { return exists(ctx, name) }

func (places) Sum(ctx context.Context, name string) (string, error) {
	data, err := readAll(ctx, name)
	return sumOf(data), err
}

func (places) Publish(ctx context.Context, temporary, name string) error {
	return publish(ctx, temporary, name)
}

func (places) Remove(ctx context.Context, name string) error { return RemoveIfThere(ctx, name) }
