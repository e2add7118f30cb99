package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks a file for this process until the file is closed. It returns false
// where another process holds the lock. The locked bytes are past any content,
// so that readers are not blocked.
func Lock(f *os.File) (free bool, err error) { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// Share locks a file together with others that share it, until the file is closed. It returns
// false where another process has the lock alone.
func Share(f *os.File) (free bool, err error) { return lock(f, 0) }

func lock(f *os.File, how uint32) (free bool, err error) {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
