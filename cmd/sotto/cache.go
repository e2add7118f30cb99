package main

import (
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/internal/whole"
	"github.com/sotto-dp/sotto/mechanism"
)

// fileCache keeps public figures as small files in one folder. It is an
// optimisation: what cannot be read or written is computed again.
type fileCache struct{ dir string }

// userCache is the cache in the user's cache directory, or nil where there is none.
func userCache() mechanism.Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return fileCache{filepath.Join(dir, "sotto", "calibrations")}
}

func (c fileCache) path(key string) string { return filepath.Join(c.dir, key+".json") }

// Get returns what was put under key.
func (c fileCache) Get(key string) ([]byte, bool) {
	data, err := os.ReadFile(c.path(key))
	return data, err == nil
}

// Put keeps value under key, whole or not at all.
func (c fileCache) Put(key string, value []byte) {
	if os.MkdirAll(c.dir, 0o755) == nil {
		_ = whole.WriteFile(c.path(key), value)
	}
}
