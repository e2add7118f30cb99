// Package autoencoder encodes a sentence as one vector and decodes a sentence from such a
// vector. The encoder is a bidirectional LSTM, and the decoder is an LSTM with a softmax
// over the whole vocabulary. They are trained together to reproduce the input.
//
// A model provides no privacy. Other packages add noise to the latent vector
// and state the claim. The claim depends on the [Card]: a model is computed
// from its corpus, and the claim assumes that this corpus is public.
//
// The architecture is that of Krishna, Gupta, Dupuy 2021 (ADePT,
// arXiv:2102.01502, section 3) with the latent vector kept within a ball and given
// to every step of the decoder.
package autoencoder

import (
	"runtime"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

// Card describes a model: its corpus, its training and its quality.
type Card struct {
	Public     bool     `json:"public"` // whoever trained the model declared the corpus public
	Corpus     Corpus   `json:"corpus"`
	Vocabulary string   `json:"vocabulary_sha256"`
	Table      *Table   `json:"table"` // whose vectors the words began with; null: random
	Shape      Shape    `json:"shape"`
	Training   Training `json:"training"`
	Metrics    Metrics  `json:"metrics"`
	Latent     Latent   `json:"latent"`
}

// Corpus identifies the training texts.
type Corpus struct {
	SHA256    string `json:"sha256"` // over the texts
	Sentences int    `json:"sentences"`
	Held      int    `json:"held_out"` // of them, for the metrics
	Tokens    int    `json:"tokens"`
	Unknown   int    `json:"unknown_tokens"`
	LeftOut   int    `json:"left_out"` // longer than the limit
}

// Table identifies a table of vectors.
type Table struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Words  int    `json:"words"` // of the vocabulary that it had
}

// Training describes how a model was trained.
type Training struct {
	Options Options `json:"options"`
	Steps   int     `json:"steps"` // until the weights that were kept
	Epochs  int     `json:"epochs"`
}

// Metrics are over the sentences that were held out, without noise.
type Metrics struct {
	Loss   float64 `json:"loss"`   // cross-entropy of a token, in nats
	Rouge1 float64 `json:"rouge1"` // mean F1 of single words
	Exact  float64 `json:"exact"`  // share of sentences written word for word
}

// Latent holds the median norms of the corpus's latent vectors. They are public and serve
// as clipping norms.
type Latent struct {
	MedianL1 float64 `json:"median_l1"`
	MedianL2 float64 `json:"median_l2"`
}

// Model reads and writes sentences. It is safe for concurrent use.
//
// Neither its fields nor its methods name an instance of a generic type: every package
// that imports one compiles all methods of that instance again.
type Model struct {
	card    Card
	words   []string
	weights []float32 // those of over
	table   *embedding.Table
	workers sync.Pool // of *network[float32]
}

// Card returns the model's card.
func (m *Model) Card() Card { return m.card }

// Dimensions returns the length of a latent vector.
func (m *Model) Dimensions() int { return m.card.Shape.Latent }

// Tokens returns the length of the longest sentence, in tokens.
func (m *Model) Tokens() int { return m.card.Shape.Tokens }

// Table returns the vocabulary with the model's input vectors.
func (m *Model) Table() *embedding.Table { return m.table }

// newModel makes a model that owns the weights all.
func newModel(card Card, words []string, all []float32) (*Model, error) {
	s := card.Shape
	m := &Model{card: card, words: words, weights: all}
	var err error
	m.table, err = embedding.New(embedding.Source{Name: "autoencoder", Words: words, Dim: s.Embed, Vectors: over(s, all).embed[:s.Words*s.Embed], Unknown: unknown})
	return m, err
}

// networkOf returns a network for one caller, who puts it back.
func networkOf(m *Model) *network[float32] {
	if n, ok := m.workers.Get().(*network[float32]); ok {
		return n
	}
	return newNetwork(m.card.Shape, over(m.card.Shape, m.weights), runtime.GOMAXPROCS(0))
}

// readAtOnce is the number of sentences in a batch.
const readAtOnce = 256

// Encode appends the latent vector of each sentence to dst, one after the other.
// A sentence has at most [Model.Tokens] words; longer ones are cut by the caller.
// A sentence's vector does not depend on the others.
func (m *Model) Encode(dst []float32, sentences [][]embedding.ID) []float32 {
	return encode(m, dst, sentences, func(*network[float32], [][]embedding.ID, int) {})
}

// EncodeVectors is Encode for words whose vectors were changed: vectors[i] is those
// of sentence i (its words x the dimensions of [Model.Table]), row after row.
func (m *Model) EncodeVectors(dst []float32, vectors [][]float32) []float32 {
	sentences := blanks(vectors, m.card.Shape.Embed)
	return encode(m, dst, sentences, func(n *network[float32], some [][]embedding.ID, from int) {
		n.give(vectors[from : from+len(some)])
	})
}

// encode reads sentences. It calls change before it reads a batch, with the
// number of its first sentence.
func encode(m *Model, dst []float32, sentences [][]embedding.ID, change func(n *network[float32], some [][]embedding.ID, from int)) []float32 {
	n := networkOf(m)
	defer m.workers.Put(n)
	k := m.Dimensions()
	for from := 0; from < len(sentences); from += readAtOnce {
		some := sentences[from:min(len(sentences), from+readAtOnce)]
		n.layOut(some)
		change(n, some, from)
		n.read(regular{}, nil)
		at := len(dst)
		dst = append(dst, make([]float32, len(some)*k)...)
		for r, i := range n.batch.order {
			copy(dst[at+i*k:at+(i+1)*k], n.latent[r*k:])
		}
	}
	return dst
}

// Loss returns the mean cross-entropy per token, in nats, of the sentences given latent
// vectors (one after the other).
func (m *Model) Loss(latents []float32, sentences [][]embedding.ID) float64 {
	n := networkOf(m)
	defer m.workers.Put(n)
	k, sum, steps := m.Dimensions(), 0.0, 0
	for from := 0; from < len(sentences); from += readAtOnce {
		n.layOut(sentences[from:min(len(sentences), from+readAtOnce)])
		n.latent = n.arena.take(len(n.batch.order) * k)
		for r, i := range n.batch.order {
			copy(n.latent[r*k:(r+1)*k], latents[(from+i)*k:])
		}
		loss := n.write(regular{}, nil, nil)
		sum, steps = sum+float64(loss*float64(n.batch.rows)), steps+n.batch.rows
	}
	return sum / float64(steps)
}
