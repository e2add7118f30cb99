//go:build !windows

// Package filelock locks files between processes.
package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock locks a file for this process until the file is closed. It returns false
// where another process holds the lock.
func Lock(f *os.File) (free bool, err error) { return lock(f, unix.LOCK_EX) }

// Share locks a file together with others that share it, until the file is closed. It returns
// false where another process has the lock alone.
func Share(f *os.File) (free bool, err error) { return lock(f, unix.LOCK_SH) }

func lock(f *os.File, how int) (free bool, err error) {
	err = unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
