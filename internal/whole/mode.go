package whole

import (
	"errors"
	"io/fs"
	"os"
)

// usual are the permissions of a new file, less the umask.
const usual = 0o644

// modeFor returns the permissions of a file that is to appear at path.
func modeFor(path string) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return info.Mode().Perm(), nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	// The umask can be read only by setting it, for the whole process. An empty
	// file shows what it leaves.
	f, err := hidden(path)
	if err != nil {
		return 0, err
	}
	name := f.Name()
	if err := errors.Join(f.Close(), os.Remove(name)); err != nil {
		return 0, err
	}
	f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, usual)
	if err != nil {
		return 0, err
	}
	info, err = f.Stat()
	return perm(info), errors.Join(err, f.Close(), os.Remove(name))
}

func perm(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return 0
	}
	return info.Mode().Perm()
}

// allow sets permissions where they differ: some file systems have only one.
func allow(f *os.File, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}
