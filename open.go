package sotto

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
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
	name, err := cfg.Member()
	if err != nil {
		return nil, err
	}
	entry, err := cfg.entry(name)
	if err != nil {
		return nil, err
	}
	r := &Rewriter{entry: entry, seeded: cfg.InsecureSeed != nil, noParts: cfg.check(UseParts)}
	if cfg.unit() == privacy.Text {
		err = cfg.openTexts(ctx, r)
	} else {
		err = cfg.openWords(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// openTexts chooses the plan for whole texts.
func (cfg *Config) openTexts(ctx context.Context, r *Rewriter) error {
	if cfg.Model == nil {
		p, err := cfg.openRetrieved(ctx, r.entry)
		r.plan = p
		return err
	}
	p, err := cfg.openModel(ctx, r.entry)
	if err != nil {
		return err
	}
	r.plan, r.vocabulary = p, p.vocabulary
	return nil
}

// openWords chooses a plan that draws words.
func (cfg *Config) openWords(ctx context.Context, r *Rewriter) error {
	entry := r.entry
	switch {
	case entry.New == nil && entry.NewLatent != nil:
		return privacy.Bad(entry.Name, "model", nil, "given: this mechanism rewrites whole texts through a model")
	case entry.New == nil && entry.NewRetriever != nil:
		return privacy.Bad(entry.Name, "unit", "word", "text: this mechanism replaces whole texts by public ones")
	case entry.New == nil:
		return privacy.Bad(entry.Name, "use", "words", "vectors: this mechanism does not replace words")
	}
	table, err := cfg.words()
	if err != nil {
		return err
	}
	if cfg.Mechanism == "" && entry.ShippedWords > 0 {
		if table, err = shipped(table, entry, cfg.Parameters); err != nil {
			return err
		}
	}
	p := &tokens{name: entry.Name, vocabulary: &vocabulary{table: table}, draws: from(cfg.InsecureSeed)}
	if err := p.vocabulary.setUnknown(cfg.Unknown); err != nil {
		return err
	}
	r.vocabulary, r.plan = p.vocabulary, p
	inside := *cfg // the configuration of p
	switch {
	case cfg.DocumentEpsilon != 0:
		c := &capped{tokens: p}
		r.plan, r.ordered = c, true
		p.Mechanism, c.figures, err = cfg.openCapped(ctx, entry, table)
	case cfg.MarkedEpsilon != 0:
		var both *markedRest
		both, inside, err = cfg.openRest(ctx, entry, p)
		r.plan = both
	case cfg.Marked:
		r.plan = &marked{p}
	case cfg.Scoped:
		r.plan = &scope{&distinct{p}}
	case cfg.unit() == privacy.Word:
		r.plan = &distinct{p}
	}
	capped := p.Mechanism != nil // for another epsilon
	if !capped && err == nil {
		p.Mechanism, err = entry.New(ctx, table, inside.Spec())
	}
	if err != nil {
		return err
	}
	r.mechanism = p.Mechanism
	known := audit.KnownCertificate(entry.Name, p.Mechanism, table)
	if known != nil && !capped {
		known.OpenedWith(inside.Spec())
	}
	p.certificate, err = cfg.certify(p.Claim(), known,
		func(c *audit.Certificate) error {
			if err := otherSize(entry, inside.Parameters, c, p.Mechanism); err != nil {
				return err
			}
			return c.Fits(entry.Name, p.Mechanism, table)
		})
	return err
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
