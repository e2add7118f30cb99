// Package open opens a ledger by the name of its place: the path of a SQLite
// file, or the URL of a PostgreSQL database. It links both drivers; a program
// that needs one store imports that store instead.
package open

import (
	"context"
	"regexp"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/postgres"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
)

// Mode is what a ledger is opened for.
type Mode int

const (
	Read   Mode = iota // changes nothing
	Write              // writes what is there
	Create             // writes, and makes a ledger where there is none
)

var (
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://|^(?i:postgres(?:ql)?):`)
	// keywords is the other form that libpq reads: host=db user=sotto password=...
	keywords = regexp.MustCompile(`(?i)(?:^|\s)(?:host|hostaddr|port|dbname|user|service|password|passfile|sslmode|sslpassword)\s*=`)
)

// Check refuses a place that is neither a file's path nor a PostgreSQL URL, and
// a URL that holds a password. It opens nothing, and its errors do not repeat
// the place. What stores or passes on a ledger's place checks it first.
func Check(place string) error {
	switch {
	case place == "":
		return privacy.Bad("ledger", "place", "empty", "a SQLite file or postgres://user@host/database")
	case postgres.IsAddress(place):
		return postgres.CheckAddress(place)
	case scheme.MatchString(place):
		return privacy.Bad("ledger", "place", "a URL of another scheme", "a SQLite file or postgres://user@host/database")
	case keywords.MatchString(place):
		return privacy.Bad("ledger", "place", "a list of keywords and values", "a SQLite file or postgres://user@host/database, without a password")
	}
	return nil
}

// Redact returns a place for messages and logs: of a URL, what is no secret.
func Redact(place string) string {
	switch {
	case postgres.IsAddress(place):
		return postgres.Redact(place)
	case Check(place) != nil:
		return "..."
	}
	return place
}

// Store opens the store at a place.
func Store(ctx context.Context, place string, mode Mode) (ledger.Store, error) {
	if err := Check(place); err != nil {
		return nil, err
	}
	if postgres.IsAddress(place) {
		s, err := postgres.Open(ctx, postgres.Config{URL: place, Create: mode == Create, ReadOnly: mode == Read})
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	s, err := sqlite.Open(ctx, sqlite.Config{Path: place, Create: mode == Create, ReadOnly: mode == Read})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Ledger opens the ledger at a place, which keeps answers for ever.
func Ledger(ctx context.Context, place string, mode Mode) (*ledger.Ledger, error) {
	return With(ctx, place, mode, ledger.Config{})
}

// With opens the ledger at a place, configured but for its store.
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
