package sotto

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/internal/textcap"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Open opens a Rewriter. It returns a *ConflictError for settings in conflict, a
// *privacy.ParameterError for an invalid parameter, a *privacy.StandingError for a
// standing that is not accepted, an *UnknownMechanismError for an unknown mechanism, and
// a *BudgetError for a cap that cannot hold. Some mechanisms compute for minutes: if ctx
// ends, Open returns its error.
func Open(ctx context.Context, cfg Config) (*Rewriter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.marks() {
		return cfg.openMarks(ctx, cfg.check(setting.UseParts))
	}
	name, err := cfg.Member()
	if err != nil {
		return nil, err
	}
	entry, err := cfg.entry(name)
	if err != nil {
		return nil, err
	}
	noParts := cfg.check(setting.UseParts)
	switch {
	case cfg.unit() == privacy.Text && cfg.Model == nil:
		return cfg.openCorpus(ctx, entry, noParts)
	case cfg.unit() == privacy.Text:
		return cfg.openModel(ctx, entry, noParts)
	}
	return cfg.openWords(ctx, entry, noParts)
}

// openWords opens a unit of words.
func (cfg *Config) openWords(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	switch {
	case entry.New == nil && entry.NewLatent != nil:
		return nil, privacy.Bad(entry.Name, "model", nil, "given: this mechanism rewrites whole texts through a model")
	case entry.New == nil && entry.NewRetriever != nil:
		return nil, privacy.Bad(entry.Name, "unit", "word", "text: this mechanism replaces whole texts by public ones")
	case entry.New == nil:
		return nil, privacy.Bad(entry.Name, "use", "words", "vectors: this mechanism does not replace words")
	}
	table, err := cfg.words()
	if err != nil {
		return nil, err
	}
	if cfg.Mechanism == "" && entry.ShippedWords > 0 {
		if table, err = shipped(table, entry, cfg.Parameters); err != nil {
			return nil, err
		}
	}
	o := unit.Opened{Entry: entry, Seed: cfg.InsecureSeed, Marked: cfg.Marked, NoParts: noParts}
	if o.Vocabulary, err = unit.NewVocabulary(table, cfg.Unknown); err != nil {
		return nil, err
	}
	switch {
	case cfg.Scoped:
		o.Once = statement.OncePerScope
	case cfg.unit() == privacy.Word:
		o.Once = statement.OncePerText
	}
	spec := cfg.Spec()
	if cfg.MarkedEpsilon != 0 {
		if err := privacy.CheckEpsilon("marked-epsilon", cfg.MarkedEpsilon); err != nil {
			return nil, err
		}
		if o.Rest, err = entry.New(ctx, table, spec); err != nil {
			return nil, err
		}
		spec.Epsilon = cfg.MarkedEpsilon
	}
	if cfg.DocumentEpsilon != 0 {
		c := textcap.Cap{Epsilon: cfg.DocumentEpsilon, Delta: cfg.DocumentDelta, Tokens: cfg.DocumentTokens, Over: cfg.Over}
		o.Mechanism, o.Cap, err = c.Open(ctx, entry, table, spec)
	} else {
		o.Mechanism, err = entry.New(ctx, table, spec)
	}
	if err != nil {
		return nil, err
	}
	known := audit.KnownCertificate(entry.Name, o.Mechanism, table)
	if known != nil && o.Cap == nil { // the mechanism under a cap is for another epsilon
		known.OpenedWith(spec)
	}
	o.Certificate, err = cfg.certify(o.Mechanism.Claim(), known,
		func(c *audit.Certificate) error {
			if err := otherSize(entry, spec.Parameters, c, o.Mechanism); err != nil {
				return err
			}
			return c.Fits(entry.Name, o.Mechanism, table)
		})
	if err != nil {
		return nil, err
	}
	words := unit.OfWords(o)
	r := &Rewriter{loop: release.By(words), words: words}
	if channel, ok := o.Mechanism.(mechanism.Channel); ok {
		r.guesses = &release.Guesses{Channel: channel, Table: table}
	}
	return r, nil
}

// shipped truncates the embedded table to the words for which channels ship with the
// program, unless a channel or a shorter table is given.
func shipped(table *embedding.Table, entry mechanism.Entry, given mechanism.Values) (*embedding.Table, error) {
	words := entry.ShippedWords
	if p, ok := entry.Parameter(mechanism.RoleChannel); ok && given.Gives(p) || table.Len() <= words {
		return table, nil
	}
	english, err := builtin.English()
	if err != nil || table != english {
		return table, err
	}
	return table.First(words)
}

// certify returns the given certificate if it is for the opened mechanism, covers its
// claim, and states no loss below one that is known. Without one it returns a certificate
// of the losses that the mechanism knows.
func (cfg *Config) certify(claim privacy.Claim, known *audit.Certificate, fits func(*audit.Certificate) error) (*audit.Certificate, error) {
	if cfg.Certificate == nil {
		if known != nil {
			known.ProgramVersion = Version
		}
		return known, nil
	}
	if err := fits(cfg.Certificate); err != nil {
		return nil, err
	}
	if err := cfg.Certificate.Covers(claim); err != nil {
		return nil, err
	}
	if err := cfg.Certificate.Understates(known); err != nil {
		return nil, err
	}
	given := *cfg.Certificate
	given.Source = mechanism.Stated // whatever the file states
	return &given, nil
}

// otherSize returns an error if a certificate is for another size of the sets than the one
// that the mechanism chose. Versions choose different sizes.
func otherSize(entry mechanism.Entry, given mechanism.Values, c *audit.Certificate, m mechanism.Mechanism) error {
	size, ok := entry.Parameter(mechanism.RoleSize)
	stated, number := c.Parameters[size.Name].(float64)
	if !ok || !number || given.Gives(size) || c.Mechanism != entry.Name {
		return nil
	}
	for _, s := range m.Settings() {
		if chosen, ok := s.Value.(int); ok && s.Name == size.Name && float64(chosen) != stated {
			return fmt.Errorf("certificate: it is for sets of %v outputs, and this version chooses %d: give %s = %v, or make the certificate again", stated, chosen, size.Name, stated)
		}
	}
	return nil
}
