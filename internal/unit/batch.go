package unit

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// words is a batch of texts as words: what is drawn for, and how texts are made of what was
// drawn.
type words struct {
	*tokenized // as read, without what is beyond a cap
	unit       *Words
	at         release.Position
	counts     statement.Counts

	ids  []embedding.ID // to draw for, in order: the tokens, or the distinct words
	upTo []int          // for each text, the number of ids up to its end

	places []int      // for each token, the index of its word in ids; nil: its own
	beyond []int      // of each text, its tokens beyond the cap; nil without a cap
	inside []bool     // of each token: whether a span has it; nil if all are drawn alike
	kept   [][][]byte // of each text: the parts before, between and after its spans, if copied
	spans  [][]int    // of each text: the numbers of tokens of its spans, if the rest is copied
}

func (b *words) Counted() (statement.Counts, statement.Content) { return b.counts, b.content }

// Tally counts the tokens. It counts nothing if two mechanisms draw them: an expected share of
// words that stay is of one.
func (b *words) Tally(to *release.Tally) {
	if b.inside != nil {
		return
	}
	b.tokenized.Tally(to)
	to.Other += b.counts.ClampedTokens
}

// fill appends words drawn uniformly from the table for the tokens beyond the cap.
func (b *words) fill(texts [][]embedding.ID) {
	from := b.unit.draw.draws.begin(b.at)
	defer from.end()
	for i, n := range b.beyond {
		if n == 0 {
			continue
		}
		rng := from.beyond(i)
		texts[i] = slices.Grow(texts[i], n)
		for range n {
			texts[i] = append(texts[i], embedding.ID(noise.Below(rng, uint64(b.vocabulary.Table.Len()))))
		}
	}
}
