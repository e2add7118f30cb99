package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
)

// Windows count both ways, rare words weigh by their information, and a pair that
// is no more frequent than by chance is 0: worked by hand for "a b a c".
func TestCooccurrenceIsPositiveInformation(t *testing.T) {
	c := dataset.Corpus{Words: []embedding.ID{0, 1, 0, 2}, Ends: []int{4}}
	m := Cooccur(c, 3, 1) // pairs ab, ba, ac: counts ab 2, ac 1, each both ways
	// shares: a 3/6, b 2/6, c 1/6
	smooth := math.Pow(0.5, 0.75) + math.Pow(1./3, 0.75) + math.Pow(1./6, 0.75)
	want := map[[2]int]float64{
		{0, 1}: math.Log(2. / 3 * smooth / math.Pow(1./3, 0.75)), {1, 0}: math.Log(2. / 2 * smooth / math.Pow(0.5, 0.75)),
		{0, 2}: math.Log(1. / 3 * smooth / math.Pow(1./6, 0.75)), {2, 0}: math.Log(1. / 1 * smooth / math.Pow(0.5, 0.75)),
	}
	seen := 0
	for x := range 3 {
		for i := m.start[x]; i < m.start[x+1]; i++ {
			at := [2]int{x, int(m.other[i])}
			if w := max(0, want[at]); math.Abs(m.value[i]-w) > 1e-12 {
				t.Errorf("%v has %g, want %g", at, m.value[i], w)
			}
			if w := max(0, want[[2]int{at[1], at[0]}]); math.Abs(m.back[i]-w) > 1e-12 {
				t.Errorf("back of %v is %g, want %g", at, m.back[i], w)
			}
			seen++
		}
	}
	if seen != len(want) {
		t.Errorf("%d entries, want %d", seen, len(want))
	}
}

// The vectors span what the leading singular vectors of the whole matrix span, and
// have their lengths.
func TestFactorsAreTheLeadingSingularVectors(t *testing.T) {
	const words, dimensions = 80, 10
	rng := rand.New(rand.NewPCG(5, 6))
	var c dataset.Corpus
	for range 4000 { // words of one of five topics stand together
		topic := rng.IntN(5)
		for range 6 {
			c.Words = append(c.Words, embedding.ID(min(words-1, topic*16+rng.IntN(18))))
		}
		c.Ends = append(c.Ends, len(c.Words))
	}
	m := Cooccur(c, words, 3)
	whole := mat.NewDense(words, words, nil)
	for x := range words {
		for i := m.start[x]; i < m.start[x+1]; i++ {
			whole.Set(x, int(m.other[i]), m.value[i])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(whole, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	got := m.Factor(dimensions, 1)
	// Products of vectors do not depend on signs: U S U' of the leading ones.
	for x := range words {
		for y := range words {
			want, have := 0.0, 0.0
			for k, s := range svd.Values(nil)[:dimensions] {
				want += u.At(x, k) * s * u.At(y, k)
				have += float64(got[x*dimensions+k]) * float64(got[y*dimensions+k])
			}
			if math.Abs(want-have) > 1e-2 {
				t.Fatalf("words %d and %d have product %g, want %g", x, y, have, want)
			}
		}
	}
}
