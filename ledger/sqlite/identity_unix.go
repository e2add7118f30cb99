//go:build unix

package sqlite

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// links returns how many names a file has.
func links(_ string, info fs.FileInfo) (uint64, error) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink), nil
	}
	return 1, nil
}

// missing reports whether a path leads to nothing.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// mayWrite and mayRead report whether this user may write or read a file. It is not opened:
// see identity.
func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
func mayRead(path string) bool  { return unix.Access(path, unix.R_OK) == nil }
