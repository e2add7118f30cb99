package autoencoder

import (
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// One step of training: 64 sentences of 19 words and their ends, 5,000 words of
// 100 dimensions, 128 units, in two threads; of a model at its start, and of one that
// rules words out.
func BenchmarkStep(b *testing.B) {
	b.Run("start", func(b *testing.B) { benchmarkStep(b, 0) })
	b.Run("sure", func(b *testing.B) { benchmarkStep(b, 85) })
}

// benchmarkStep begins with words' scores spread from 0 down to the depth.
func benchmarkStep(b *testing.B, depth float32) {
	s := Shape{Words: 5000, Embed: 100, Hidden: 128, Latent: 128, Tokens: 19}
	rng := rand.New(rand.NewPCG(1, 1))
	sentences := make([][]embedding.ID, 64)
	for i := range sentences {
		for range 19 {
			sentences[i] = append(sentences[i], embedding.ID(rng.IntN(s.Words)))
		}
	}
	w, grad := over(s, make([]float32, s.count())), over(s, make([]float32, s.count()))
	w.initialise(s, rng)
	for k := range w.output.bias {
		w.output.bias[k] -= depth * rng.Float32()
	}
	n := newNetwork(s, w, 2)
	a := moments{mean: make([]float32, s.count()), square: make([]float32, s.count())}
	for b.Loop() {
		n.loss(sentences, regular{0.1, 0.1}, rng, grad)
		a.step(w.all, grad.all, 1e-3, 5, 2)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}
