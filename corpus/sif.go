package corpus

import (
	"math"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Weights of smooth inverse frequency are stored in units of 2^-14. With grid components
// of at most 2^22 and texts of at most 2^26 tokens, a sum of products is below 2^62.
const weightUnit = 1 << 14

// frequencyConstant is the constant a of a/(a+f); see Arora, Liang and Ma 2017.
const frequencyConstant = 1e-3

// frequencyWeights returns a weight per word of a table, by the frequencies that the table
// stores. A table without them gives a word's frequency from its rank, most frequent first,
// by Zipf's law with Mandelbrot's shift. Both are public and the same for every corpus, so
// that a corpus of three texts has good weights too. On development texts of AG News ranks
// were as good as counts of the corpus. On TREC they were better, because counts give
// question words almost no weight.
//
// The tokens of an encoder of texts weigh the same.
func frequencyWeights(table *embedding.Table) []uint16 {
	weights := make([]uint16, table.Len())
	if table.Subwords() != nil { // its vectors have their weights already
		for token := range weights {
			weights[token] = 1
		}
		return weights
	}
	for word, f := range table.Shares() {
		weights[word] = uint16(frequencyConstant / (frequencyConstant + f) * weightUnit)
	}
	return weights
}

// wordMean is the encoder SIF.
type wordMean struct {
	table   *embedding.Table
	weights []uint16
	skip    embedding.ID // the entry for unknown words
	narrow  []int8       // grid components, row by row, if all fit int8
	pool    sync.Pool    // of *wordScratch
}

type wordScratch struct {
	tokens *tokenize.Tokenizer
	ids    []embedding.ID
	steps  []int64
	part   []int32 // sums of up to manyWords rows of an int8 grid
	sums   []int64
}

// The sums of manyWords weighted rows of an int8 grid fit an int32.
const manyWords = (1<<31 - 1) / (weightUnit * 128)

func newWordMean(table *embedding.Table, weights []uint16) *wordMean {
	m := &wordMean{table: table, weights: weights, skip: table.Unknown(), narrow: narrowRows(table)}
	if table.Subwords() != nil {
		m.skip = math.MaxUint32 // the tokenizer leaves out what is unknown
	}
	m.pool.New = func() any {
		tokens := tokenize.NewTokenizer(table)
		tokens.CutAddresses() // their parts have a meaning, and no one sees their number
		return &wordScratch{tokens: tokens, part: make([]int32, table.Dim()), sums: make([]int64, table.Dim())}
	}
	return m
}

// narrowRows returns the grid of a table whose components fit int8, and nil for other
// tables.
func narrowRows(table *embedding.Table) []int8 {
	if kept := table.NarrowGrid(); kept != nil {
		return kept
	}
	if table.Largest() > math.MaxInt8*table.Step() {
		return nil
	}
	rows := make([]int8, 0, table.Len()*table.Dim())
	var steps []int64
	for id := range table.Len() {
		steps = table.Steps(steps[:0], embedding.ID(id))
		for _, x := range steps {
			rows = append(rows, int8(x))
		}
	}
	return rows
}

func (m *wordMean) dim() int { return m.table.Dim() }

// read appends the text's words. It skips unknown ones.
func (m *wordMean) read(dst []uint32, text []byte) ([]uint32, Known) {
	s := m.pool.Get().(*wordScratch)
	defer m.pool.Put(s)
	var known Known
	s.ids, known.Unknown = s.tokens.Tokenize(s.ids[:0], text)
	known.Words = len(s.ids)
	for _, id := range s.ids {
		if id != m.skip {
			dst = append(dst, uint32(id))
		}
	}
	if cap(s.ids) > 1<<20 {
		s.ids = nil
	}
	return dst, known
}

// sum adds the weighted vectors of words as integers.
func (m *wordMean) sum(v []float64, words []uint32) {
	s := m.pool.Get().(*wordScratch)
	defer m.pool.Put(s)
	clear(s.sums)
	if m.narrow != nil {
		m.addNarrow(s, words)
	} else {
		m.addWide(s, words)
	}
	for k, x := range s.sums {
		v[k] = float64(x)
	}
}

func (m *wordMean) addWide(s *wordScratch, words []uint32) {
	for _, id := range words {
		s.steps = m.table.Steps(s.steps[:0], embedding.ID(id))
		weight := int64(m.weights[id])
		for k, x := range s.steps {
			s.sums[k] += weight * x
		}
	}
}

func (m *wordMean) addNarrow(s *wordScratch, words []uint32) {
	dim := m.table.Dim()
	for ids := range slices.Chunk(words, manyWords) {
		clear(s.part)
		for _, id := range ids {
			weight, row := int32(m.weights[id]), m.narrow[int(id)*dim:]
			part := s.part[:dim]
			row = row[:len(part)]
			for k, x := range row {
				part[k] += weight * int32(x)
			}
		}
		for k, x := range s.part {
			s.sums[k] += int64(x)
		}
	}
}
