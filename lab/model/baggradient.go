package model

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
	"github.com/sotto-dp/sotto/internal/simd/rowops"
	"github.com/sotto-dp/sotto/lab/dataset"
)

// gradient of a Bag's loss over one batch. It is clear between batches.
type gradient struct {
	linear, constant []float32
	words            []float32
	touched          []embedding.ID // rows of words that are not clear
	seen             []bool         // by word: it is among touched

	means, back []float32 // batch x dim
	slopes      []float32 // batch x classes: of the loss by the scores
	p           []float64 // classes
}

func (b *Bag) newGradient() *gradient {
	return &gradient{
		linear: make([]float32, len(b.linear)), constant: make([]float32, len(b.constant)),
		words: make([]float32, len(b.words)), seen: make([]bool, len(b.words)/b.dim), p: make([]float64, b.classes),
	}
}

// forget empties the list of rows that were touched. Steps clear the rest.
func (g *gradient) forget() {
	for _, x := range g.touched {
		g.seen[x] = false
	}
	g.touched = g.touched[:0]
}

// add adds the gradient of the mean log loss of a batch of texts, by the vectors of
// words too if they are trained.
func (b *Bag) add(g *gradient, c dataset.Corpus, batch []int, words bool) {
	n := len(batch)
	g.means, g.back = resized(g.means, n*b.dim), resized(g.back, n*b.dim)
	g.slopes = resized(g.slopes, n*b.classes)
	for k, i := range batch {
		b.mean(g.means[k*b.dim:(k+1)*b.dim], c.Text(i))
	}
	b.scores(g.slopes, g.means, n)
	for k, i := range batch {
		slopes := g.slopes[k*b.classes : (k+1)*b.classes]
		b.chances(g.p, slopes)
		for class, p := range g.p {
			if class == c.Labels[i] {
				p--
			}
			if len(c.Text(i)) == 0 {
				p = 0 // a text without words teaches nothing
			}
			slopes[class] = float32(p) / float32(n)
			g.constant[class] += slopes[class]
		}
	}
	slopes, means, back := gemm.Of(g.slopes, n, b.classes), gemm.Of(g.means, n, b.dim), gemm.Of(g.back, n, b.dim)
	gemm.Multiply(gemm.Of(g.linear, b.classes, b.dim), slopes.T(), means, true, 1)
	if !words {
		return
	}
	gemm.Multiply(back, slopes, gemm.Of(b.linear, b.classes, b.dim), false, 1)
	for k, i := range batch {
		text := c.Text(i)
		for _, x := range text {
			if !g.seen[x] {
				g.seen[x] = true
				g.touched = append(g.touched, x)
			}
			rowops.Axpy(g.words[int(x)*b.dim:(int(x)+1)*b.dim], 1/float32(len(text)), g.back[k*b.dim:(k+1)*b.dim])
		}
	}
}

// resized returns v with n elements, whose values are arbitrary.
func resized(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}
