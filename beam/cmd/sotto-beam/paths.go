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
	for _, kind := range []any{new(*usageError), new(*paths.ConflictError), new(*privacy.ParameterError), new(*privacy.StandingError), new(*sotto.ConflictError), new(*request.ConflictError), new(*request.ValueError), new(*request.MissingEpsilonError), new(*corpus.TableError),
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

// checkPaths refuses a command line that would write a file it also reads, or read texts twice or
// as public, before anything is opened. Package files does the same for inputs and parts.
func checkPaths(cfg files.Config, suffix string) error {
	var uses []paths.Use
	add := func(u paths.Use) {
		if u.Name != "" {
			uses = append(uses, u)
		}
	}
	for _, in := range cfg.Inputs {
		add(paths.Use{Flag: "--input", Name: in, Texts: true})
	}
	add(paths.Use{Flag: "--require_certificate", Name: asked.RequireCertificate})
	add(paths.Use{Flag: "--embeddings", Name: asked.Embeddings, Public: true})
	add(paths.Use{Flag: "--corpus", Name: asked.Corpus, Public: true})
	for _, value := range cfg.Parameters {
		if _, err := os.Stat(value); err == nil {
			add(paths.Use{Flag: "--param", Name: value})
		}
	}
	if cfg.Ledger != "" {
		for _, file := range open.Files(cfg.Ledger) {
			add(paths.Use{Flag: "--ledger", Name: file, Writes: true})
		}
	}
	for _, u := range uses {
		if u.Flag != "--input" && partName.MatchString(u.Name) && paths.Same(filepath.Dir(u.Name), cfg.Output) {
			return wrong("%s could be overwritten, because it is named like an output in %s: choose another folder", u, cfg.Output)
		}
	}
	for _, name := range []string{files.RunName, "sotto-report" + suffix + ".json", "sotto-failures" + suffix} {
		add(paths.Use{Flag: "--output", Name: join(name), Writes: true})
	}
	return paths.Check(uses)
}
