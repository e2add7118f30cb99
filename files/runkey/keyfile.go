package runkey

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readOrCreate returns the key in a file, which it makes if there is none.
func readOrCreate(path string) ([]byte, error) {
	key, err := read(path)
	for tries := 0; errors.Is(err, fs.ErrNotExist) && tries < 10; tries++ {
		if err = create(path); err == nil {
			key, err = read(path)
		} // another process that ends the run may have removed it
	}
	return key, err
}

// read returns the key in a file. It refuses a file that another user owns or may read,
// because the key is then no secret, and a key of another size. What is checked is the
// open file, not a name that may change.
func read(path string) ([]byte, error) {
	f, err := openKey(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: move it away", path)
	}
	if err := private(path, info); err != nil {
		return nil, err
	}
	key, err := io.ReadAll(io.LimitReader(f, size+1))
	if err != nil {
		return nil, err
	}
	if len(key) != size {
		return nil, fmt.Errorf("%s: the key has %d bytes, want %d", path, info.Size(), size)
	}
	return key, nil
}

// create makes a new key. The file appears complete; one that another process made
// first stays.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary(path)) // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // the link stays
	key := make([]byte, size)
	_, _ = rand.Read(key) // never fails
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// temporary is the pattern of the names that a key has before it has its own.
func temporary(path string) string { return "." + filepath.Base(path) + "*" }

// Of returns the secret of a run with a random name, which may be public. It makes
// the user's key, 32 random bytes at Path, if there is none. It refuses a key of another
// size, and one that others may read.
func Of(run string) (Secret, error) {
	path, err := Path()
	if err != nil {
		return Secret{}, err
	}
	key, err := readOrCreate(path)
	if err != nil {
		return Secret{}, fmt.Errorf("the key of runs: %w", err)
	}
	return Secret{sum(key, "run\x00"+run)}, nil
}
