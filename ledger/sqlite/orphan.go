package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// orphaned refuses a ledger file that is missing or empty beside the log of an earlier one.
// The log may hold charges that are nowhere else, and SQLite removes it when it opens an
// empty file.
func orphaned(path string) error {
	if gone, err := noContent(path); !gone || err != nil {
		return err
	}
	var left []string
	for _, end := range []string{"-wal", "-shm"} {
		switch _, err := os.Lstat(path + end); {
		case err == nil:
			left = append(left, filepath.Base(path)+end)
		case !errors.Is(err, fs.ErrNotExist):
			return plain(err)
		}
	}
	if len(left) == 0 {
		return nil
	}
	// Another process may have made the ledger and its log since the first look. It writes
	// the file before it makes the log.
	if gone, err := noContent(path); !gone || err != nil {
		return err
	}
	files := strings.Join(left, " and ")
	return fmt.Errorf("is missing or empty, but %s of an earlier ledger may hold charges: put its file back beside them (for a new ledger, move %s away first)", files, files)
}

// noContent reports whether a file is missing or empty.
func noContent(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, plain(err)
	}
	return info.Size() == 0, nil
}
