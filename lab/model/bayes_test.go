package model

import (
	"math"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
)

func TestBayesByHand(t *testing.T) {
	// Class 0: words 0 0 1 in two texts; class 1: words 2 1 1 in one.
	train := dataset.Corpus{Words: []embedding.ID{0, 0, 1, 2, 1, 1}, Ends: []int{2, 3, 6}, Labels: []int{0, 0, 1}}
	counts, texts := Counts(train, 2, 3)
	if !slices.Equal(counts[0], []int{2, 1, 0}) || !slices.Equal(counts[1], []int{0, 2, 1}) || !slices.Equal(texts, []int{2, 1}) {
		t.Fatalf("counts are %v in %v texts", counts, texts)
	}
	// The negative estimate counts as 0.
	m := NewBayes(texts, [][]float64{{2, 1, -5}, {0, 2, 1}}, []float64{1, 1})
	for k, want := range [][]float64{{3.0 / 6, 2.0 / 6, 1.0 / 6}, {1.0 / 6, 3.0 / 6, 2.0 / 6}} {
		for w, p := range want {
			if math.Abs(m.words[k][w]-math.Log(p)) > 1e-12 {
				t.Errorf("class %d, word %d: %g, want %g", k, w, m.words[k][w], math.Log(p))
			}
		}
	}
	// 2/3 * 2/6 * 2/6 against 1/3 * 3/6 * 3/6 is 8 to 9; without words the prior decides.
	test := dataset.Corpus{Words: []embedding.ID{1, 1, 1}, Ends: []int{2, 2, 3}}
	if got := m.Predict(test); !slices.Equal(got, []int{1, 0, 0}) {
		t.Errorf("classes are %v, want 1, 0, 0", got)
	}
	// Outputs 0 and 1 change places, 2 stays.
	swapped := m.Through(func(v []float64) []float64 { return []float64{v[1], v[0], v[2]} })
	if got := swapped.Predict(dataset.Corpus{Words: []embedding.ID{0, 0, 1, 1}, Ends: []int{2, 4}}); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("through the exchange classes are %v, want 1, 0", got)
	}
}
