package model

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
)

// Bayes is multinomial naive Bayes: the words of a text are independent given its class
// (McCallum and Nigam 1998).
type Bayes struct {
	prior []float64   // log shares of the classes
	words [][]float64 // log chances by class and word
}

// NewBayes makes a classifier of the texts and the counts of each word in each
// class, to which the smoothing of the class, above 0, is added. Counts may be
// estimates: those below 0 count as 0.
func NewBayes(texts []int, counts [][]float64, smoothing []float64) *Bayes {
	m := &Bayes{}
	all := 0
	for _, n := range texts {
		all += n
	}
	for k, row := range counts {
		sum := 0.0
		for _, c := range row {
			sum += max(c, 0) + smoothing[k]
		}
		logs := make([]float64, len(row))
		for w, c := range row {
			logs[w] = math.Log((max(c, 0) + smoothing[k]) / sum)
		}
		m.words = append(m.words, logs)
		m.prior = append(m.prior, math.Log(float64(texts[k])/float64(all)))
	}
	return m
}

// Through returns the classifier of texts as they are when this one's counts are those
// of rewritten texts: of each word it takes the mean log chance of its output.
// expect returns the mean of some values over the output of each word.
func (m *Bayes) Through(expect func(values []float64) []float64) *Bayes {
	through := &Bayes{prior: m.prior}
	for _, logs := range m.words {
		through.words = append(through.words, expect(logs))
	}
	return through
}

// Predict returns the likeliest class of each text.
func (m *Bayes) Predict(c dataset.Corpus) []int {
	found := make([]int, c.Len())
	scores := make([]float64, len(m.prior))
	for i := range found {
		copy(scores, m.prior)
		for _, w := range c.Text(i) {
			for k := range scores {
				scores[k] += m.words[k][w]
			}
		}
		found[i] = largest(scores)
	}
	return found
}

// Counts returns the counts of each of n words by class, and the number of texts of each
// class.
func Counts(c dataset.Corpus, classes, n int) (counts [][]int, texts []int) {
	texts = make([]int, classes)
	for range classes {
		counts = append(counts, make([]int, n))
	}
	for i, k := range c.Labels {
		texts[k]++
		for _, w := range c.Text(i) {
			counts[k][w]++
		}
	}
	return counts, texts
}

// AveragesOf returns the mean vector of the words of each text, 0 for a text without words.
func AveragesOf(vectors [][]float64, c dataset.Corpus) [][]float64 {
	rows := make([][]float64, c.Len())
	for i := range rows {
		rows[i] = make([]float64, len(vectors[0]))
		text := c.Text(i)
		for _, x := range text {
			for k, a := range vectors[x] {
				rows[i][k] += a / float64(len(text))
			}
		}
	}
	return rows
}

// VectorsOf returns the vectors of a table, by word.
func VectorsOf(table *embedding.Table) [][]float64 {
	vectors := make([][]float64, table.Len())
	var v []float32
	for x := range vectors {
		v = table.Vector(v[:0], embedding.ID(x))
		vectors[x] = make([]float64, len(v))
		for k, a := range v {
			vectors[x][k] = float64(a)
		}
	}
	return vectors
}
