package experiment

import (
	"math"
	"sync"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/text/about"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// withFirst ends the name of an encoder whose vectors are joined with those of
// firstWords, as "sif+lsa+first".
const withFirst = "+first"

// firstWords joins the vector of an encoder with the mean vector of the first two words
// of a text, which show what kind of question it asks. Like any encoder of a caller, it
// is public and reads one text at a time. It is safe for concurrent use.
type firstWords struct {
	whole  learn.Encoder
	table  *embedding.Table
	mean   []float64    // over the public texts
	tokens sync.Pool    // of *tokenize.Tokenizer
	words  *about.Words // that a third part reads; nil for none
}

// aboutShare is the length of the third part: as in package corpus.
const aboutShare = 1.5

const (
	// firstShare is the length of the second part beside a first part of length 1: on
	// development texts of TREC 0.7 was better than 1.2 by 0.03 at epsilon 4.
	firstShare = 0.7
	firstCount = 2
	firstBytes = 4096 // of a text, in which the first words are looked for
)

// newFirstWords fits the mean on public texts.
func newFirstWords(whole learn.Encoder, table *embedding.Table, public []string) *firstWords {
	e := &firstWords{whole: whole, table: table, mean: make([]float64, table.Dim())}
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
func (e *firstWords) Dim() int { return e.whole.Dim() + e.table.Dim() + e.aboutDim() }

func (e *firstWords) aboutDim() int {
	if e.words == nil {
		return 0
	}
	return len(e.words.Labels())
}

// Encode appends the grid vector of a text to dst.
func (e *firstWords) Encode(dst []int8, text []byte) []int8 {
	return corpus.Quantize(dst, e.vector(string(text)))
}

// vector returns the two parts of a text's vector, each scaled to its length or zero.
func (e *firstWords) vector(t string) []float64 {
	v := make([]float64, 0, e.Dim())
	for _, x := range e.whole.Encode(nil, []byte(t)) {
		v = append(v, float64(x))
	}
	scale(v, 1)
	first := e.first(t)
	scale(first, firstShare)
	v = append(v, first...)
	if e.words != nil {
		label := make([]float64, e.aboutDim())
		if y, ok := e.words.Counter(nil).Best([]byte(t)); ok {
			label[y] = aboutShare
		}
		v = append(v, label...)
	}
	return v
}

// first returns the mean vector of the first words, less the mean over public texts; zero
// for a text without words.
func (e *firstWords) first(t string) []float64 {
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

// scale gives a vector a length; a zero vector stays.
func scale(v []float64, length float64) {
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
