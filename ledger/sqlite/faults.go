package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// explained is an error of SQLite in words for whoever runs the program.
type explained struct {
	says string
	err  *sqlite.Error
}

func (e *explained) Error() string { return fmt.Sprintf("%s (SQLite %d)", e.says, e.err.Code()) }
func (e *explained) Unwrap() error { return e.err }

// explain replaces SQLite's text for the faults of a disk and of access rights.
func explain(err error) error {
	var of *sqlite.Error
	if errors.As(err, new(*explained)) || !errors.As(err, &of) {
		return err
	}
	switch of.Code() {
	case sqlite3.SQLITE_FULL:
		return &explained{"no space left on device", of}
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return &explained{"could not write (is the disk full?)", of}
	}
	switch of.Code() & 0xff {
	case sqlite3.SQLITE_READONLY:
		return &explained{"this user cannot write the file or its folder: run this as a user who may write both", of}
	case sqlite3.SQLITE_CANTOPEN:
		return &explained{"this user cannot open the file or those beside it (-wal, -shm): run this as a user who may write them and the folder", of}
	}
	return err
}
