package language

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
)

// Part is a model that an interpolated one was made of.
type Part struct {
	SHA256 string  `json:"sha256"`
	Weight float64 `json:"weight"`
}

// The fit of weights ends when the mean log-probability of a token gains less than
// leastGain, or after mostRounds.
const (
	leastGain  = 1e-9
	mostRounds = 1000
)

// FitWeights returns the weights, which sum to 1, that give some texts the greatest
// probability under the weighted mean of the models' probabilities (expectation
// maximisation). The texts must be public and none of those that a model was trained on.
func FitWeights(models []*Model, texts iter.Seq2[[]embedding.ID, error]) ([]float64, error) {
	if err := sameVocabulary(models); err != nil {
		return nil, err
	}
	n := len(models)
	var chances []float64 // of each token by each model
	states := make([]State, n)
	for ids, err := range texts {
		if err != nil {
			return nil, err
		}
		for i, m := range models {
			states[i] = m.Start()
		}
		for _, id := range ids {
			for i, m := range models {
				var logProb float64
				logProb, states[i] = m.Next(states[i], id)
				chances = append(chances, elementary.Exp(min(0, logProb)))
			}
		}
		for i, m := range models {
			chances = append(chances, elementary.Exp(min(0, m.End(states[i]))))
		}
	}
	if len(chances) == 0 {
		return nil, fmt.Errorf("language: there are no texts to fit weights on")
	}
	weights, last := make([]float64, n), math.Inf(-1)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	for range mostRounds {
		mean := maximise(weights, chances)
		if mean-last < leastGain {
			break
		}
		last = mean
	}
	return weights, nil
}

// maximise replaces weights by the mean shares that the models have in the tokens, and
// returns the mean log-probability of a token under the weights before.
func maximise(weights, chances []float64) float64 {
	shares, sum := make([]float64, len(weights)), 0.0
	for at := 0; at < len(chances); at += len(weights) {
		token, all := chances[at:at+len(weights)], 0.0
		for i, p := range token {
			all += float64(weights[i] * p)
		}
		sum += logOf(all)
		for i, p := range token {
			if all > 0 {
				shares[i] += float64(weights[i] * p / all)
			}
		}
	}
	n := float64(len(chances) / len(weights))
	total := 0.0
	for _, s := range shares {
		total += s
	}
	for i, s := range shares {
		weights[i] = s / total
	}
	return sum / n
}

func sameVocabulary(models []*Model) error {
	for i, m := range models {
		if m.vocabulary.digest != models[0].vocabulary.digest {
			return fmt.Errorf("language: model %d has another vocabulary than model 1", i+1)
		}
	}
	if len(models) == 0 {
		return fmt.Errorf("language: there are no models")
	}
	return nil
}

// Interpolate returns one model of the n-grams of all models. Each n-gram has the weighted
// mean of the models' probabilities; what follows a context unseen has that after its
// suffix, by a weight with which the probabilities sum to 1. The probabilities of such
// words are close to the weighted mean, but not equal to it. Weights must be positive and
// sum to 1 nearly; they are divided by their sum.
func Interpolate(ctx context.Context, models []*Model, weights []float64) (*Model, error) {
	if err := sameVocabulary(models); err != nil {
		return nil, err
	}
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0 && w <= 1) {
			return nil, fmt.Errorf("language: weights must be 0 to 1")
		}
		sum += w
	}
	if len(weights) != len(models) || math.Abs(sum-1) > 1e-6 {
		return nil, fmt.Errorf("language: %d weights that sum to %g for %d models, must be one for each that sum to 1", len(weights), sum, len(models))
	}
	first := models[0]
	m := &Model{vocabulary: first.vocabulary, card: Card{Public: true, Table: first.card.Table}}
	x := mixer{models: models}
	for i, part := range models {
		m.card.Public = m.card.Public && part.card.Public
		m.card.Corpus.Texts += part.card.Corpus.Texts
		m.card.Corpus.Tokens += part.card.Corpus.Tokens
		m.card.Parts = append(m.card.Parts, Part{part.Digest(), weights[i] / sum})
		x.weights = append(x.weights, weights[i]/sum)
	}
	var err error
	if m.trie, err = x.union(ctx); err != nil {
		return nil, err
	}
	if err := x.fill(ctx, m.trie); err != nil {
		return nil, err
	}
	if err := m.finish(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

type mixer struct {
	models  []*Model
	weights []float64
}

// union returns the trie of the n-grams of all models.
func (x *mixer) union(ctx context.Context) (*trie, error) {
	var lists []*grams
	for _, m := range x.models {
		for k := 1; k < m.trie.order; k++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if len(lists) < k {
				lists = append(lists, &grams{length: k + 1})
			}
			g := lists[k-1]
			m.trie.walk(k, func(_ uint32, words []uint32) { g.words = append(g.words, words...) })
		}
	}
	for _, g := range lists {
		g.sort()
		g.compact()
	}
	return assemble(x.models[0].trie.words, lists), nil
}

// fill computes the probabilities and weights of a trie of all n-grams.
func (x *mixer) fill(ctx context.Context, t *trie) error {
	n := len(x.models)
	// states are those of each model after the words of each context.
	states := make([]State, int(t.contexts())*n)
	mean := func(word uint32, before, after []State) float64 {
		sum := 0.0
		for i, m := range x.models {
			logProb, s := m.trie.next(before[i], word)
			if sum += float64(x.weights[i] * elementary.Exp(min(0, logProb))); after != nil {
				after[i] = s
			}
		}
		return min(0, logOf(sum))
	}
	empty := make([]State, n)
	for i := range empty {
		empty[i] = emptyContext
	}
	for w := range t.begin() {
		t.log[w] = mean(w, empty, states[int(w)*n:][:n])
	}
	for i, m := range x.models {
		states[int(t.begin())*n+i] = m.Start()
	}
	for c := range t.contexts() {
		if c%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from, to := t.run(c)
		for e := from; e < to; e++ {
			var after []State
			if e < t.contexts() {
				after = states[int(e)*n:][:n]
			}
			t.log[e] = mean(t.word[e-t.unigrams()], states[int(c)*n:][:n], after)
		}
		t.normalise(c)
	}
	return nil
}
