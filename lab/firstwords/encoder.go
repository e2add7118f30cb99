// Package firstwords joins the vector of a text with that of its first two words, which show what
// kind of question it asks.
package firstwords

import (
	"math"
	"sync"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/text/about"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Suffix ends the name of an encoder whose vectors are joined, as "sif+lsa+first".
const Suffix = "+first"

// Encoder joins the vector of an encoder with the mean vector of the first two words of a text. Like any encoder of a caller, it
// is public and reads one text at a time. It is safe for concurrent use.
type Encoder struct {
	Whole  learn.Encoder
	table  *embedding.Table
	mean   []float64    // over the public texts
	tokens sync.Pool    // of *tokenize.Tokenizer
	Words  *about.Words // that a third part reads; nil for none
}

// aboutShare is the length of the third part: as in package corpus.
const aboutShare = 1.5

const (
	// Share is the length of the second part beside a first part of length 1: on
	// development texts of TREC 0.7 was better than 1.2 by 0.03 at epsilon 4.
	Share      = 0.7
	firstCount = 2
	firstBytes = 4096 // of a text, in which the first words are looked for
)

// New fits the mean on public texts.
func New(whole learn.Encoder, table *embedding.Table, public []string) *Encoder {
	e := &Encoder{Whole: whole, table: table, mean: make([]float64, table.Dim())}
	e.tokens.New = func() any { return tokenize.NewTokenizer(table) }
	mean := make([]float64, table.Dim())
	for _, t := range public {
		for k, x := range e.first(t) {
			mean[k] += x / float64(len(public))
		}
	}
	e.mean = mean
	return e
}

// Dim returns the number of components of a vector.
func (e *Encoder) Dim() int { return e.Whole.Dim() + e.table.Dim() + e.AboutDim() }

// AboutDim is the number of components that come from words.
func (e *Encoder) AboutDim() int {
	if e.Words == nil {
		return 0
	}
	return len(e.Words.Labels())
}

// Encode appends the grid vector of a text to dst.
func (e *Encoder) Encode(dst []int8, text []byte) []int8 {
	return corpus.Quantize(dst, e.Vector(string(text)))
}

// Vector returns the two parts of a text's vector, each scaled to its length or zero.
func (e *Encoder) Vector(t string) []float64 {
	v := make([]float64, 0, e.Dim())
	for _, x := range e.Whole.Encode(nil, []byte(t)) {
		v = append(v, float64(x))
	}
	Scale(v, 1)
	first := e.first(t)
	Scale(first, Share)
	v = append(v, first...)
	if e.Words != nil {
		label := make([]float64, e.AboutDim())
		if y, ok := e.Words.Counter(nil).Best([]byte(t)); ok {
			label[y] = aboutShare
		}
		v = append(v, label...)
	}
	return v
}

// first returns the mean vector of the first words, less the mean over public texts; zero
// for a text without words.
func (e *Encoder) first(t string) []float64 {
	v := make([]float64, e.table.Dim())
	tokens := e.tokens.Get().(*tokenize.Tokenizer)
	ids, _ := tokens.Tokenize(nil, []byte(t[:min(len(t), firstBytes)]))
	e.tokens.Put(tokens)
	ids = ids[:min(len(ids), firstCount)]
	if len(ids) == 0 {
		return v
	}
	var own []float32
	for _, id := range ids {
		own = e.table.Vector(own[:0], id)
		for k, x := range own {
			v[k] += float64(x) / float64(len(ids))
		}
	}
	for k, x := range e.mean {
		v[k] -= x
	}
	return v
}

// Scale gives a vector a length; a zero vector stays.
func Scale(v []float64, length float64) {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	if square == 0 {
		return
	}
	for k := range v {
		v[k] *= length / math.Sqrt(square)
	}
}
