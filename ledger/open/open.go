// Package open opens a ledger by its place: the path of a SQLite file, or the URL
// of a PostgreSQL database. It links both drivers; a program that needs one store
// imports that store instead.
//
// It opens no ledger in memory, since that protects no budget. Tests open one
// with package ledger/memory.
package open

import (
	"context"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Mode is how a ledger is opened: for reading or writing.
type Mode int

const (
	Read   Mode = iota // changes nothing
	Write              // writes what is there
	Create             // writes, and makes a ledger where there is none
)

// Check refuses a place that is neither a file's path nor a PostgreSQL URL, and
// a URL that holds a password. It opens nothing, and its errors do not repeat
// the place. Check a place before storing it or passing it on.
func Check(place string) error {
	if place == "" {
		return privacy.Bad("ledger", "place", nil, forms)
	}
	return kindOf(place).check(place)
}

// Files lists the files that a ledger at this place uses, including those
// beside the named one. It is empty for a database that a server keeps.
func Files(place string) []string {
	if files := kindOf(place).files; files != nil {
		return files(place)
	}
	return nil
}

// Store opens the store at a place.
func Store(ctx context.Context, place string, mode Mode) (ledger.Store, error) {
	if err := Check(place); err != nil {
		return nil, err
	}
	return kindOf(place).open(ctx, place, mode)
}

// Ledger opens the ledger at a place, which keeps answers forever.
func Ledger(ctx context.Context, place string, mode Mode) (*ledger.Ledger, error) {
	return With(ctx, place, mode, ledger.Config{})
}

// With opens the ledger at a place with cfg. It sets cfg.Store.
func With(ctx context.Context, place string, mode Mode, cfg ledger.Config) (*ledger.Ledger, error) {
	if err := cfg.Answers.Check(); err != nil { // before a file is made
		return nil, err
	}
	store, err := Store(ctx, place, mode)
	if err != nil {
		return nil, err
	}
	cfg.Store = store
	l, err := ledger.Open(ctx, cfg)
	if err != nil {
		_ = store.Close()
	}
	return l, err
}

// Backup copies one consistent state of the ledger at a place into a file, which must be
// empty or missing, also while programs charge the ledger. It refuses a ledger in
// PostgreSQL, which pg_dump copies.
func Backup(ctx context.Context, place, to string) error {
	if err := Check(place); err != nil {
		return err
	}
	backup := kindOf(place).backup
	if backup == nil {
		return privacy.Wrong("ledger", "place", "only a SQLite file is copied", "copy a PostgreSQL database with pg_dump")
	}
	return backup(ctx, place, to)
}
