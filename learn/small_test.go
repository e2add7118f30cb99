package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// topics is a codebook of texts of three planted topics. Each vector has one large
// component of its topic, and many that are rarely other than 0, as those of vectors of
// short texts are.
type topics struct {
	vectors [][]int8
	topic   []int
}

const topicNoise = 60 // components that say nothing about the topic

func newTopics(n int, seed uint64) *topics {
	rng := rand.New(rand.NewPCG(seed, 5))
	t := &topics{}
	for i := range n {
		v := make([]int8, 3+topicNoise)
		for k := range 3 {
			v[k] = int8(10 * rng.NormFloat64())
		}
		v[i%3] += 40
		for k := 3; k < len(v); k++ {
			v[k] = int8(rng.NormFloat64())
			if rng.IntN(12) == 0 {
				v[k] = int8(20 * rng.NormFloat64())
			}
		}
		t.vectors, t.topic = append(t.vectors, v), append(t.topic, i%3)
	}
	return t
}

func (t *topics) Len() int                                                { return len(t.vectors) }
func (t *topics) Dim() int                                                { return 3 + topicNoise }
func (t *topics) Vector(dst []int8, i int) []int8                         { return append(dst, t.vectors[i]...) }
func (t *topics) Text(i int) string                                       { return "" }
func (t *topics) Encode(dst []int8, _ []byte) []int8                      { return dst }
func (t *topics) Nearest(dst []uint32, _ []int8, _ int) ([]uint32, error) { return dst, nil }

// In 24 texts, a component may be near 0, and large in another text. Scales that are the
// texts' own teach 0.52 of the topics here. A model that says nothing about them is right for a
// third of the tests: by Hoeffding's inequality it reaches 0.7 on 600 of them with a
// probability below exp(-2 * 600 * 0.36^2), which is 1e-67, and on the mean of 20 sets of tests
// with one below 20 times that.
func TestSmallCorpusTeachesItsTopics(t *testing.T) {
	stage.Unraced(t)
	const corpora, tested = 20, 600
	right := 0
	for seed := range uint64(corpora) {
		public, tests := newTopics(24, seed), newTopics(tested, 100+seed)
		r := Releases{Codebook: public, Classes: []string{"a", "b", "c"}}
		for i, y := range public.topic {
			r.Texts, r.Class = append(r.Texts, i), append(r.Class, y)
		}
		m, _, err := FitReleases(context.Background(), r, NewFeatures(public, nil, nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range tests.topic {
			if m.Predict(Row{Features: grid(nil, tests.vectors[i])}) == r.Classes[y] {
				right++
			}
		}
	}
	if accuracy := float64(right) / (corpora * tested); accuracy < 0.7 {
		t.Errorf("the accuracy is %.3f, want 0.7", accuracy)
	}
}

// Many rows keep the scales of features as they are, and so do features outside of blocks.
func TestManyRowsKeepTheirScales(t *testing.T) {
	for _, c := range []struct {
		rows   int
		blocks []int
		kept   bool
	}{{2000, []int{0}, true}, {24, []int{0}, false}, {24, nil, true}} {
		var values []float32
		codebook := newTopics(c.rows, 7)
		for i := range c.rows {
			values = append(values, grid(nil, codebook.vectors[i])...)
		}
		_, scale := standardise(values, codebook.Dim(), c.blocks)
		kept := true
		for k := range scale {
			square := 0.0
			for i := range c.rows {
				square += float64(values[i*len(scale)+k]) * float64(values[i*len(scale)+k])
			}
			kept = kept && math.Abs(scale[k]/math.Sqrt(square/float64(c.rows))-1) < 1e-9
		}
		if kept != c.kept {
			t.Errorf("%d rows, blocks %v: the scales are kept: %v", c.rows, c.blocks, kept)
		}
	}
}
