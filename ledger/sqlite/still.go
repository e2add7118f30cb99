package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// mode returns the mode in which SQLite opens the file.
func (s *Store) mode(cfg Config, path string) (string, error) {
	if !cfg.ReadOnly {
		return "rw", nil
	}
	is, err := still(path)
	if err != nil || !is {
		return "ro", err
	}
	s.still = s.id.files[0].info
	return "still", nil
}

// still reports whether a ledger must be read without SQLite's locks, and may be: this user
// cannot write the files of its log and index, which a reader makes, and the log has nothing
// that the file lacks. Whoever may write it can begin to at any time; unwritten finds that.
func still(path string) (bool, error) {
	if mayWrite(path) && mayWrite(filepath.Dir(path)) {
		return false, nil
	}
	for _, end := range []string{"-wal", "-journal"} {
		switch info, err := os.Stat(path + end); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return false, plain(err)
		case info.Size() > 0:
			return false, nil
		case end == "-wal" && mayRead(path+"-shm"): // a program may have it open: share its locks
			return false, nil
		}
	}
	return true, nil
}

var errWritten = errors.New("was written to while it was read, and this user cannot lock it: try again, or run this as a user who may write the file and its folder")

// unwritten returns an error if a ledger that is read without locks was written to since it
// was opened: what was read may be of two states.
func (s *Store) unwritten() error {
	if s.still == nil {
		return nil
	}
	info, err := os.Stat(s.id.files[0].name)
	if err != nil {
		return plain(err)
	}
	if !info.ModTime().Equal(s.still.ModTime()) || info.Size() != s.still.Size() {
		return errWritten
	}
	return nil
}
