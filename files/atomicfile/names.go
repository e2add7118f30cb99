package atomicfile

import (
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/internal/filelock"
)

func hidden(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), prefix(path)+"*")
}

// prefix is what the temporary names of a file begin with; digits follow.
func prefix(path string) string { return "." + filepath.Base(path) + marker }

// locked is hidden with the file's lock. Where files cannot be locked, it has none, and
// [Sweep] cannot lock it either.
func locked(path string) (*os.File, error) {
	for {
		f, err := hidden(path)
		if err != nil {
			return nil, err
		}
		free, err := filelock.Lock(f)
		if err != nil || free && named(f) {
			return f, nil
		}
		_ = f.Close() // Sweep had it first, and removed it
	}
}

// named reports whether an open file still has its name.
func named(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, there)
}

const marker = ".sotto-"
