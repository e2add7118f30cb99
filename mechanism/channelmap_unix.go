//go:build unix

package mechanism

import (
	"os"

	"golang.org/x/sys/unix"
)

// OpenCompiled maps a channel file and reads it. The mapping stays for as long
// as the program runs. The file must not be changed in place while it is used:
// write another and rename it.
func OpenCompiled(path string) (*Compiled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() < compiledHeaderSize || info.Size() != int64(int(info.Size())) {
		return ReadCompiled(nil)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: path, Err: err}
	}
	c, err := ReadCompiled(data)
	if err != nil {
		_ = unix.Munmap(data) // the error of the file matters more
	}
	return c, err
}
