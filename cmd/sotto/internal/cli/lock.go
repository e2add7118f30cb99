package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/sotto-dp/sotto/internal/filelock"
)

// LockName returns the name of the file that is locked while another one is in use, which
// cannot be locked itself because it is replaced.
func LockName(name string) string { return Target(name) + ".lock" }

// Lock keeps a file for this process until unlock is called, and refuses one that another
// process keeps.
func Lock(term *Terminal, name string) (unlock func(), err error) {
	lock := LockName(name)
	if err := term.MayWrite(lock); err != nil {
		return nil, err
	}
	for {
		f, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", lock, PlainError(err))
		}
		free, err := filelock.Lock(f)
		if err == nil && !free {
			err = errors.New("in use by another run: wait until it ends")
		}
		if err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("%s: %w", name, PlainError(err))
		}
		own, err := f.Stat()
		if now, e := os.Stat(lock); err == nil && e == nil && os.SameFile(own, now) {
			return func() {
				_ = os.Remove(lock) // not on Windows, where an open file stays until it is closed
				_ = f.Close()
			}, nil
		}
		_ = f.Close() // removed by the process that had it
	}
}
