//go:build unix

package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// TakeOver gives the file the owner and group of the file that it replaces, for a file that
// others read, such as a service under its own user. It returns ErrOwner without the right to
// do so, and ErrLinks for a file with several names.
func (f *File) TakeOver() error {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	own, err := f.f.Stat()
	if err != nil {
		return err
	}
	old, ok := info.Sys().(*syscall.Stat_t)
	made, also := own.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !also:
		return nil
	case old.Nlink > 1:
		return ErrLinks
	case old.Uid == made.Uid && old.Gid == made.Gid:
		return nil
	}
	err = f.f.Chown(int(old.Uid), int(old.Gid))
	mode := info.Mode().Perm()
	if err == nil || old.Uid == made.Uid && (mode&0o040 == 0 || mode&0o004 != 0) { // the group reads nothing by being the group
		return nil
	}
	return fmt.Errorf("%w: %w", ErrOwner, err)
}
