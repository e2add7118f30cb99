package unit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

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

// Read cuts texts into words.
func (w *Words) Read(t release.Texts, at release.Position) (release.Batch, error) {
	b := &words{unit: w, at: at}
	var err error
	switch {
	case w.Rest != nil:
		err = b.mask(t)
	case w.Marked:
		err = b.mark(t)
	default:
		b.tokenized = w.Vocabulary.tokenize(t.Bytes)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case w.Cap != nil:
		err = b.cap()
	case w.Once != "":
		b.fold(w.Once == statement.OncePerScope)
	default:
		b.ids, b.upTo = b.tokens, b.ends
		for i := range b.ends {
			n := b.Length(i)
			b.counts.Count(n, 0, n, n)
		}
	}
	return b, err
}

// Draw draws for every id, those outside spans by the second mechanism if there is one.
func (b *words) Draw(ctx context.Context) (release.Drawn, error) {
	out, err := []embedding.ID(nil), error(nil)
	if b.inside == nil {
		out, err = b.unit.draw.replace(ctx, b.ids, b.upTo, b.at)
	} else {
		out, err = b.drawMasked(ctx)
	}
	if err != nil {
		return release.Drawn{}, err
	}
	return b.compose(out), nil
}

// compose makes texts of the replacement of each id.
func (b *words) compose(out []embedding.ID) release.Drawn {
	if b.kept != nil {
		return b.between(out)
	}
	if b.places != nil {
		drawn := out
		out = make([]embedding.ID, len(b.places))
		for i, at := range b.places {
			out[i] = drawn[at]
		}
	}
	texts := b.split(out)
	if b.beyond != nil {
		b.fill(texts)
	}
	return b.vocabulary.write(texts)
}

// Shared returns the batch if a scope shares its replacements.
func (b *words) Shared() release.Shared {
	if b.unit.Once != statement.OncePerScope {
		return nil
	}
	return shared{b}
}

// shared are the distinct words of a batch of a scope.
type shared struct{ *words }

func (s shared) Distinct() []embedding.ID { return s.ids }

func (s shared) Replace(ctx context.Context, ids []embedding.ID) ([]embedding.ID, error) {
	return s.unit.draw.replace(ctx, ids, []int{len(ids)}, release.Position{})
}

func (s shared) Compose(replacements []embedding.ID) (release.Drawn, error) {
	if len(replacements) != len(s.ids) {
		return release.Drawn{}, fmt.Errorf("sotto: got %d replacements for %d distinct words", len(replacements), len(s.ids))
	}
	for _, id := range replacements {
		if int(id) >= s.vocabulary.Table.Len() {
			return release.Drawn{}, errors.New("sotto: a replacement is not a word of the table")
		}
	}
	return s.compose(replacements), nil
}
