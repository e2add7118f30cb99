package language_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// A local model gives each word, after any words, the chance that the model of the whole
// vocabulary gives it, whatever was trained before.
func TestLocalModelsAreThoseOfTheWholeVocabulary(t *testing.T) {
	const words = 40
	vocabulary := table(t, words-1)
	rng := rand.New(rand.NewPCG(1, 2))
	local := language.NewLocal(words)
	for round := range 20 {
		texts := make([][]embedding.ID, 1+rng.IntN(6))
		for i := range texts {
			texts[i] = make([]embedding.ID, rng.IntN(12))
			for k := range texts[i] {
				texts[i][k] = embedding.ID(rng.IntN(1 + rng.IntN(words)))
			}
		}
		texts = append(texts, []embedding.ID{embedding.ID(round)})
		whole, err := language.Train(t.Context(), vocabulary, each(texts), language.Options{Order: language.MostTrained})
		if err != nil {
			t.Fatal(err)
		}
		if err := local.Train(t.Context(), slices.Values(texts)); err != nil {
			t.Fatal(err)
		}
		s, own := whole.Start(), local.Model.Start()
		for range 300 {
			if got, want := local.Model.End(own), whole.End(s); got != want {
				t.Fatalf("round %d: the end has %g, want %g", round, got, want)
			}
			for w := range embedding.ID(words) {
				want, _ := whole.Next(s, w)
				if got := after(local, own, w); got != want {
					t.Fatalf("round %d: word %d has %g, want %g", round, w, got, want)
				}
			}
			w := embedding.ID(rng.IntN(1 + rng.IntN(words)))
			_, s = whole.Next(s, w)
			if n, ok := local.Number(w); ok {
				_, own = local.Model.Next(own, n)
			} else {
				own = local.Model.Empty()
			}
			if rng.IntN(8) == 0 {
				s, own = whole.Start(), local.Model.Start()
			}
		}
	}
	if err := local.Train(t.Context(), slices.Values([][]embedding.ID{{}})); err == nil {
		t.Error("a model is trained without words")
	}
}

// after returns the log-probability of a word after a context.
func after(l *language.Local, s language.State, w embedding.ID) float64 {
	if n, ok := l.Number(w); ok {
		log, _ := l.Model.Next(s, n)
		return log
	}
	sum := 0.0
	for {
		weight, shorter, ok := l.Model.Backoff(s)
		if !ok {
			return sum + l.Unseen
		}
		sum, s = sum+weight, shorter
	}
}

// Chances are the exponentials of the logarithms.
func TestChancesAreThoseOfTheLogarithms(t *testing.T) {
	m := train(t, 12, sample(12, 60, 4), 3)
	c := m.Chances()
	for w := range uint32(m.Words()) {
		log, next := m.Next(m.Empty(), embedding.ID(w))
		if got, want := c.Alone(w), (language.Follower{Chance: math.Exp(log), Word: w, After: next}); got != want {
			t.Errorf("%+v without context, want %+v", got, want)
		}
	}
	s := m.Start()
	for _, w := range []embedding.ID{1, 2, 4, 6, 1, 3} {
		run := m.Seen(s)
		log, suffix, _ := m.Backoff(s)
		seen, weight, shorter := c.Of(s)
		if len(seen) != len(run.Words) || len(seen) == 0 || weight != math.Exp(log) || shorter != suffix {
			t.Fatalf("context %d has %d words, the weight %g and the suffix %d", s, len(seen), weight, shorter)
		}
		for i, got := range seen {
			want := language.Follower{Chance: math.Exp(run.LogProbs[i]), Word: run.Words[i], After: run.Next(i)}
			if found, ok := c.Find(s, want.Word); got != want || found != want || !ok {
				t.Errorf("%+v and %+v after %d, want %+v", got, found, s, want)
			}
		}
		_, s = m.Next(s, w)
	}
}
