package open

import (
	"context"
	"regexp"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/postgres"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
)

// kind is one kind of store.
type kind struct {
	matches func(place string) bool
	// check refuses a place of this kind that cannot be opened or should not be. Its
	// errors do not repeat the place.
	check func(place string) error
	// files is nil if the ledger is not in files of this machine.
	files func(place string) []string
	open  func(ctx context.Context, place string, mode Mode) (ledger.Store, error)
	// backup is nil if a server keeps the ledger, whose own tools copy it.
	backup func(ctx context.Context, place, to string) error
}

// kinds holds every kind of store: a new one is a package and a row. The first
// that matches opens a place.
var kinds = []kind{
	{postgres.IsAddress, postgres.CheckAddress, nil, openPostgres, nil},
	{anything, checkPath, sqlite.Files, openSQLite, sqlite.Backup},
}

// forms describes the places of all kinds.
const forms = "a SQLite file or postgres://user@host/database"

func kindOf(place string) kind {
	for _, k := range kinds {
		if k.matches(place) {
			return k
		}
	}
	panic("open: the last kind matches every place")
}

func anything(string) bool { return true }

func openPostgres(ctx context.Context, place string, mode Mode) (ledger.Store, error) {
	return opened(postgres.Open(ctx, postgres.Config{URL: place, Create: mode == Create, ReadOnly: mode == Read}))
}

func openSQLite(ctx context.Context, place string, mode Mode) (ledger.Store, error) {
	return opened(sqlite.Open(ctx, sqlite.Config{Path: place, Create: mode == Create, ReadOnly: mode == Read}))
}

// opened keeps a nil pointer from becoming a store that is not nil.
func opened[S ledger.Store](s S, err error) (ledger.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

var (
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://|^(?i:postgres(?:ql)?):`)
	// keywords is the other form that libpq reads: host=db user=sotto password=...
	keywords = regexp.MustCompile(`(?i)(?:^|\s)(?:host|hostaddr|port|dbname|user|service|password|passfile|sslmode|sslpassword)\s*=`)
)

// checkPath refuses what looks like the address of a database: taken for a path,
// it would create a file whose name may hold a password.
func checkPath(place string) error {
	switch {
	case scheme.MatchString(place):
		return privacy.Bad("ledger", "place", nil, forms)
	case keywords.MatchString(place):
		return privacy.Bad("ledger", "place", nil, forms+", without a password")
	}
	return nil
}
