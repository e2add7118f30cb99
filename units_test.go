package sotto

import (
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// idsOf returns the tokens of a text.
func idsOf(table *embedding.Table, text string) []embedding.ID {
	ids, _ := tokenize.NewTokenizer(table).Tokenize(nil, []byte(text))
	return ids
}

// seededAt returns the source of a text of a batch.
func seededAt(seed uint64, at Position, text int) rand.Source {
	return noise.Seeded(seed, at.Stream(text))
}

// withMechanism returns a rewriter that draws words by another mechanism, with nothing else
// changed.
func withMechanism(t *testing.T, r *Rewriter, m mechanism.Mechanism) *Rewriter {
	t.Helper()
	o := r.words.Opened
	o.Mechanism = m
	words := unit.OfWords(o)
	return &Rewriter{loop: release.By(words), words: words, guesses: r.guesses}
}
