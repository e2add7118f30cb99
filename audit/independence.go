package audit

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/interval"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

// A seeded audit gives every draw its source, and so would not notice a mechanism
// that falls back to a fixed seed. These tests draw as a release does, without a
// given source, and compare how often two releases agree with how often two draws
// from one secure source agree. The two probabilities are equal where releases
// are independent.

// repeatedWords is the number of words in each of two runs, repeatedVectors the
// number of pairs of vectors.
const (
	repeatedWords   = 2048
	repeatedVectors = 256
)

// The tests take these shares of the false-positive rate. Vectors need little:
// with noise that has no atoms none of the pairs agree, with a fixed seed all do.
const (
	wordsShare   = 0.01
	vectorsShare = 1e-9
)

const whyDependent = "Two runs without a given source of randomness agree with each other more often than two draws from one source: the randomness repeats, and anyone who knows it can undo the noise."

// wordsDependent returns a witness where two runs of m agree too often, else nil. It
// accuses an independent m with probability at most alpha.
func wordsDependent(m mechanism.Mechanism, table *embedding.Table, alpha float64) (*Triple, error) {
	x := embedding.ID(table.Len() / 3)
	draw := func(n int, rng rand.Source) ([]embedding.ID, error) {
		out, err := m.Replace(nil, slices.Repeat([]embedding.ID{x}, n), rng)
		if err == nil && len(out) != n {
			err = fmt.Errorf("audit: %d words became %d", n, len(out))
		}
		return out, err
	}
	a, err := draw(repeatedWords, nil)
	if err != nil {
		return nil, err
	}
	b, err := draw(repeatedWords, nil)
	if err != nil {
		return nil, err
	}
	one, err := draw(2*repeatedWords, noise.Secure())
	if err != nil {
		return nil, err
	}
	across, within := 0, 0
	for i := range a {
		across += count(a[i] == b[i])
		within += count(one[2*i] == one[2*i+1])
	}
	name := table.Word(x)
	return dependent(across, within, repeatedWords, alpha, name, "the same word twice"), nil
}

// vectorsDependent is wordsDependent for releases of v.
func vectorsDependent(p mechanism.Perturber, v []float32, name string, alpha float64) (*Triple, error) {
	_, out := p.Dimensions()
	agree := func(rng rand.Source) (int, error) {
		pairs, a, b := 0, make([]float32, out), make([]float32, out)
		for range repeatedVectors {
			for _, dst := range [][]float32{a, b} {
				if err := p.Perturb(dst, v, rng); err != nil {
					return 0, err
				}
			}
			pairs += count(slices.Equal(a, b))
		}
		return pairs, nil
	}
	across, err := agree(nil)
	if err != nil {
		return nil, err
	}
	within, err := agree(noise.Secure())
	if err != nil {
		return nil, err
	}
	return dependent(across, within, repeatedVectors, alpha, name, "the same vector twice"), nil
}

func dependent(across, within, n int, alpha float64, input, output string) *Triple {
	if e := weigh(across, within, interval.NewBounds(n, alpha/2)); e.p <= e.q {
		return nil
	}
	return &Triple{input + " in two runs", input + " twice from one source", output, float64(across) / float64(n), float64(within) / float64(n)}
}
