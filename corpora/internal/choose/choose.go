// Package choose draws the texts of a field from its grammar and leaves out those that
// nearly equal an earlier one, by the rule of corpus.Builder.
package choose

import (
	"context"

	"github.com/sotto-dp/sotto/corpora/internal/grammar"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// Seed is the seed of all draws.
const Seed = 1

// Chosen is the texts of a field, and what was left out.
type Chosen struct {
	Texts []grammar.Text
	// Draws is the number of draws up to the last text.
	Draws int
	// Equal and Similar are the draws left out since they equal, or nearly equal, an
	// earlier one.
	Equal, Similar int
}

// spare bounds the draws per wanted text. A grammar that needs more is too small.
const spare = 4

// Texts chooses the first texts of a grammar, at most want.
func Texts(ctx context.Context, g *grammar.Grammar, want int) (*Chosen, error) {
	draws := g.Draws(Seed)
	seen := map[string]bool{}
	var unlike []grammar.Text
	var drawn []int // number of draws, for each of unlike
	for n := 1; n <= spare*want && len(unlike) < 2*want; n++ {
		t := draws.Next()
		if !seen[t.Text] {
			seen[t.Text] = true
			unlike, drawn = append(unlike, t), append(drawn, n)
		}
	}
	kept, err := dropSimilar(ctx, unlike)
	if err != nil {
		return nil, err
	}
	c := &Chosen{}
	for _, i := range kept[:min(want, len(kept))] {
		c.Texts, c.Draws = append(c.Texts, unlike[i]), drawn[i]
		c.Equal, c.Similar = drawn[i]-i-1, i+1-len(c.Texts)
	}
	return c, nil
}

// dropSimilar returns the indices of the texts that a Builder keeps.
func dropSimilar(ctx context.Context, texts []grammar.Text) ([]int, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	b, err := corpus.NewBuilder(corpus.Options{Name: "field", Encoder: corpus.SIF, Table: table, Clusters: -1})
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if err := b.Add([]byte(t.Text)); err != nil {
			return nil, err
		}
	}
	built, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	var kept []int
	for i, t := range texts {
		if len(kept) < built.Len() && built.Text(len(kept)) == t.Text {
			kept = append(kept, i)
		}
	}
	return kept, nil
}
