// Package metric measures texts and classifiers.
package metric

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// Unchanged returns N_w, the share of tokens that are the same in both slices, position by
// position. It is 0 for no tokens.
func Unchanged(in, out []embedding.ID) float64 {
	same := 0
	for i, x := range in {
		if out[i] == x {
			same++
		}
	}
	return float64(same) / float64(max(1, len(in)))
}

// Rouge1 returns the F measure of ROUGE-1: the harmonic mean of the shares of reference and
// candidate words that match. A word matches as often as it occurs in both (Lin 2004).
func Rouge1(reference, candidate []embedding.ID) float64 {
	if len(reference)+len(candidate) == 0 {
		return 1
	}
	return 2 * float64(matches(reference, candidate, 1)) / float64(len(reference)+len(candidate))
}

// BLEU returns the sentence score of orders 1 to 4 (Papineni, Roukos, Ward, Zhu 2002)
// with the smoothing of Lin and Och 2004: one is added to matches and totals of
// orders above 1. Orders longer than the candidate are left out.
func BLEU(reference, candidate []embedding.ID) float64 {
	if len(candidate) == 0 {
		return 0
	}
	sum, orders := 0.0, 0
	for n := 1; n <= min(4, len(candidate)); n++ {
		hit, total := float64(matches(reference, candidate, n)), float64(len(candidate)-n+1)
		if n > 1 {
			hit, total = hit+1, total+1
		}
		sum += math.Log(hit / total)
		orders++
	}
	brevity := min(0, 1-float64(len(reference))/float64(len(candidate)))
	return math.Exp(brevity + sum/float64(orders))
}

// matches returns the number of n-grams of candidate that occur in reference, each counted
// at most as often as it occurs there.
func matches(reference, candidate []embedding.ID, n int) int {
	type gram [4]embedding.ID
	at := func(text []embedding.ID, i int) (g gram) {
		copy(g[:], text[i:i+n])
		return g
	}
	left := map[gram]int{}
	for i := range len(reference) - n + 1 {
		left[at(reference, i)]++
	}
	hit := 0
	for i := range len(candidate) - n + 1 {
		if g := at(candidate, i); left[g] > 0 {
			left[g]--
			hit++
		}
	}
	return hit
}

// TokenMatch returns the token-matching similarity over static vectors: each word of
// one text is matched with the most similar word of the other by cosine, and the
// harmonic mean of the two texts' mean matches is taken. It is BERTScore's
// matching (Zhang et al. 2020) without BERT: words have one vector each.
func TokenMatch(unit *Unit, reference, candidate []embedding.ID) float64 {
	if len(reference) == 0 || len(candidate) == 0 {
		return 0
	}
	recall, precision := unit.best(reference, candidate), unit.best(candidate, reference)
	if recall+precision <= 0 {
		return 0
	}
	return 2 * recall * precision / (recall + precision)
}

// Unit holds the vectors of a table, scaled to length 1.
type Unit struct {
	dim     int
	vectors []float32
}

// NewUnit normalises a table's vectors; a zero vector stays zero.
func NewUnit(table *embedding.Table) *Unit {
	u := &Unit{dim: table.Dim()}
	for x := range table.Len() {
		u.vectors = table.Vector(u.vectors, embedding.ID(x))
		v := u.vectors[x*u.dim:]
		sum := 0.0
		for _, a := range v {
			sum += float64(a) * float64(a)
		}
		if sum > 0 {
			for k := range v {
				v[k] = float32(float64(v[k]) / math.Sqrt(sum))
			}
		}
	}
	return u
}

// Cosine returns the similarity of two words.
func (u *Unit) Cosine(x, y embedding.ID) float64 {
	a, b := u.vectors[int(x)*u.dim:(int(x)+1)*u.dim], u.vectors[int(y)*u.dim:(int(y)+1)*u.dim]
	return float64(dot(a, b))
}

// best returns the mean over from's words of the largest cosine to a word of to.
func (u *Unit) best(from, to []embedding.ID) float64 {
	sum := 0.0
	for _, x := range from {
		most := math.Inf(-1)
		for _, y := range to {
			most = max(most, u.Cosine(x, y))
		}
		sum += most
	}
	return sum / float64(len(from))
}
