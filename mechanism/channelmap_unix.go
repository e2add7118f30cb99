//go:build unix

package mechanism

import (
	"fmt"
	"io"
	"io/fs"

	"golang.org/x/sys/unix"
)

// mappable is a file of the system's, an *os.File say. This package does not
// import os, so that nothing in it can open a file.
type mappable interface {
	Stat() (fs.FileInfo, error)
	Fd() uintptr
}

// readChannel reads a channel file. A regular file of the system's is mapped, and
// the mapping lives as long as the program: the file must not be changed in place
// while it is used (write another and rename it). Anything else is read into
// memory.
func readChannel(f io.Reader) (*Compiled, error) {
	m, ok := f.(mappable)
	if !ok {
		return readChannelBytes(f)
	}
	info, err := m.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return readChannelBytes(f)
	}
	if info.Size() < compiledHeaderSize || info.Size() != int64(int(info.Size())) {
		return ReadCompiled(nil)
	}
	data, err := unix.Mmap(int(m.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be mapped: %w", err)
	}
	c, err := ReadCompiled(data)
	if err != nil {
		_ = unix.Munmap(data) // the error of the file matters more
	}
	return c, err
}
