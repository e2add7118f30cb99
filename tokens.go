package sotto

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// tokens is the plan that draws once per token.
type tokens struct {
	mechanism.Mechanism
	name        string // of the mechanism
	vocabulary  *vocabulary
	certificate *audit.Certificate // nil if no loss is known exactly
	draws       *draws
}

func (p *tokens) read(texts [][]byte, at Position) (batch, error) {
	b := &tokenBatch{tokenized: p.vocabulary.tokenize(texts), plan: p, at: at}
	for i := range texts {
		n := b.length(i)
		b.counts.add(n, 0, n, n)
	}
	return b, nil
}

// tokenBatch is a batch with one draw per token.
type tokenBatch struct {
	*tokenized
	plan   *tokens
	at     Position
	counts Counts
}

func (b *tokenBatch) counted() (Counts, Content) { return b.counts, b.content }

func (b *tokenBatch) draw(ctx context.Context) (copies, error) {
	out, err := b.plan.replace(ctx, b.tokens, b.ends, b.at)
	if err != nil {
		return copies{}, err
	}
	return b.vocabulary.write(b.split(out)), nil
}

// wordsAtOnce is the number of words drawn between two checks of the context, a multiple of
// the numbers of words that mechanisms draw at a time, and unseededAtOnce that of words whose
// rows are prepared: more of them share a row.
const (
	wordsAtOnce    = 1024
	unseededAtOnce = 1 << 16
)

// replace draws a word for each word of several texts; ends has the end of each text. At
// selects the sources.
func (p *tokens) replace(ctx context.Context, words []embedding.ID, ends []int, at Position) (out []embedding.ID, err error) {
	from := p.draws.begin(at)
	defer from.end()
	out = make([]embedding.ID, 0, len(words))
	for some, rng := range from.words(words, ends) {
		if out, err = p.draw(ctx, out, some, from.repeat(), rng); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// draw appends a word for each word. Every word of every plan is drawn here. Draws that can be
// made again prepare no tables, which could change how they are made.
func (p *tokens) draw(ctx context.Context, dst, words []embedding.ID, again bool, rng rand.Source) ([]embedding.ID, error) {
	replace, atOnce, before := p.Replace, wordsAtOnce, len(dst)
	if !again {
		switch m := p.Mechanism.(type) {
		case shortcut.Unseeded:
			m.PrepareUnseeded(ctx, words)
			replace, atOnce = m.ReplaceUnseeded, unseededAtOnce
		case shortcut.Preparer:
			m.Prepare(ctx, words)
		}
	}
	for some := range slices.Chunk(words, atOnce) {
		err := ctx.Err()
		if err == nil {
			dst, err = replace(dst, some, rng)
		}
		if err != nil {
			return nil, err
		}
	}
	if drawn := len(dst) - before; drawn != len(words) {
		return nil, fmt.Errorf("%s: got %d replacements for %d words", p.name, drawn, len(words))
	}
	return dst, nil
}

func (p *tokens) state(s *Statement, counts Counts) {
	s.Bag = bagOf(s)
	p.total(s, counts.LongestTokens)
	s.NotProtected = p.notProtected(s, lossesAddUp(s), againEverywhere)
}

// total sets the certificate, the form of the unknown entry, and the loss of a text that
// spends the claim the given number of times.
func (p *tokens) total(s *Statement, times int) {
	s.Placeholder = p.vocabulary.unknown
	pure := pureLoss(p.Mechanism, s.Claim, p.vocabulary.table)
	if c := p.certificate; c != nil {
		s.Certificate = c
		if c.PureEpsilon.Known() {
			pure = c.PureEpsilon.High
		}
	}
	s.total(pure, times)
}

// Parts of statements about a text that is rewritten again.
const (
	againEverywhere = "the same text rewritten again, or names repeated in it: each use costs again"
	againTexts      = "the same text rewritten again: each use costs again"
	piecesAreWords  = "words of the language: a word of the claim is a piece of the table's list, and a word of several pieces loses the claim for each"
)

// lossesAddUp returns what a whole text loses without a cap.
func lossesAddUp(s *Statement) string {
	if s.DocumentEpsilonMax == nil {
		return "whole texts as one secret: losses add up over tokens"
	}
	return fmt.Sprintf("whole texts as one secret: losses add up, to %s for the longest text of %d tokens", privacy.Above(*s.DocumentEpsilonMax, 4), *s.LongestTokens)
}

// notProtected lists what no plan for words protects. first is about whole texts, again
// about texts that are rewritten twice.
func (p *tokens) notProtected(s *Statement, first, again string, more ...string) []string {
	not := append(s.NotProtected, first)
	not = unverified(append(not, more...), s.Certificate)
	if p.vocabulary.table.Segmentation().Kind() == segment.Pieces {
		not = append(not, piecesAreWords)
	}
	return append(not,
		"the number of tokens of each text, and what the tokenizer decides: word boundaries, sentence and field ends",
		besideTexts,
		again,
		"what context reveals: neighbouring words predict each other",
		"the time the run took, memory, and who else holds the same text",
	)
}

// unverified adds who could have forged the figures of a certificate that this process
// did not compute.
func unverified(not []string, c *audit.Certificate) []string {
	if c == nil {
		return not
	}
	switch c.Source {
	case mechanism.Stated:
		return append(not, "the certificate's figures from the maker of the file they were read from: they were not recomputed (an audit recomputes them)")
	case mechanism.Cached:
		return append(not, "the certificate's figures from anyone who can write this user's cache and read its key: they were read from there and not recomputed (an audit recomputes them)")
	}
	return not
}
