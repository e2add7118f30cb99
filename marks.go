package sotto

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// Marks configures [Open] to replace marks that come with each text, as those of Words.Marked do,
// within their types: a name becomes a name. The zero value has the types of package typed with
// their codebooks.
type Marks struct {
	// Epsilon is that of marks of types in order, such as dates, and may be 0.
	Epsilon float64
	// Epsilons are those of marks of some types, in place of Epsilon for a type in order,
	// and of 0 for any other: then nothing of a value remains.
	Epsilons map[string]float64
	// Codebooks replace codebooks of types, and add types, by name as [typed.Normal] writes
	// it. They are public and chosen without the texts.
	Codebooks map[string]*typed.Codebook
	// Only, if not nil, are the types that are opened.
	Only []string
	// Strict refuses marks whose type has no codebook. Otherwise their words are drawn by
	// the default mechanism for words over Table, and their numbers of words show. They are
	// refused if Epsilon is 0 too.
	Strict bool
	Table  *embedding.Table
	// Distinct makes one draw for all marks of a text that have one value.
	Distinct bool
	// Kept has the surrogates of values that were drawn before, and stores those of new
	// ones. It needs Distinct: a value is then drawn once for all texts.
	Kept *typed.Map
	// Notion is privacy.Pure or empty. Accept: see [Config]. Untimed: see [Texts].
	Notion  privacy.Notion
	Accept  privacy.Standing
	Untimed bool

	// InsecureSeed, Cache, Progress: see [Config].
	InsecureSeed *uint64
	Cache        mechanism.Cache
	Progress     progress.Func
}

// markParts refuses parts of one text.
var markParts = &ConflictError{setting.UseParts, false, setting.UnitMark, "the spans are for one whole text"}

func (k Marks) open(ctx context.Context) (*Rewriter, error) {
	entry, ok := catalog.Default(mechanism.UseMarks, k.Notion)
	if !ok {
		return nil, privacy.Bad("sotto", "notion", fmt.Sprintf("%q", k.Notion), "pure: marks have no other guarantee")
	}
	if err := (privacy.Terms{Least: k.Accept}).Admit(entry.Name, entry.Standing); err != nil {
		return nil, err
	}
	if k.Epsilon != 0 {
		if err := privacy.CheckEpsilon(entry.Name, k.Epsilon); err != nil {
			return nil, err
		}
	}
	m := unit.Marking{Entry: entry, Seed: k.InsecureSeed, Kept: k.Kept, NoParts: markParts,
		Setting: mechanism.Setting{Name: "epsilon", Value: k.Epsilon}}
	var err error
	if m.Types, err = k.openTypes(ctx, entry); err != nil {
		return nil, err
	}
	unitOf := privacy.Mark
	if k.Distinct {
		unitOf = privacy.DistinctMark
	}
	m.Claim = privacy.Claim{Unit: unitOf, Notion: privacy.Pure, Assumes: privacy.PublicData | privacy.PublicSpans}
	for _, t := range m.Types {
		m.Claim.Epsilon = max(m.Claim.Epsilon, t.Retriever.Claim().Epsilon)
	}
	switch {
	case m.Kept != nil && !k.Distinct:
		return nil, privacy.Unwanted("sotto", "kept values", "with this unit: only a "+string(privacy.DistinctMark)+" has one")
	case m.Kept != nil && k.InsecureSeed != nil:
		return nil, privacy.Unwanted("sotto", "kept values", "with a seed: a map is of a release")
	case m.Kept != nil:
		m.Once = statement.OncePerScope
	case k.Distinct:
		m.Once = statement.OncePerText
	}
	if !k.Strict && k.Epsilon != 0 {
		if m.Words, err = k.openUntyped(ctx); err != nil {
			return nil, err
		}
	}
	if m.Words != nil { // until it is known that no mark needs them
		m.Claim.Epsilon = math.Inf(1)
	}
	marks := unit.OfMarks(m)
	return &Rewriter{loop: release.By(marks), marks: marks}, nil
}

// openTypes opens the channel of each type.
func (k *Marks) openTypes(ctx context.Context, entry mechanism.Entry) (all []unit.Type, err error) {
	codebooks := map[string]*typed.Codebook{}
	for _, name := range typed.Types() {
		codebooks[name], _ = typed.Default(name)
	}
	maps.Copy(codebooks, k.Codebooks)
	for _, name := range slices.Sorted(maps.Keys(k.Epsilons)) {
		if codebooks[name] == nil {
			return nil, privacy.Wrong("sotto", "epsilons", fmt.Sprintf("the type %q has no codebook", name), "give it one, or leave out its epsilon")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(codebooks)) {
		if k.Only != nil && !slices.Contains(k.Only, name) {
			continue
		}
		codebook := codebooks[name]
		if typed.Known(name) != name {
			return nil, privacy.Wrong("sotto", "codebooks", fmt.Sprintf("the type %q is read as %q", name, typed.Known(name)), "name the codebook that")
		}
		spec := mechanism.Spec{Untimed: k.Untimed}
		if epsilon, ok := k.Epsilons[name]; ok {
			spec.Epsilon = epsilon
		} else if !codebook.Unordered() {
			spec.Epsilon = k.Epsilon
		}
		t := unit.Type{Name: name, Codebook: codebook, Spec: spec}
		if t.Retriever, err = entry.NewRetriever(ctx, codebook, spec); err != nil {
			return nil, err
		}
		if k.Kept != nil {
			if err := k.Kept.Opens(name, codebook, spec.Epsilon); err != nil {
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
func (k *Marks) openUntyped(ctx context.Context) (*unit.Words, error) {
	r, err := Open(ctx, Words{Marked: true, Epsilon: k.Epsilon, Table: k.Table, InsecureSeed: k.InsecureSeed, Cache: k.Cache, Progress: k.Progress})
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
