package mechanism

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"pgregory.net/rapid"
)

// drawDistanceChannel is a random channel over a random table of 1 to 120 words,
// many of which may be at equal distances.
func drawDistanceChannel(t *rapid.T) *distanceChannel {
	n, dim := rapid.IntRange(1, 120).Draw(t, "words"), rapid.IntRange(1, 3).Draw(t, "dimensions")
	words := make([]string, n)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}
	var table *embedding.Table
	var err error
	grid := rapid.SliceOfN(rapid.Int8Range(-5, 5), n*dim, n*dim).Draw(t, "grid")
	if rapid.Bool().Draw(t, "narrow") {
		table, err = embedding.NewNarrow("random", words, dim, 0.25, grid, "")
	} else {
		s := embedding.Source{Words: words, Dim: dim}
		for _, v := range grid {
			s.Vectors = append(s.Vectors, float32(v)/3)
		}
		table, err = embedding.New(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	entry := rapid.SampledFrom([]Entry{temEntry, exponentialEntry}).Draw(t, "entry")
	m, err := entry.New(table, Spec{Epsilon: rapid.Float64Range(0.05, 8).Draw(t, "epsilon"), Published: true})
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*distanceChannel)
	if rapid.Bool().Draw(t, "based") {
		c.base = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.25, 0.7, 1}), n, n).Draw(t, "base")
		c.base[0] = 1
	}
	return c
}

// plainLosses are the losses of all pairs, one at a time.
func plainLosses(c *distanceChannel) (sums []uint64, worst worstPairs) {
	var logs []float64
	for x := range c.metric.table.Len() {
		sum := uint64(0)
		for _, w := range c.Weights(nil, embedding.ID(x)) {
			sum += w
		}
		sums, logs = append(sums, sum), append(logs, math.Log(float64(sum)))
	}
	for i := range sums {
		for j := range i {
			d := c.metric.distance(embedding.ID(i), embedding.ID(j))
			if d == 0 {
				continue
			}
			input, other := embedding.ID(j), embedding.ID(i)
			if logs[other] < logs[input] {
				input, other = other, input
			}
			loss := c.law.T*min(d, c.law.Gamma) + math.Abs(logs[i]-logs[j]) + c.slack()
			worst.metric.take(worstPair{loss / d, input, other, true})
			worst.pure.take(worstPair{loss, input, other, true})
		}
	}
	return sums, worst
}

// However the work is cut, the sums are the same integers and the worst pairs
// the same pairs, bit for bit what a look at one pair after the other finds.
func TestTheCertificateIsTheSameHoweverTheWorkIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawDistanceChannel(t)
		sums, worst := plainLosses(c)
		whole, err := c.Certify(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r := c.certification(nil)
		r.columns, r.stretch = rapid.IntRange(1, 130).Draw(t, "columns"), rapid.IntRange(1, 5000).Draw(t, "stretch")
		loss, err := r.run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if loss != whole {
			t.Fatalf("%d columns and %d pairs at a time give %+v, all at once %+v", r.columns, r.stretch, loss, whole)
		}
		for x, sum := range sums {
			if r.sums[x] != sum {
				t.Fatalf("the weights of word %d sum to %d, not %d", x, r.sums[x], sum)
			}
		}
		if r.worst != worst {
			t.Fatalf("the worst pairs are %+v, one at a time %+v", r.worst, worst)
		}
	})
}
