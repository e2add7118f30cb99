// Package opening opens what the flags of a command name: mechanisms, tables, corpora, models
// and the reports of releases.
package opening

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// MechanismFlags are shared by the commands that open a mechanism.
type MechanismFlags struct {
	Mechanism      string   `short:"m" placeholder:"NAME" group:"privacy" help:"Mechanism of the catalogue (default: by the notion)."`
	Notion         string   `placeholder:"KIND" group:"privacy" help:"Kind of guarantee if no mechanism is given: pure or metric."`
	Epsilon        *float64 `short:"e" placeholder:"E" group:"privacy" help:"Privacy parameter of one release: of a token, a text or a vector; no default."`
	ParameterFlags `group:"parameters"`
	Param          map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"A parameter of the mechanism by name, as an alternative to its flag (repeatable)."`
	Calibrate      string            `placeholder:"HOW" group:"privacy" help:"Meaning of epsilon for exponential-type mechanisms: certified (default) or published."`
	TableFlags
	Accept string `placeholder:"STANDING" group:"privacy" help:"Open mechanisms whose standing is below proved, for this call: refuted or stated."`
	JSON   bool   `name:"json" group:"output" help:"Print one JSON document."`
	// chosen means that epsilon may be left out, since something else determines it.
	Chosen bool `kong:"-"`
	// unworded means that texts are not cut into words of a table; a table is opened only
	// if one is given.
	Unworded bool `kong:"-"`
}

// Given returns the flags of a struct that are set, by name. Every field is a string and
// named like its flag.
func Given(flags any) map[string]string {
	all := map[string]string{}
	v := reflect.ValueOf(flags)
	for i := range v.NumField() {
		if value := v.Field(i).String(); value != "" {
			all[v.Type().Field(i).Tag.Get("name")] = value
		}
	}
	return all
}

// TableFlags choose the vocabulary.
type TableFlags struct {
	Embeddings string `path:"table" placeholder:"NAME|FILE" group:"input" help:"Embedded table, imported table, or vector file (default: english)."`
	Words      *int   `placeholder:"N" group:"input" help:"Use only the first N words of the table."`
	Never      string `path:"table" placeholder:"FILE|default" group:"privacy" help:"Public list of words that never come out, one per line, or default: remains of markup, and slurs. A listed word of a text is read as the word nearest to it."`
}

// Table opens the chosen vocabulary.
func (f *TableFlags) Table(ctx context.Context) (*embedding.Table, error) {
	t, err := Table(ctx, f.Embeddings)
	if err != nil {
		return nil, err
	}
	if f.Words != nil {
		if *f.Words < 1 || *f.Words > t.Len() {
			return nil, privacy.Bad("embeddings", "words", *f.Words, fmt.Sprintf("1 to %d", t.Len()))
		}
		if t, err = t.First(*f.Words); err != nil {
			return nil, err
		}
	}
	return Without(ctx, t, f.Never)
}

// NewSpec returns the spec with which every command opens a mechanism: with the user's
// cache and files.
func NewSpec(parameters mechanism.Values, report progress.Func) mechanism.Spec {
	own := mechanism.Values{}
	maps.Copy(own, parameters)
	return mechanism.Spec{Parameters: own, Cache: cli.UserCache(), Open: sotto.OpenFile, Progress: report}
}

// Config converts the flags to sotto's configuration.
func (f *MechanismFlags) Config(ctx context.Context, term *cli.Terminal, command string) (sotto.Config, error) {
	cfg := sotto.Config{Mechanism: f.Mechanism, Notion: privacy.Notion(f.Notion)}
	switch f.Notion {
	case "", "pure", "metric":
	default:
		return cfg, cli.WrongUsage("", "--notion must be pure or metric, got %q", f.Notion)
	}
	if f.Mechanism != "" {
		if _, ok := catalog.Find(f.Mechanism); !ok {
			return cfg, UnknownMechanism(f.Mechanism)
		}
	}
	epsilon := 0.0
	if f.Epsilon != nil {
		epsilon = *f.Epsilon
	} else if !f.Chosen {
		unit, hint := "token", "try --epsilon 8: a smaller epsilon protects more and keeps less; sotto explain --epsilon 8 doctor shows what it does to a word, and sotto tune --attack 0.05 finds one by a risk"
		if f.Unworded {
			unit, hint = "text", "try --epsilon 4: a smaller epsilon protects more and keeps less; sotto tune --linkage 0.1 finds one by a risk"
		} else if command == "embed" {
			unit, hint = "vector", "try --epsilon 4: a smaller epsilon protects more and keeps less"
		}
		return cfg, cli.WrongUsage(hint, "%s needs --epsilon, the privacy parameter per %s; there is no default", command, unit)
	}
	cfg.Epsilon, cfg.Parameters = epsilon, mechanism.Values{}
	maps.Copy(cfg.Parameters, f.Param)
	cfg.Cache, cfg.Open, cfg.Progress = cli.UserCache(), sotto.OpenFile, term.Progress()
	maps.Copy(cfg.Parameters, Given(f.ParameterFlags))
	switch f.Calibrate {
	case "", "certified":
	case "published":
		cfg.Published = true
	default:
		return cfg, cli.WrongUsage("", "--calibrate must be certified or published, got %q", f.Calibrate)
	}
	switch f.Accept {
	case "":
	case "refuted", "stated":
		if err := cfg.Accept.UnmarshalText([]byte(f.Accept)); err != nil {
			return cfg, err
		}
	default:
		return cfg, cli.WrongUsage("", "--accept must be refuted or stated, got %q", f.Accept)
	}
	// A wrong epsilon is reported before a table is opened.
	if f.Epsilon != nil {
		if err := privacy.CheckEpsilon(command, epsilon); err != nil {
			return cfg, err
		}
	}
	if f.Never != "" && (f.Unworded || command == "embed") {
		return cfg, cli.WrongUsage("", "--never cannot be used here: the outputs are not words of a table")
	}
	if f.Unworded && f.Embeddings == "" {
		return cfg, nil
	}
	var err error
	cfg.Table, err = f.Table(ctx)
	return cfg, err
}

func MechanismNames() (names []string) {
	for _, e := range catalog.All() {
		names = append(names, e.Name)
	}
	return names
}

func UnknownMechanism(name string) error {
	hint := cli.DidYouMean(name, MechanismNames())
	if hint == "" {
		hint = "see sotto mechanisms"
	}
	return cli.WrongUsage(hint, "mechanism %q is not in the catalogue", name)
}

// Table opens an embedded table, a file, or an imported table. It ends with ctx, even
// if the file is a pipe that nobody writes to.
func Table(ctx context.Context, name string) (*embedding.Table, error) {
	if name == "" || name == "english" {
		return builtin.English()
	}
	t, err := cli.Within(ctx, func() (*embedding.Table, error) { return embedding.Find(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.WrongUsage("see sotto embeddings list", "there is no table and no file %s", strconv.Quote(name))
	}
	return t, err
}
