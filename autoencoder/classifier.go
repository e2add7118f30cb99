package autoencoder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/gemm"
)

// Classifier predicts the label of a text from the vectors of its words: a
// model's encoder with a softmax over its output (a BiLSTM, as in the
// classification of the TrLaplace paper). The caller provides the vectors, and they are not
// trained. So a classifier of private vectors depends on these vectors alone.
type Classifier struct {
	shape   Shape
	classes int
	weights []float32 // those of overClasses; see Model
}

// classWeights are views of one slice.
type classWeights[F gemm.Number] struct {
	all     []F
	encoder [2]cell[F]
	output  layer[F] // what is known of a text x classes
}

func classCount(s Shape, classes int) int { return 2*s.cell(s.Embed) + (s.read()+1)*classes }

func overClasses[F gemm.Number](s Shape, classes int, all []F) *classWeights[F] {
	w := &classWeights[F]{all: all}
	take := func(n int) []F {
		v := all[:n:n]
		all = all[n:]
		return v
	}
	for i := range w.encoder {
		w.encoder[i] = cell[F]{take(s.Embed * s.gates()), take(s.Hidden * s.gates()), take(s.gates())}
	}
	w.output = layer[F]{take(s.read() * classes), take(classes)}
	return w
}

// classNetwork evaluates a classifier on batches.
type classNetwork[F gemm.Number] struct {
	encoder[F]
	weights *classWeights[F]
	classes int
	chances []F // sentences x classes, in the order of the batch
}

func newClassNetwork[F gemm.Number](s Shape, classes int, w *classWeights[F], threads int) *classNetwork[F] {
	return &classNetwork[F]{encoder: newEncoder[F](s, threads), weights: w, classes: classes}
}

// read computes the probabilities of every class for some texts.
func (n *classNetwork[F]) read(vectors [][]F, reg regular, rng *rand.Rand) {
	n.place(blanks(vectors, n.shape.Embed))
	n.give(vectors)
	n.states(n.weights.encoder, reg, rng)
	count := len(vectors)
	n.chances = n.arena.take(count * n.classes)
	n.layer(n.chances, n.finals, n.weights.output, count, n.shape.read(), n.classes)
	for row := range slices.Chunk(n.chances, n.classes) {
		sum := exponentials(row, most(row))
		for k := range row {
			row[k] /= F(sum)
		}
	}
}

// loss returns the mean cross-entropy of texts with their labels, in nats. Where grad is
// not nil its gradient is added to it.
func (n *classNetwork[F]) loss(vectors [][]F, labels []int, reg regular, rng *rand.Rand, grad *classWeights[F]) float64 {
	n.read(vectors, reg, rng)
	count, wide := len(vectors), n.shape.read()
	loss := 0.0
	for r, i := range n.batch.order {
		row := n.chances[r*n.classes : (r+1)*n.classes]
		loss -= math.Log(max(float64(row[labels[i]]), math.SmallestNonzeroFloat32)) / float64(count)
		row[labels[i]]--
		for k := range row {
			row[k] /= F(count)
		}
	}
	if grad == nil {
		return loss
	}
	scores := gemm.Of(n.chances, count, n.classes) // their gradients by now
	gemm.Multiply(gemm.Of(grad.output.weight, wide, n.classes), gemm.Of(n.finals, count, wide).T(), scores, true, n.threads)
	addRows(grad.output.bias, n.chances)
	dFinals := n.arena.take(count * wide)
	gemm.Multiply(gemm.Of(dFinals, count, wide), scores, gemm.Of(n.weights.output.weight, wide, n.classes).T(), true, n.threads)
	n.unread(n.weights.encoder, grad.encoder, dFinals, nil)
	return loss
}

// Labelled is the input of TrainClassifier.
type Labelled struct {
	Options    Options // only Hidden, Batch, Epochs, Rate, Norm, Dropout and Seed are used
	Threads    int     // number of threads; the result does not depend on it
	Classes    int
	Dimensions int   // of a word's vector
	Labels     []int // of each text, 0 to Classes-1
	// Vectors returns the vectors of all texts (each words x Dimensions) for every
	// epoch from 0 on: the same ones, or new draws.
	Vectors func(epoch int) ([][]float32, error)
}

// TrainClassifier returns a classifier. The result depends only on the options, the labels
// and the vectors.
func TrainClassifier(ctx context.Context, l Labelled) (*Classifier, error) {
	o := l.Options.withDefaults()
	o.Embed = l.Dimensions
	if err := o.check(); err != nil {
		return nil, err
	}
	for _, label := range l.Labels {
		if label < 0 || label >= l.Classes {
			return nil, fmt.Errorf("classifier: a label must be 0 to %d, got %d", l.Classes-1, label)
		}
	}
	s, threads := Shape{Words: 1, Embed: o.Embed, Hidden: o.Hidden, Latent: 1, Tokens: 1}, max(1, l.Threads)
	size := classCount(s, l.Classes)
	c := &Classifier{s, l.Classes, make([]float32, size)}
	w := overClasses(s, l.Classes, c.weights)
	w.initialise(s, o.source(0, 0))
	n, grad := newClassNetwork(s, l.Classes, w, threads), overClasses(s, l.Classes, make([]float32, size))
	var given [][]float32
	err := o.epochs(ctx, len(l.Labels), c.weights, grad.all, threads, func(epoch int) (err error) {
		if given, err = l.Vectors(epoch); err == nil && len(given) != len(l.Labels) {
			err = fmt.Errorf("classifier: %d vectors for %d texts, want one each", len(given), len(l.Labels))
		}
		return err
	}, func(batch []int, rng *rand.Rand) float64 {
		some, right := make([][]float32, len(batch)), make([]int, len(batch))
		for k, i := range batch {
			some[k], right[k] = given[i], l.Labels[i]
		}
		return n.loss(some, right, o.regular(), rng, grad)
	})
	return c, err
}

// Classify returns the most probable label of each text.
func (c *Classifier) Classify(vectors [][]float32) []int {
	n := newClassNetwork(c.shape, c.classes, overClasses(c.shape, c.classes, c.weights), runtime.GOMAXPROCS(0))
	out := make([]int, 0, len(vectors))
	for some := range slices.Chunk(vectors, readAtOnce) {
		n.read(some, regular{}, nil)
		at := len(out)
		out = out[:at+len(some)]
		for r, i := range n.batch.order {
			out[at+i] = largest(n.chances[r*c.classes : (r+1)*c.classes])
		}
	}
	return out
}

// blanks returns sentences of as many words as there are vectors.
func blanks[F gemm.Number](vectors [][]F, wide int) [][]embedding.ID {
	sentences := make([][]embedding.ID, len(vectors))
	for i, v := range vectors {
		sentences[i] = make([]embedding.ID, len(v)/wide)
	}
	return sentences
}

// initialise draws the weights as for a model.
func (w *classWeights[F]) initialise(s Shape, rng *rand.Rand) {
	clear(w.all)
	for _, c := range w.encoder {
		c.initialise(s, rng)
	}
	uniform(w.output.weight, 1/math.Sqrt(float64(s.read())), rng)
}
