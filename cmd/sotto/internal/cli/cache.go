package cli

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/mechanism"
)

// fileCache caches public figures as small files in one folder. A file that cannot be
// read is a miss, and write errors are ignored. Guarantees may depend on a figure, so
// each file ends in an authentication code under this user's key. A file without a valid
// code, or one that another user could have written, is a miss too.
type fileCache struct {
	dir string
	key runkey.Secret
}

// UserCache returns the cache in the user's cache directory, nil if that folder does not
// belong to the user alone.
func UserCache() mechanism.Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	c, err := openCache(filepath.Join(dir, "sotto", "calibrations"))
	if err != nil {
		return nil
	}
	return c
}

// openCache creates the folder if needed, accessible to its owner only.
func openCache(dir string) (c fileCache, err error) {
	c.dir = dir
	if c.key, err = runkey.Of("cache"); err != nil {
		return c, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return c, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return c, err
	}
	if !ownedByUser(info) {
		return c, &fs.PathError{Op: "use", Path: dir, Err: fs.ErrPermission}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return c, os.Chmod(dir, 0o700)
	}
	return c, nil
}

func (c fileCache) path(key string) string { return filepath.Join(c.dir, key+".json") }

// code authenticates value under key: 64 hexadecimal digits.
func (c fileCache) code(key string, value []byte) string {
	code, _ := c.key.Digest(io.MultiReader(bytes.NewReader([]byte(key+"\x00")), bytes.NewReader(value))) // reads memory: no error
	return code
}

// Get returns the value stored under key.
func (c fileCache) Get(key string) ([]byte, bool) {
	f, err := os.Open(c.path(key))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 || !ownedByUser(info) {
		return nil, false
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, false
	}
	value, code, ok := bytes.Cut(data, []byte("\n"))
	if !ok || string(code) != c.code(key, value)+"\n" {
		return nil, false
	}
	return value, true
}

// Put stores value, one line, under key, whole or not at all.
func (c fileCache) Put(key string, value []byte) {
	if bytes.ContainsRune(value, '\n') {
		return
	}
	path := c.path(key)
	if atomicfile.WriteFile(path, append(append(value[:len(value):len(value)], '\n'), c.code(key, value)+"\n"...)) == nil {
		_ = os.Chmod(path, 0o600)
	}
}
