package autoencoder

import (
	"context"
	"errors"
	"github.com/sotto-dp/sotto/internal/stage"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// readings are texts of 0 to 6 vectors of 5 dimensions, labelled 0 to 2.
func readings[F gemm.Number](n int, seed uint64) (vectors [][]F, labels []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range n {
		v := make([]F, 5*(i%7))
		for k := range v {
			v[k] = F(rng.NormFloat64())
		}
		vectors, labels = append(vectors, v), append(labels, i%3)
	}
	return vectors, labels
}

// The tolerance is that of checkGradient.
func TestGradientsOfAClassifierAreThoseOfItsLoss(t *testing.T) {
	stage.Unraced(t)
	s := Shape{Words: 1, Embed: 5, Hidden: 4, Latent: 1, Tokens: 1}
	vectors, labels := readings[float64](9, 1)
	for name, reg := range map[string]regular{"plain": {}, "with dropout": {Dropout: 0.3}} {
		t.Run(name, func(t *testing.T) {
			w := overClasses(s, 3, make([]float64, classCount(s, 3)))
			rng := rand.New(rand.NewPCG(7, 1))
			w.initialise(s, rng)
			for i := range w.all {
				w.all[i] += 0.1 * rng.NormFloat64()
			}
			loss := func(grad *classWeights[float64]) float64 {
				return newClassNetwork(s, 3, w, 2).loss(vectors, labels, reg, rand.New(rand.NewPCG(5, 5)), grad)
			}
			grad := overClasses(s, 3, make([]float64, len(w.all)))
			loss(grad)
			moved := checkGradient(t, "weight", w.all, grad.all, func() float64 { return loss(nil) })
			if moved < len(w.all)*9/10 {
				t.Errorf("%d of %d weights move the loss", moved, len(w.all))
			}
		})
	}
}

// ordered returns texts of four vectors, labelled by whether the first is above
// the last, which no bag of words can learn.
func ordered(n int, seed uint64) (vectors [][]float32, labels []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for range n {
		v := make([]float32, 4*2)
		for k := range v {
			v[k] = float32(rng.NormFloat64())
		}
		label := 0
		if v[0] > v[6] {
			label = 1
		}
		vectors, labels = append(vectors, v), append(labels, label)
	}
	return vectors, labels
}

func right(found, labels []int) float64 {
	n := 0
	for i, f := range found {
		if f == labels[i] {
			n++
		}
	}
	return float64(n) / float64(len(labels))
}

func classifier(t *testing.T, o Options, threads int, vectors [][]float32, labels []int) *Classifier {
	t.Helper()
	c, err := TrainClassifier(context.Background(), Labelled{o, threads, 2, 2, labels, func(int) ([][]float32, error) { return vectors, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The mutant learns from labels that are not the texts'.
func TestClassifierLearnsTheOrderOfVectors(t *testing.T) {
	stage.Unraced(t)
	vectors, labels := ordered(600, 1)
	unseen, answers := ordered(300, 2)
	o := Options{Hidden: 12, Batch: 16, Epochs: 15, Rate: 0.01, Dropout: -1, Seed: 1}
	c := classifier(t, o, 2, vectors, labels)
	if r := right(c.Classify(unseen), answers); r < 0.85 {
		t.Errorf("%g of unseen texts are right", r)
	}
	if !slices.Equal(c.Classify(unseen)[7:8], c.Classify(unseen[7:8])) {
		t.Error("an answer depends on the texts beside it")
	}
	wrong := slices.Concat(labels[1:], labels[:1])
	if r := right(classifier(t, o, 2, vectors, wrong).Classify(unseen), answers); r > 0.75 {
		t.Errorf("with labels of other texts %g are right", r)
	}
	if !slices.Equal(c.weights, classifier(t, o, 1, vectors, labels).weights) {
		t.Error("one thread makes another classifier")
	}
	o.Seed++
	if slices.Equal(c.weights, classifier(t, o, 1, vectors, labels).weights) {
		t.Error("another seed makes the same classifier")
	}
}

func TestClassifierAsksForVectorsBeforeEveryEpoch(t *testing.T) {
	vectors, labels := ordered(20, 1)
	var asked []int
	broken := errors.New("broken")
	give := func(epoch int) ([][]float32, error) {
		if asked = append(asked, epoch); epoch == 3 {
			return nil, broken
		}
		return vectors, nil
	}
	if _, err := TrainClassifier(context.Background(), Labelled{Options{Hidden: 2, Epochs: 5}, 1, 2, 2, labels, give}); !errors.Is(err, broken) || !slices.Equal(asked, []int{0, 1, 2, 3}) {
		t.Errorf("asked before epochs %v: %v", asked, err)
	}
	for says, c := range map[string]struct {
		labels []int
		o      Options
	}{
		"classifier: a label must be 0 to 1, got 2":         {[]int{0, 2}, Options{}},
		"classifier: 20 vectors for 1 texts, want one each": {[]int{0}, Options{}},
		"autoencoder: hidden must be 1 to 4096, got -1":     {labels, Options{Hidden: -1}},
	} {
		if _, err := TrainClassifier(context.Background(), Labelled{c.o, 1, 2, 2, c.labels, func(int) ([][]float32, error) { return vectors, nil }}); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}
