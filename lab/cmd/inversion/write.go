package main

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/language"
)

// The n-gram decoder writes a text word by word: a beam of hypotheses, scored by the cosine of
// their vector with the one that was seen and by the language model. Vec2Text does the same
// with a neural model, and corrects its text in rounds.
const (
	width   = 6    // hypotheses
	aligned = 60   // words that are nearest to the vector
	usual   = 30   // the most frequent words
	weight  = 0.02 // of the mean log-probability of a word, beside the cosine
)

type hypothesis struct {
	text  []embedding.ID
	sum   []float32 // of its words' vectors
	log   float64
	state language.State
	score float64
}

// write returns the best text of the mean length of the public texts. Without a vector the
// language model alone decides.
func (w *world) write(s *space, vector []float64) []embedding.ID {
	pool := w.pool(s, vector)
	in, _ := s.p.Dimensions()
	beam := []hypothesis{{sum: make([]float32, in), state: w.model.Start()}}
	mean := make([]float32, in)
	for n := 1; n <= w.length; n++ {
		var next []hypothesis
		for _, h := range beam {
			for _, word := range pool {
				logProb, state := w.model.Next(h.state, word)
				g := hypothesis{log: h.log + logProb, state: state}
				g.score = weight * g.log / float64(n)
				if vector != nil {
					for i, x := range s.words[word] {
						mean[i] = (h.sum[i] + x) / float32(n)
					}
					g.score += inner(s.unitOf(mean), vector)
				}
				if len(next) == width && g.score <= next[width-1].score {
					continue
				}
				g.text = append(h.text[:len(h.text):len(h.text)], word)
				g.sum = slices.Clone(h.sum)
				for i, x := range s.words[word] {
					g.sum[i] += x
				}
				at, _ := slices.BinarySearchFunc(next, g, func(a, b hypothesis) int { return cmp.Compare(b.score, a.score) })
				next = slices.Insert(next, at, g)
				next = next[:min(width, len(next))]
			}
		}
		beam = next
	}
	if len(beam) == 0 {
		return nil
	}
	return beam[0].text
}

// pool returns the words that a text is written with.
func (w *world) pool(s *space, vector []float64) (pool []embedding.ID) {
	for id := range usual {
		pool = append(pool, w.frequent[id])
	}
	if vector == nil {
		return append(pool, w.frequent[usual:usual+aligned]...)
	}
	type word struct {
		id     embedding.ID
		cosine float64
	}
	var all []word
	if s.frequent == nil {
		for _, id := range w.frequent {
			s.frequent = append(s.frequent, s.unitOf(s.words[id]))
		}
	}
	for i, id := range w.frequent {
		all = append(all, word{id, inner(s.frequent[i], vector)})
	}
	slices.SortFunc(all, func(a, b word) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.id, b.id)) })
	for _, x := range all[:aligned] {
		if !slices.Contains(pool, x.id) {
			pool = append(pool, x.id)
		}
	}
	return pool
}

// prepare counts the words of the public texts, and chooses the public text that is the best
// answer without a release, by others.
func (w *world) prepare() {
	counts := map[embedding.ID]int{}
	for _, t := range w.public {
		w.length += len(t)
		for _, id := range t {
			counts[id]++
		}
	}
	w.length /= len(w.public)
	delete(counts, w.table.Unknown())
	for id := range counts {
		w.frequent = append(w.frequent, id)
	}
	slices.SortFunc(w.frequent, func(a, b embedding.ID) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	w.frequent = w.frequent[:min(len(w.frequent), 8000)]
	best := -1.0
	for _, answer := range w.public[:500] {
		sum := 0.0
		for _, other := range w.public[5000:5300] {
			sum += metric.Rouge1(other, answer)
		}
		if sum > best {
			best, w.blind = sum, answer
		}
	}
}
