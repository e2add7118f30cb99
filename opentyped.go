package sotto

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// Types configures the types of Unit privacy.Mark and privacy.DistinctMark. The zero value
// has the types of package typed with their codebooks.
type Types struct {
	// Codebooks replace codebooks of types, and add types, by name as [typed.Normal] writes
	// it. They are public and chosen without the texts.
	Codebooks map[string]*typed.Codebook
	// Epsilons are those of marks of some types, in place of Config.Epsilon for a type in
	// order, such as dates, and of 0 for any other: then nothing of a value remains.
	Epsilons map[string]float64
	// Only, if not nil, are the types that are opened.
	Only []string
	// Strict refuses marks whose type has no codebook. Otherwise their words are drawn by
	// the default mechanism for words, and their numbers of words show. They are refused
	// if Config.Epsilon is 0 too.
	Strict bool
	// Kept has the surrogates of values that were drawn before, and stores those of new
	// ones. It needs Unit privacy.DistinctMark: a value is then drawn once for all texts.
	Kept *typed.Map
}

// openMarks opens the types of marks.
func (cfg *Config) openMarks(ctx context.Context, noParts error) (*Rewriter, error) {
	entry, ok := catalog.Default(mechanism.UseMarks, cfg.Notion)
	if !ok {
		return nil, privacy.Bad("sotto", "notion", fmt.Sprintf("%q", cfg.Notion), "pure: marks have no other guarantee")
	}
	if err := (privacy.Terms{Least: cfg.Accept}).Admit(entry.Name, entry.Standing); err != nil {
		return nil, err
	}
	if cfg.Epsilon != 0 {
		if err := privacy.CheckEpsilon(entry.Name, cfg.Epsilon); err != nil {
			return nil, err
		}
	}
	m := unit.Marking{Entry: entry, Seed: cfg.InsecureSeed, Kept: cfg.Types.Kept, NoParts: noParts,
		Setting: mechanism.Setting{Name: "epsilon", Value: cfg.Epsilon}}
	var err error
	if m.Types, err = cfg.openTypes(ctx, entry); err != nil {
		return nil, err
	}
	m.Claim = privacy.Claim{Unit: cfg.Unit, Notion: privacy.Pure, Assumes: privacy.PublicData | privacy.PublicSpans}
	for _, t := range m.Types {
		m.Claim.Epsilon = max(m.Claim.Epsilon, t.Retriever.Claim().Epsilon)
	}
	switch {
	case m.Kept != nil && cfg.Unit != privacy.DistinctMark:
		return nil, privacy.Bad("sotto", "kept values", nil, "for unit "+string(privacy.DistinctMark))
	case m.Kept != nil:
		m.Once = statement.OncePerScope
	case cfg.Unit == privacy.DistinctMark:
		m.Once = statement.OncePerText
	}
	if !cfg.Types.Strict && cfg.Epsilon != 0 {
		if m.Words, err = cfg.openUntyped(ctx); err != nil {
			return nil, err
		}
	}
	marks := unit.OfMarks(m)
	return &Rewriter{loop: release.By(marks), marks: marks}, nil
}

// openTypes opens the channel of each type.
func (cfg *Config) openTypes(ctx context.Context, entry mechanism.Entry) (all []unit.Type, err error) {
	codebooks := map[string]*typed.Codebook{}
	for _, name := range typed.Types() {
		codebooks[name], _ = typed.Default(name)
	}
	maps.Copy(codebooks, cfg.Types.Codebooks)
	for _, name := range slices.Sorted(maps.Keys(cfg.Types.Epsilons)) {
		if codebooks[name] == nil {
			return nil, privacy.Bad("sotto", "the type of an epsilon", fmt.Sprintf("%q", name), "one that has a codebook")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(codebooks)) {
		if cfg.Types.Only != nil && !slices.Contains(cfg.Types.Only, name) {
			continue
		}
		codebook := codebooks[name]
		if typed.Known(name) != name {
			return nil, privacy.Bad("sotto", "the type of a codebook", fmt.Sprintf("%q", name), fmt.Sprintf("%q: detectors' names are read as that", typed.Known(name)))
		}
		spec := mechanism.Spec{Untimed: cfg.Untimed}
		if epsilon, ok := cfg.Types.Epsilons[name]; ok {
			spec.Epsilon = epsilon
		} else if !codebook.Unordered() {
			spec.Epsilon = cfg.Epsilon
		}
		t := unit.Type{Name: name, Codebook: codebook, Spec: spec}
		if t.Retriever, err = entry.NewRetriever(ctx, codebook, spec); err != nil {
			return nil, err
		}
		if kept := cfg.Types.Kept; kept != nil && kept.Has(name) {
			if err := kept.Draws(name, codebook.Digest(), spec.Epsilon); err != nil {
				return nil, err
			}
		}
		all = append(all, t)
	}
	if len(all) > statement.MostTypes {
		return nil, privacy.Bad("sotto", "the number of types", len(all), fmt.Sprintf("at most %d", statement.MostTypes))
	}
	return all, nil
}

// openUntyped opens the mechanism for the words of marks without a codebook.
func (cfg *Config) openUntyped(ctx context.Context) (*unit.Words, error) {
	r, err := Open(ctx, Config{Marked: true, Epsilon: cfg.Epsilon, Table: cfg.Table, InsecureSeed: cfg.InsecureSeed, Cache: cfg.Cache, Progress: cfg.Progress})
	if err != nil {
		return nil, err
	}
	return r.words, nil
}

// CheckMarks refuses spans of one text with a type that has no codebook, if such marks are not
// drawn as words. It takes any spans if the unit is not of marks.
func (r *Rewriter) CheckMarks(of text.Spans) error {
	if r.marks == nil {
		return nil
	}
	return r.marks.Check(of)
}

// UnknownTypes returns the names of the types of some spans that have no codebook, as the
// detector wrote them, each once; nil unless the unit is of marks.
func (r *Rewriter) UnknownTypes(spans []text.Spans) []string {
	if r.marks == nil {
		return nil
	}
	return r.marks.Unknown(spans)
}
