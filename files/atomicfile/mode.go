package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// usual are the permissions of a new file, less the umask.
const usual = 0o644

// modeFor returns the permissions of a file that will appear at path.
func modeFor(path string) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return info.Mode().Perm(), nil
	case err == nil && Dangling(path):
		return 0, &fs.PathError{Op: "create", Path: path, Err: ErrDangling}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	dir := filepath.Dir(path)
	if mode, ok := news.Load(dir); ok {
		return mode.(fs.FileMode), nil
	}
	mode, err := probe(path)
	if err == nil {
		news.Store(dir, mode)
	}
	return mode, err
}

// ErrDangling is returned for a symbolic link to a file that does not exist. To replace the
// link by a file, or to make the other file, would each surprise someone.
var ErrDangling = errors.New("is a symbolic link to a file that does not exist: remove the link, or make that file")

// Dangling reports whether a name is a symbolic link to a file that does not exist.
func Dangling(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	_, err = os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// news holds the permissions of new files, by folder: to probe costs two files, and
// a run may write thousands into one folder.
var news sync.Map

// probe finds the permissions of a new file. The umask can be read only by setting
// it, for the whole process, and a folder may have a default list of access rights.
// An empty file shows what they leave.
func probe(path string) (fs.FileMode, error) {
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
	info, err := f.Stat()
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
