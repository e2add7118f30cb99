package sotto

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/textcap"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// over opens a member over the table.
func (w *Words) over(ctx context.Context, entry mechanism.Entry, noParts error) (*Rewriter, error) {
	table, err := tableOr(w.Table)
	if err != nil {
		return nil, err
	}
	if table.OfWords() != nil {
		return nil, privacy.Wrong("words", "embeddings", "the entries of "+table.Name()+" are the tokens of an encoder of texts, for corpora and vectors of documents", "choose a table of words")
	}
	if w.Mechanism == "" && entry.ShippedWords > 0 {
		if table, err = shipped(table, entry, w.Parameters); err != nil {
			return nil, err
		}
	}
	o := unit.Opened{Entry: entry, Seed: w.InsecureSeed, Marked: w.Marked, NoParts: noParts}
	if o.Vocabulary, err = unit.NewVocabulary(table, w.Unknown); err != nil {
		return nil, err
	}
	switch {
	case w.Scoped:
		o.Once = statement.OncePerScope
	case w.Unit == privacy.Word:
		o.Once = statement.OncePerText
	}
	spec := w.spec()
	if w.MarkedEpsilon != 0 {
		if err := privacy.CheckEpsilon("marked-epsilon", w.MarkedEpsilon); err != nil {
			return nil, err
		}
		if o.Rest, err = entry.New(ctx, table, spec); err != nil {
			return nil, err
		}
		spec.Epsilon = w.MarkedEpsilon
	}
	if (w.Cap != Cap{}) {
		c := textcap.Cap(w.Cap)
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
	o.Certificate, err = certify(w.Certificate, o.Mechanism.Claim(), known,
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
