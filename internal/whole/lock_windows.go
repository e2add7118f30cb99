package whole

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock takes a file for this process alone until it is closed, or tells that
// another process has it. The bytes that are locked lie past any content.
func Lock(f *os.File) (free bool, err error) {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
