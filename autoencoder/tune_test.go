package autoencoder

import (
	"context"
	"github.com/sotto-dp/sotto/internal/stage"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// The tolerance is that of checkGradient. What reads given vectors
// teaches the words' own vectors nothing; what writes does.
func TestGradientsOfGivenVectorsAreThoseOfTheLoss(t *testing.T) {
	stage.Unraced(t)
	w := random(small, 9, 1)
	rng := rand.New(rand.NewPCG(3, 3))
	vectors := make([][]float64, len(some))
	for i, words := range some {
		vectors[i] = make([]float64, len(words)*small.Embed)
		for k := range vectors[i] {
			vectors[i][k] = rng.NormFloat64()
		}
	}
	loss := func(grad *weights[float64]) float64 {
		n := newNetwork(small, w, 2)
		n.layOut(some)
		n.give(vectors)
		n.read(regular{}, nil)
		return n.write(regular{}, nil, grad)
	}
	grad := over(small, make([]float64, small.count()))
	loss(grad)
	// The vector of a sentence's end is not given, and stays unchanged.
	end := int(small.end()) * small.Embed
	for name, span := range map[string][2]int{"weight": {0, end}, "weight after the sentence's end": {end + small.Embed, len(w.all)}} {
		checkGradient(t, name, w.all[span[0]:span[1]], grad.all[span[0]:span[1]], func() float64 { return loss(nil) })
	}
}

// A model tuned on pure noise with random targets memorises them: of 48 words
// drawn from 13, the model before gets 48/13 by chance.
func TestTunedModelWritesWhatItIsTold(t *testing.T) {
	stage.Unraced(t)
	o := little
	o.Hidden, o.Latent, o.Epochs, o.Dropout, o.WordDropout, o.Swap = 24, 16, 2, -1, -1, -1
	m := train(t, corpus(200), Lesson{Options: o, Public: true})
	before := slices.Clone(m.weights)
	rng := rand.New(rand.NewPCG(4, 4))
	var l Lines
	for range 12 {
		words, vector := make([]embedding.ID, 4), make([]float32, 4*8)
		for k := range words {
			words[k] = embedding.ID(rng.IntN(m.Table().Len()))
		}
		for k := range vector {
			vector[k] = float32(rng.NormFloat64())
		}
		l.Words, l.Vectors = append(l.Words, words), append(l.Vectors, vector)
	}
	agree := func(m *Model) (same int) {
		for i, words := range m.Decode(m.EncodeVectors(nil, l.Vectors), 1) {
			for k := range min(len(words), 4) {
				if words[k] == l.Words[i][k] {
					same++
				}
			}
		}
		return same
	}
	o.Epochs, o.Batch, o.Rate = 80, 4, 0.01
	var asked []int
	give := func(epoch int) (Lines, error) { asked = append(asked, epoch); return l, nil }
	tuned, err := m.Tune(context.Background(), o, 2, give)
	if err != nil {
		t.Fatal(err)
	}
	if n := agree(tuned); n < 45 || agree(m) > 20 {
		t.Errorf("%d of 48 words are as told, before %d", n, agree(m))
	}
	again, err := m.Tune(context.Background(), o, 1, give)
	if err != nil || !slices.Equal(again.weights, tuned.weights) || !slices.Equal(m.weights, before) {
		t.Errorf("the model tuned again is another, or the first has changed (%v)", err)
	}
	if len(asked) != 160 || asked[79] != 79 {
		t.Errorf("lines were asked for %d times", len(asked))
	}
	if c := tuned.Card(); c.Public || c.Corpus.SHA256 != "" || c.Metrics.Rouge1 != 0 {
		t.Errorf("the card declares %+v", c)
	}
	l.Vectors[3] = l.Vectors[3][:8]
	if _, err := m.Tune(context.Background(), o, 1, give); err == nil || !strings.Contains(err.Error(), "8 numbers for 4 words of 8 dimensions") {
		t.Errorf("vectors that are missing: %v", err)
	}
}
