package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/sotto-dp/sotto/ledger"
)

// identity identifies the opened files: the ledger's and the two that SQLite
// keeps beside it. SQLite writes to the files that it opened, even if they are
// renamed or removed; charges in a removed file are lost when the process ends.
//
// The files are examined by name and never opened here: closing any descriptor
// of a file drops all of the process's locks on it (POSIX), SQLite's too.
type identity struct {
	place string // as the caller named it

	mu    sync.Mutex
	files []known
}

// known is the last known state of one file. The file may only grow.
type known struct {
	what string // for messages
	name string // absolute; of the ledger itself as given, so that a symbolic link is followed each time
	info fs.FileInfo
}

// find examines the ledger's file before it is opened, and returns the path
// without symbolic links: SQLite names its other files after it, and they must
// be the same for all who open the ledger.
func (id *identity) find(path string) (real string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", plain(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("is not a regular file")
	}
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", plain(err)
	}
	if !mayRead(real) {
		return "", fs.ErrPermission
	}
	if err := unfit(real); err != nil {
		return "", err
	}
	n, err := links(real, info)
	if err != nil {
		return "", plain(err)
	}
	if n > 1 {
		return "", errHardLink
	}
	os.SameFile(info, info) // on Windows this reads the file's number
	id.files = []known{{"the file", path, info}}
	return real, nil
}

var errHardLink = errors.New("has another name (a hard link): two programs that use both would lose charges; remove one of the names")

// opened records the files beside it, which SQLite has made by now. Only a writer
// watches them: losing a log that was only read loses nothing.
func (id *identity) opened(real string) error {
	for _, end := range []string{"-wal", "-shm"} {
		info, err := os.Stat(real + end)
		if errors.Is(err, fs.ErrNotExist) {
			return errors.New("has no " + end + " file: this file system or driver does not keep a write-ahead log")
		}
		if err != nil {
			return plain(err)
		}
		os.SameFile(info, info)
		id.files = append(id.files, known{"its " + end + " file", real + end, info})
	}
	return id.check()
}

// check compares the files that have the names now with those that were opened.
func (id *identity) check() error {
	id.mu.Lock()
	defer id.mu.Unlock()
	for i := range id.files {
		k := &id.files[i]
		info, err := os.Stat(k.name)
		if err != nil && !missing(err) {
			return plain(err)
		}
		what := ""
		switch {
		case err != nil:
			what = k.what + " was removed or renamed"
		case !os.SameFile(info, k.info):
			what = k.what + " was replaced"
		case info.Size() < k.info.Size():
			what = k.what + " was cut"
		case i == 0:
			n, err := links(k.name, info)
			if err != nil {
				return plain(err)
			}
			if n > 1 {
				what = k.what + " got another name (a hard link)"
			}
		}
		if what != "" {
			return &ledger.ReplacedError{Place: id.place, What: what}
		}
		k.info = info
	}
	return nil
}
