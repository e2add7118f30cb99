// Package sqlite stores a ledger in one SQLite file, in pure Go.
//
// Several processes of one machine may share the file. It is in WAL mode with
// synchronous=FULL: when Update returns, a transaction is on disk, unless the disk reports
// a write as done too early. The files FILE-wal and FILE-shm belong to it; copy it with
// SQLite's tools or while nothing has it open. The file must be on a local disk and have
// one name: a store that finds any of its three files replaced, removed, truncated or hard
// linked returns a *ledger.ReplacedError.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/sotto-dp/sotto/ledger"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyTimeout is how long a writer waits for another process.
const busyTimeout = 15 * time.Second

// Files lists the files that a ledger at this path uses: the path itself, and
// those that SQLite keeps beside it.
func Files(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal"}
}

// Config configures Open.
type Config struct {
	Path string // the file
	// Create makes the file if there is none, readable by its owner only.
	// Without it a missing file is fs.ErrNotExist.
	Create bool
	// ReadOnly opens for View and Check; Update fails.
	ReadOnly bool
}

// Store is a ledger.Store.
type Store struct {
	id            identity
	reads, writes *sql.DB
	writer        *sql.Conn // nil where read-only
	insert        statements
	later, units  bool        // the file has the later tables, and the columns of units
	still         fs.FileInfo // of a ledger that is read without locks, as it was; else nil
}

var _ ledger.Store = (*Store)(nil)

// errReadOnly is returned by Update of a store opened for reading.
var errReadOnly = errors.New("opened for reading only")

// log has SQLite keep a write-ahead log. In a new file that turns a read lock into a write
// lock. SQLite refuses this at once where another program has a write lock, and does not
// wait as elsewhere: programs with read locks that wait for each other's would wait forever.
// So this lets go and asks again.
func (s *Store) log(ctx context.Context) error {
	for end := time.Now().Add(busyTimeout); ; {
		_, err := s.writer.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		var refused *sqlite.Error
		if !errors.As(err, &refused) || refused.Code()&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond + rand.N(10*time.Millisecond)):
		}
	}
}

// durable checks that the driver accepted the settings that durability depends on.
func (s *Store) durable(ctx context.Context) error {
	var journal string
	var synchronous int
	err := s.writer.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&journal)
	if err == nil {
		err = s.writer.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&synchronous)
	}
	if err == nil && (journal != "wal" || synchronous != 2) {
		err = fmt.Errorf("is opened with journal %s and synchronous %d, want wal and 2", journal, synchronous)
	}
	return err
}

// makeFile makes an empty file that only its owner can read, if there is none.
// It never opens an existing one: see identity.
func makeFile(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return plain(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another was first, or it is a link to nothing
		return nil
	}
	if err != nil {
		return plain(err)
	}
	return errors.Join(f.Close(), syncFolder(filepath.Dir(path)))
}

// syncFolder makes a new file's name durable. SQLite does that for its own
// files, this one is ours. Windows has no such call.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return plain(err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// plain removes the path, which wrap adds again.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// address returns a data source name of the driver. The mode still is ro without locks.
func address(path, mode string, pragmas ...string) string {
	q := url.Values{"mode": {mode}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())}}
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	if mode == "still" {
		q.Set("mode", "ro")
		q.Set("immutable", "1")
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

func (s *Store) wrap(err error) error {
	if err == nil {
		return nil
	}
	var replaced *ledger.ReplacedError
	if errors.As(err, &replaced) { // names it already
		return err
	}
	return fmt.Errorf("ledger %s: %w", s.id.place, explain(err))
}

// Close closes the file.
func (s *Store) Close() error {
	err := s.insert.close()
	if s.writer != nil {
		err = errors.Join(err, s.writer.Close())
	}
	for _, db := range []*sql.DB{s.writes, s.reads} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return s.wrap(err)
}
