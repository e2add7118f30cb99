package vectors

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/embedding"
)

// However the keys are cut into runs, the merged pairs are those of the texts, in order
// and symmetric.
func TestPairsAreThoseOfTheTexts(t *testing.T) {
	ctx, folder := t.Context(), t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(2, 30).Draw(t, "words")
		top := rapid.IntRange(1, words).Draw(t, "top")
		window := rapid.IntRange(1, 6).Draw(t, "window")
		id := rapid.Custom(func(t *rapid.T) embedding.ID {
			return embedding.ID(rapid.IntRange(0, words).Draw(t, "word")) // the last is unknown
		})
		texts := rapid.SliceOfN(rapid.SliceOfN(id, 0, 12), 0, 80).Draw(t, "texts")
		temporary := runs{path: filepath.Join(folder, "t")}
		defer temporary.close()
		p, want := newPairs(words, window, top), map[[2]uint32]uint64{}
		for _, ids := range texts {
			p.add(ids)
			if rapid.Bool().Draw(t, "take") {
				if err := temporary.add(ctx, p.takeKeys); err != nil {
					t.Fatal(err)
				}
			}
			for i, x := range ids {
				for j, y := range ids {
					if d := max(i-j, j-i); d > 0 && d <= window && int(x) < words && int(y) < words {
						want[[2]uint32{uint32(x), uint32(y)}] += uint64(window + 1 - d)
					}
				}
			}
		}
		for _, take := range []func(func(pair) error) error{p.takeKeys, p.takeDense} {
			if err := temporary.add(ctx, take); err != nil {
				t.Fatal(err)
			}
		}
		last := [2]uint32{}
		err := temporary.all(func(p pair) error {
			at := [2]uint32{p.row, p.column}
			if at[0] < last[0] || at[0] == last[0] && at[1] < last[1] {
				t.Errorf("%v comes after %v", at, last)
			}
			if want[at] != p.count {
				t.Errorf("%v has count %d, want %d", at, p.count, want[at])
			}
			last = at
			delete(want, at)
			return nil
		})
		if err != nil || len(want) > 0 {
			t.Errorf("%v; missing: %v", err, want)
		}
	})
}

// The vectors are the leading left singular vectors of the information, computed here
// from its definition, times roots of the singular values.
func TestVectorsAreLeadingSingularVectors(t *testing.T) {
	o, err := options(t).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	texts := topics(2000)
	for i := range 60 { // rare pairs, whose information is negative
		texts = append(texts, fmt.Sprintf("t%dw0 t%dw1", i%5, (i+1)%5))
	}
	c, err := count(t.Context(), corpusOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	const dim = 10
	m := newInformation(c)
	n := len(c.list)
	whole, below := matrixOf(t, c, texts)
	if below == 0 {
		t.Fatal("no pair has negative information")
	}
	for _, transposed := range []bool{false, true} {
		one, out := make([]float32, n*n), make([]float32, n*n)
		for i := range n {
			one[i*n+i] = 1
		}
		if err := m.times(t.Context(), out, one, n, transposed); err != nil {
			t.Fatal(err)
		}
		for x := range n {
			for y := range n {
				want := whole.At(x, y)
				if transposed {
					want = whole.At(y, x)
				}
				if math.Abs(float64(out[x*n+y])-want) > 1e-5 {
					t.Fatalf("entry %d, %d is %g, want %g", x, y, out[x*n+y], want)
				}
			}
		}
	}
	got, err := factor(t.Context(), m, dim, nil)
	if err != nil {
		t.Fatal(err)
	}
	var svd mat.SVD
	if !svd.Factorize(whole, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	for x := range n { // products of vectors do not depend on signs
		for y := range n {
			want, have := 0.0, 0.0
			for k, s := range svd.Values(nil)[:dim] {
				want += u.At(x, k) * math.Pow(s, 2*power) * u.At(y, k)
				have += float64(got[x*dim+k]) * float64(got[y*dim+k])
			}
			if math.Abs(want-have) > 1e-3 {
				t.Fatalf("words %d and %d have product %g, want %g", x, y, have, want)
			}
		}
	}
}

// matrixOf computes the information of counts by its definition, and the number of pairs
// below zero.
func matrixOf(t *testing.T, c *counts, texts []string) (out *mat.Dense, below int) {
	n := len(c.list)
	joint, sums, total := mat.NewDense(n, n, nil), make([]float64, n), 0.0
	o, err := options(t).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	v := newVocabulary(c.list)
	for _, text := range texts {
		words := strings.Fields(text)
		for i, x := range words {
			for j, y := range words {
				if d := max(i-j, j-i); d > 0 && d <= o.Window {
					a, b := int(v.index[x]), int(v.index[y])
					joint.Set(a, b, joint.At(a, b)+float64(o.Window+1-d))
					sums[a] += float64(o.Window + 1 - d)
					total += float64(o.Window + 1 - d)
				}
			}
		}
	}
	smooth := 0.0
	for _, s := range sums {
		smooth += math.Pow(s/total, smoothing)
	}
	out = mat.NewDense(n, n, nil)
	for x := range n {
		for y := range n {
			if k := joint.At(x, y); k > 0 {
				pmi := math.Log(k / total / (sums[x] / total * math.Pow(sums[y]/total, smoothing) / smooth))
				if out.Set(x, y, max(0, pmi-shift)); pmi < shift {
					below++
				}
			}
		}
	}
	return out, below
}

// More runs than are merged at once are merged by levels.
func TestManyRunsAreMergedByLevels(t *testing.T) {
	temporary := runs{path: filepath.Join(t.TempDir(), "t")}
	defer temporary.close()
	const many = 2*fanIn + 3
	for i := range uint32(many) {
		err := temporary.add(t.Context(), func(give func(pair) error) error {
			return errors.Join(give(pair{1, 2, 5}), give(pair{1 + i, 7, 1}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(temporary.levels) != 2 || len(temporary.levels[0]) != 3 || len(temporary.levels[1]) != 2 {
		t.Errorf("levels of runs: %v", temporary.levels)
	}
	var got []pair
	if err := temporary.all(func(p pair) error { got = append(got, p); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != many+1 || got[0] != (pair{1, 2, 5 * many}) || got[many] != (pair{many, 7, 1}) {
		t.Errorf("%d pairs, from %v to %v", len(got), got[0], got[len(got)-1])
	}
}
