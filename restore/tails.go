package restore

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// tail is the words after a node that are not candidates of their own.
type tail struct {
	from   int32
	node   hypothesis
	listed bool    // the words that the column lists, or those that it does not
	share  float64 // of these words among those that word or listedWord draws from
	score  float64 // the logarithm of their weight
}

// tails are those of a position.
type tails struct {
	model *language.Model
	all   []tail
	sums  []float64 // of the unigram chances of the words up to each, then of </s>
}

func newTails(m *language.Model) tails { return tails{model: m} }

func (t *tails) add(x tail) { t.all = append(t.all, x) }

// piece is a part of a tail that is drawn on its own.
type piece struct {
	tail tail
	mass float64
}

// cut divides the tails: a heavy one into as many pieces as it would have nodes if all
// were as heavy.
func (t *tails) cut(masses []float64, top float64, beam int) []piece {
	sum := 0.0
	for _, m := range masses {
		sum += m
	}
	for _, x := range t.all {
		sum += math.Exp(x.score - top)
	}
	var pieces []piece
	for _, x := range t.all {
		mass := math.Exp(x.score - top)
		n := 1 + int(mass/sum*float64(beam))
		for range n {
			pieces = append(pieces, piece{x, mass / float64(n)})
		}
	}
	return pieces
}

// leastShare is the share of a tail from which one of its words is drawn by drawing any
// word until it is one. For smaller ones all words are listed.
const leastShare = 0.02

// drawTail draws a word of a tail by its weight after the state.
func (d *Decoder) drawTail(t tail, c *view, rng *rand.Rand) candidate {
	if t.listed {
		return d.drawListed(t, c, rng)
	}
	d.likely(t.node.state) // marks them
	in := func(w embedding.ID) bool { return !d.hits.lists(w) && d.seen[w] != d.round }
	var word embedding.ID
	if t.share >= leastShare {
		for ok := false; !ok || !in(word); {
			word, ok = d.tails.word(t.node.state, rng)
		}
	} else {
		weights := make([]float64, len(d.seen))
		for w := range weights {
			if in(embedding.ID(w)) {
				p, _ := d.model.Next(t.node.state, embedding.ID(w))
				weights[w] = math.Exp(p)
			}
		}
		word = embedding.ID(pick(weights, rng))
	}
	p, next := d.model.Next(t.node.state, word)
	return candidate{next: next, word: word, from: t.from, weight: p + c.base, score: t.node.mass + p + c.base}
}

// drawListed draws one of the listed words that the model has not seen after the state.
// The candidates that seenListed adds are those of enumerate again, and are taken back.
func (d *Decoder) drawListed(t tail, c *view, rng *rand.Rand) candidate {
	n := len(d.found.all)
	above := d.seenListed(t.from, t.node)
	d.found.all = d.found.all[:n]
	in := func(j int) bool { return d.seen[c.places[j].word] != d.round }
	var j int
	if t.share >= leastShare {
		for {
			left := (1 - rng.Float64()) * c.sums[d.likelyWords] // above 0
			// The last place from which on the sum is at least what is left.
			j = sort.Search(len(c.places), func(j int) bool { return c.sums[j] < left }) - 1
			if j >= d.likelyWords && in(j) {
				break
			}
		}
	} else {
		weights := make([]float64, len(c.places))
		for j := d.likelyWords; j < len(weights); j++ {
			if in(j) {
				weights[j] = math.Exp(c.places[j].value)
			}
		}
		j = pick(weights, rng)
	}
	w, edge := c.places[j].word, above-t.node.mass+c.places[j].value
	return candidate{next: d.order.next[w], word: w, from: t.from, weight: edge, score: t.node.mass + edge}
}

// word draws what follows a state; ok is false for the end of the text.
func (t *tails) word(s language.State, rng *rand.Rand) (w embedding.ID, ok bool) {
	_, shorter, longer := t.model.Backoff(s)
	if !longer {
		return t.unigram(rng)
	}
	run := t.model.Seen(s)
	u := rng.Float64()
	for i, p := range run.LogProbs {
		if u -= math.Exp(p); u < 0 {
			return embedding.ID(run.Words[i]), int(run.Words[i]) < t.model.Vocabulary().Len()
		}
	}
	for {
		w, ok := t.word(shorter, rng)
		if _, seen := slices.BinarySearch(run.Words, uint32(w)); !seen {
			return w, ok
		}
	}
}

// unigram draws a word without context. The end of the text is the number of words.
func (t *tails) unigram(rng *rand.Rand) (w embedding.ID, ok bool) {
	n := t.model.Vocabulary().Len()
	if t.sums == nil {
		sum, s := 0.0, t.model.Empty()
		for w := range n {
			p, _ := t.model.Next(s, embedding.ID(w))
			sum += math.Exp(p)
			t.sums = append(t.sums, sum)
		}
		t.sums = append(t.sums, sum+math.Exp(t.model.End(s)))
	}
	u := rng.Float64() * t.sums[n]
	at, _ := slices.BinarySearch(t.sums, u)
	return embedding.ID(min(at, n)), at < n
}
