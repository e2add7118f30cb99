package attack

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/learn"
)

// Unlabelled is the class of a text whose label no public text has.
const Unlabelled = -1

// Labels are the classes of public texts and of the texts of a sample, each a number of
// Classes. A text of the sample may be Unlabelled.
type Labels struct {
	Classes        []string
	Public, Sample []int
}

// Blind returns the share of the sample that has the most frequent label of the public
// texts. It is the success of a guess without a release.
func (l *Labels) Blind() *Share {
	counts := make([]int, len(l.Classes))
	for _, k := range l.Public {
		counts[k]++
	}
	most := 0
	for k, n := range counts {
		if n > counts[most] {
			most = k
		}
	}
	return l.right(func(int) int { return most })
}

// Guess trains a classifier on the labels of public texts and returns the share of the
// sample whose label it predicts. Features have dim numbers per text. For an attack on
// releases, both sets of features are those of releases.
func (l *Labels) Guess(ctx context.Context, dim int, public, sample []float32) (*Share, error) {
	if len(public) != dim*len(l.Public) || len(sample) != dim*len(l.Sample) {
		return nil, errors.New("attack: the number of features is not that of the texts")
	}
	d := learn.Data{Features: public, Dim: dim, Classes: l.Classes}
	for i, k := range l.Public {
		d.Examples = append(d.Examples, learn.Example{Row: i, Class: k, Weight: 1})
	}
	m, _, err := learn.Fit(ctx, d, learn.Options{Ridge: []float64{0.1, 0.01, 0.001}, Folds: 2})
	if err != nil {
		return nil, err
	}
	number := map[string]int{}
	for k, name := range l.Classes {
		number[name] = k
	}
	return l.right(func(i int) int { return number[m.Predict(learn.Row{Features: sample[i*dim : (i+1)*dim]})] }), nil
}

func (l *Labels) right(guess func(i int) int) *Share {
	hits := 0
	for i, k := range l.Sample {
		if guess(i) == k {
			hits++
		}
	}
	return exact(hits, len(l.Sample))
}

// Means returns the mean vector of the words of each text, as features of a classifier.
// weights gives the weight of each word; nil weighs all words equally. A text without words
// has the zero vector.
func Means(table *embedding.Table, texts [][]embedding.ID, weights []float64) []float32 {
	dim := table.Dim()
	rows := make([]float32, 0, dim*len(texts))
	sums := make([]float64, dim)
	var v []float32
	for _, words := range texts {
		clear(sums)
		total := 0.0
		for _, w := range words {
			weight := 1.0
			if weights != nil {
				weight = weights[w]
			}
			total += weight
			v = table.Vector(v[:0], w)
			for k, x := range v {
				sums[k] += float64(weight * float64(x))
			}
		}
		for _, s := range sums {
			if total > 0 {
				s /= total
			}
			rows = append(rows, float32(s))
		}
	}
	return rows
}
