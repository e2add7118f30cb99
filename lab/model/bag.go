package model

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
	"github.com/sotto-dp/sotto/internal/simd/rowops"
	"github.com/sotto-dp/sotto/lab/dataset"
)

// BagConfig configures the training of a Bag.
type BagConfig struct {
	Epochs, Batch int     // 20 and 64, as in the TEM paper's section 5
	Rate          float64 // Adam's step for the linear layer
	WordRate      float64 // Adam's step for the word vectors; 0 leaves them as they are
	Decay         float64 // weight of half the squared norm of the linear layer's weights
	Seed          uint64  // of the order of texts
}

// DefaultBag is the setting that held-out training texts chose; see docs/results/lab.md.
var DefaultBag = BagConfig{Epochs: 20, Batch: 64, Rate: 1e-2, WordRate: 3e-4, Decay: 1e-4}

// Bag is fastText's classifier (Joulin, Grave, Bojanowski, Mikolov 2017, without
// n-grams): a text is the mean of its words' vectors, a linear layer and a
// softmax follow. Vectors start as those of a public table.
type Bag struct {
	classes, dim int
	words        []float32 // words x dim
	linear       []float32 // classes x dim
	constant     []float32 // classes
}

// NewBag returns an untrained classifier over a table's words.
func NewBag(table *embedding.Table, classes int) *Bag {
	b := &Bag{classes: classes, dim: table.Dim(), linear: make([]float32, classes*table.Dim()), constant: make([]float32, classes)}
	b.words = make([]float32, 0, table.Len()*table.Dim())
	for x := range table.Len() {
		b.words = table.Vector(b.words, embedding.ID(x))
	}
	return b
}

// Fit trains with Adam on the mean log loss of batches. Moments of a word's
// vector are brought forward only in batches that hold the word.
func (b *Bag) Fit(c dataset.Corpus, cfg BagConfig) {
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x1ab))
	linear, constant, words := newMoments(len(b.linear)), newMoments(len(b.constant)), newMoments(len(b.words))
	g := b.newGradient()
	for range cfg.Epochs {
		order := rng.Perm(c.Len())
		for len(order) > 0 {
			batch := order[:min(cfg.Batch, len(order))]
			order = order[len(batch):]
			b.add(g, c, batch, cfg.WordRate > 0)
			rowops.Axpy(g.linear, float32(cfg.Decay), b.linear)
			linear.step(b.linear, g.linear, cfg.Rate)
			constant.step(b.constant, g.constant, cfg.Rate)
			words.stepRows(b.words, g.words, g.touched, b.dim, cfg.WordRate)
			g.forget()
		}
	}
}

// Classes returns the number of classes.
func (b *Bag) Classes() int { return b.classes }

// Loss returns the mean log loss over a corpus.
func (b *Bag) Loss(c dataset.Corpus) float64 {
	p := make([]float64, b.classes)
	sum := 0.0
	for i := range c.Len() {
		b.Probabilities(p, c.Text(i))
		sum -= math.Log(max(p[c.Labels[i]], 1e-300))
	}
	return sum / float64(c.Len())
}

// Predict returns the most probable class of each text.
func (b *Bag) Predict(c dataset.Corpus) []int {
	p := make([]float64, b.classes)
	out := make([]int, c.Len())
	for i := range out {
		b.Probabilities(p, c.Text(i))
		out[i] = largest(p)
	}
	return out
}

// Probabilities writes the chance of each class for one text into p.
func (b *Bag) Probabilities(p []float64, text []embedding.ID) {
	mean, scores := make([]float32, b.dim), make([]float32, b.classes)
	b.mean(mean, text)
	b.scores(scores, mean, 1)
	b.chances(p, scores)
}

func (b *Bag) vector(x embedding.ID) []float32 { return b.words[int(x)*b.dim : (int(x)+1)*b.dim] }

func (b *Bag) mean(dst []float32, text []embedding.ID) {
	clear(dst)
	for _, x := range text {
		rowops.Axpy(dst, 1/float32(len(text)), b.vector(x))
	}
}

// scores multiplies the mean vectors of n texts, row after row, by the linear layer.
func (b *Bag) scores(dst, means []float32, n int) {
	gemm.Multiply(gemm.Of(dst, n, b.classes), gemm.Of(means, n, b.dim), gemm.Of(b.linear, b.classes, b.dim).T(), false, 1)
}

// chances makes probabilities of the scores of one text.
func (b *Bag) chances(p []float64, scores []float32) {
	for c, s := range scores {
		p[c] = float64(s) + float64(b.constant[c])
	}
	softmax(p)
}
