package sotto

import (
	"fmt"

	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/privacy"
)

// conflict is a row of the table below: a setting that excludes another, or needs it.
type conflict struct {
	setting string
	needs   bool // else it excludes the other
	other   string
	reason  string
}

// conflicts lists the combinations that are refused. The first row that applies is
// reported.
var conflicts = []conflict{
	{setting.Pieces, true, setting.Model, "a model's texts are cut into pieces"},
	{setting.Beam, true, setting.Model, "it is the beam width of the model's decoder"},
	{setting.Raw, true, setting.UseVectors, "only vectors are scaled"},
	{setting.PerUser, true, setting.UnitText, "it counts the texts of a user"},
	{setting.DocumentDelta, true, setting.DocumentEpsilon, "it belongs to the cap on a whole text"},
	{setting.DocumentTokens, true, setting.DocumentEpsilon, "the cap on a whole text is divided among the tokens"},
	{setting.Over, true, setting.DocumentEpsilon, "it is for texts longer than the cap allows"},

	{setting.Model, false, setting.UnitToken, "a model rewrites whole texts"},
	{setting.Model, false, setting.UnitWord, "a model rewrites whole texts"},
	{setting.Corpus, false, setting.UnitToken, "a corpus replaces whole texts"},
	{setting.Corpus, false, setting.UnitWord, "a corpus replaces whole texts"},
	{setting.Corpus, false, setting.Model, "texts are replaced by those of a corpus, or rewritten through a model"},
	{setting.PerUser, false, setting.Model, "it needs a corpus"},
	{setting.Scoped, false, setting.UnitToken, "a scope has one replacement per distinct word"},
	{setting.Scoped, false, setting.UnitText, "a scope is for words"},

	{setting.UnitWord, false, setting.DocumentEpsilon, "the cap is for draws per token"},
	{setting.UnitText, false, setting.DocumentEpsilon, "epsilon already is per whole text"},
	{setting.Model, false, setting.Certificate, "certificates for models do not exist"},

	{setting.MarkedEpsilon, true, setting.Marked, "it is for the tokens inside spans"},
	{setting.MarkedEpsilon, false, setting.Certificate, "a certificate is for one mechanism, and two are opened"},
	{setting.Marked, false, setting.UnitText, "what is not marked is copied, so a whole text has no guarantee"},
	{setting.Marked, false, setting.UnitWord, "the same word may also be outside the spans"},
	{setting.Marked, false, setting.DocumentEpsilon, "what is not marked is copied, so the loss of a whole text has no bound"},
	{setting.UseVectors, false, setting.Marked, "a vector depends on all words"},
	{setting.Types, true, setting.UnitMark, "they are types of marks"},
	{setting.UnitMark, false, setting.Mechanism, "marks are drawn by their own"},
	{setting.UnitMark, false, setting.Marked, "the unit implies it"},
	{setting.UnitMark, false, setting.Model, "a model rewrites whole texts"},
	{setting.UnitMark, false, setting.Corpus, "a corpus replaces whole texts"},
	{setting.UnitMark, false, setting.Scoped, "the types keep values"},
	{setting.UnitMark, false, setting.Unknown, "its outputs are values of types"},
	{setting.UnitMark, false, setting.DocumentEpsilon, "what is not marked is copied, so the loss of a whole text has no bound"},
	{setting.UnitMark, false, setting.Certificate, "each type has its own"},
	{setting.UseVectors, false, setting.UnitMark, "a vector depends on all words"},
	{setting.UseParts, false, setting.UnitMark, "the spans are for one whole text"},
	{setting.UseParts, false, setting.Marked, "the spans are for one whole text"},
	{setting.Unknown, false, setting.UnitText, "its outputs are not words of a table"},
	{setting.UseVectors, false, setting.Unknown, "the outputs are not words"},
	{setting.UseVectors, false, setting.UnitWord, "each vector is drawn separately"},
	{setting.UseVectors, false, setting.UnitText, "vectors come from the table's words"},
	{setting.UseVectors, false, setting.DocumentEpsilon, "a cap is for rewritten texts"},
	{setting.UseVectors, false, setting.Certificate, "certificates for vectors do not exist"},

	{setting.UseParts, false, setting.UnitWord, "a word that occurs in two parts would be drawn twice"},
	{setting.UseParts, false, setting.UnitText, "each part would be protected as a separate text"},
}

// ConflictError reports that two settings cannot be combined, or that one needs another.
type ConflictError struct {
	Setting string // a field of a Config, a value of one, or a use
	Needs   bool   // Setting needs Other; otherwise they exclude each other
	Other   string
	Reason  string
}

func (e *ConflictError) Error() string {
	if e.Needs {
		return fmt.Sprintf("sotto: %s needs %s: %s", e.Setting, e.Other, e.Reason)
	}
	return fmt.Sprintf("sotto: %s cannot be used with %s: %s", e.Setting, e.Other, e.Reason)
}

// settings returns the settings in use.
func (cfg *Config) settings() map[string]bool {
	unit := cfg.unit()
	return map[string]bool{
		setting.UnitToken: unit == privacy.Token, setting.UnitWord: unit == privacy.Word, setting.UnitText: unit == privacy.Text,
		setting.UnitMark: cfg.marks(), setting.Mechanism: cfg.Mechanism != "" || len(cfg.Parameters) > 0 || cfg.Published,
		setting.Types:  cfg.Types.Codebooks != nil || cfg.Types.Epsilons != nil || cfg.Types.Only != nil || cfg.Types.Strict || cfg.Types.Kept != nil,
		setting.Scoped: cfg.Scoped, setting.Model: cfg.Model != nil, setting.Corpus: cfg.Corpus != nil, setting.Raw: cfg.Raw, setting.Unknown: cfg.Unknown != "", setting.Marked: cfg.Marked, setting.MarkedEpsilon: cfg.MarkedEpsilon != 0, setting.PerUser: cfg.PerUser != 0, setting.Pieces: cfg.Pieces != 0, setting.Beam: cfg.Beam != 0,
		setting.Certificate:     cfg.Certificate != nil,
		setting.DocumentEpsilon: cfg.DocumentEpsilon != 0, setting.DocumentDelta: cfg.DocumentDelta != 0,
		setting.DocumentTokens: cfg.DocumentTokens != 0, setting.Over: cfg.Over != "",
	}
}

// check refuses a configuration whose settings conflict, for some uses.
func (cfg *Config) check(uses ...string) error {
	switch cfg.unit() {
	case privacy.Token, privacy.Word, privacy.Text, privacy.Mark, privacy.DistinctMark:
	default:
		return privacy.Bad("sotto", "unit", fmt.Sprintf("%q", cfg.Unit), fmt.Sprintf("%q, %q, %q, %q or %q", privacy.Token, privacy.Word, privacy.Mark, privacy.DistinctMark, privacy.Text))
	}
	given := cfg.settings()
	for _, use := range uses {
		given[use] = true
	}
	for _, c := range conflicts {
		if given[c.setting] && given[c.other] != c.needs {
			return &ConflictError{c.setting, c.needs, c.other, c.reason}
		}
	}
	return nil
}
