package unit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/release"
)

// replacer draws a word for each word, by one mechanism.
type replacer struct {
	mechanism.Mechanism
	name  string // of the mechanism
	draws *draws
}

// WordsAtOnce is the number of words drawn between two checks of the context, a multiple of
// the numbers of words that mechanisms draw at a time, and UnseededAtOnce that of words whose
// rows are prepared: more of them share a row.
const (
	WordsAtOnce    = 1024
	UnseededAtOnce = 1 << 16
)

// replace draws a word for each word of several texts; ends has the end of each text. At
// selects the sources.
func (p *replacer) replace(ctx context.Context, words []embedding.ID, ends []int, at release.Position) (out []embedding.ID, err error) {
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

// draw appends a word for each word. Every word of every unit is drawn here. Draws that can be
// made again prepare no tables, which could change how they are made.
func (p *replacer) draw(ctx context.Context, dst, words []embedding.ID, again bool, rng rand.Source) ([]embedding.ID, error) {
	replace, atOnce, before := p.Replace, WordsAtOnce, len(dst)
	if !again {
		switch m := p.Mechanism.(type) {
		case shortcut.Unseeded:
			m.PrepareUnseeded(ctx, words)
			replace, atOnce = m.ReplaceUnseeded, UnseededAtOnce
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
