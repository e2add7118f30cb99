//go:build !windows

package whole

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock takes a file for this process alone until it is closed, or tells that
// another process has it.
func Lock(f *os.File) (free bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
