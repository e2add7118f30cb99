package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/beam/files"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	runs "github.com/sotto-dp/sotto/run"
	"github.com/sotto-dp/sotto/text"
)

// usageError is an error in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func wrong(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// wrongUsage reports whether the command line, or a field or an account that it names, is
// wrong, as in sotto.
func wrongUsage(err error) bool {
	for _, kind := range []any{new(*usageError), new(*privacy.ParameterError), new(*privacy.StandingError), new(*sotto.ConflictError), new(*request.ConflictError), new(*request.ValueError), new(*corpus.TableError),
		new(*text.FieldError), new(*ledger.UnknownAccountError), new(*ledger.BasisError), new(*ledger.UnitError)} {
		if errors.As(err, kind) {
			return true
		}
	}
	var refused *runs.Refusal
	return errors.As(err, &refused) && refused.Usage
}

// expand returns the files that match a name or pattern.
func expand(ctx context.Context, pattern string) ([]string, error) {
	if !strings.Contains(pattern, "://") {
		return paths.Expand(pattern)
	}
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

// partName matches the name of a part's output.
var partName = regexp.MustCompile(`-\d{6,}(\.[^.]*)?$`)

// checkPaths refuses a command line that would write a file it also reads, before
// anything is opened. Package files does the same for inputs and parts.
func checkPaths(cfg files.Config, suffix string) error {
	var uses []paths.Use
	use := func(flag, name string, writes bool) {
		if name != "" {
			uses = append(uses, paths.Use{Flag: flag, Name: name, Writes: writes})
		}
	}
	for _, in := range cfg.Inputs {
		use("--input", in, false)
	}
	use("--require_certificate", asked.RequireCertificate, false)
	use("--embeddings", asked.Embeddings, false)
	for _, value := range cfg.Parameters {
		if _, err := os.Stat(value); err == nil {
			use("--param", value, false)
		}
	}
	if cfg.Ledger != "" {
		for _, file := range open.Files(cfg.Ledger) {
			use("--ledger", file, true)
		}
	}
	for _, u := range uses {
		if u.Flag != "--input" && partName.MatchString(u.Name) && paths.Same(filepath.Dir(u.Name), cfg.Output) {
			return wrong("%s could be overwritten, because it is named like an output in %s: choose another folder", u, cfg.Output)
		}
	}
	for _, name := range []string{files.RunName, "sotto-report" + suffix + ".json", "sotto-failures" + suffix} {
		use("--output", join(name), true)
	}
	err := paths.Check(uses)
	var conflict *paths.ConflictError
	if errors.As(err, &conflict) {
		return &usageError{err}
	}
	return err
}
