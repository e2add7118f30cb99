//go:build unix

package runkey

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openKey opens a key without following a link in its last place.
func openKey(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		if info, lstat := os.Lstat(path); lstat == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s is a symbolic link: a key is a file of its own", path)
		}
	}
	return f, err
}

// private refuses a key that is not the user's alone.
func private(path string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int64(stat.Uid) != int64(os.Geteuid()) {
		return fmt.Errorf("%s belongs to another user: a key of runs must be your own", path)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%s has mode %04o, so others may have read it, and whoever has read it can undo the draws: see who could, remove it, and begin a new run; a key has mode 0600", path, mode)
	}
	return nil
}
