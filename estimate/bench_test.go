package estimate

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
)

// The whole work for 100 words of the embedded table of 20,000: reading the channel
// (sets of neighbours included), and solving with intervals. Counts are of a million
// tokens with shares 1/rank.
func BenchmarkEstimate(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []setting{{"response", 4, ""}, {"neighbours", 10, ""}, {"tem", 6, ""}, {"tem", 3, ""}} {
		c := s.open(b, table)
		counts := zipf(b, c, table.Len())
		words := everyWord(100)
		b.Run(s.String()+"/read", func(b *testing.B) {
			for b.Loop() {
				c := s.open(b, table) // sets are kept by a channel: each reading takes a new one
				estimator(b, c, table, mostKept)
			}
		})
		b.Run(s.String()+"/solve", func(b *testing.B) {
			e := estimator(b, c, table, mostKept)
			for b.Loop() {
				if _, err := e.Estimate(context.Background(), Query{Parts: [][]int{counts}, Words: words, Confidence: 0.95}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, s := range []setting{{"neighbours", 8, ""}, {"neighbours", 4, ""}} {
		c := s.open(b, table)
		counts := zipf(b, c, table.Len())
		b.Run(s.String()+"/nonnegative", func(b *testing.B) {
			e := estimator(b, c, table, mostKept)
			for b.Loop() {
				fits, err := e.Nonnegative(context.Background(), [][]int{counts})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(fits[0].Steps), "steps")
			}
		})
	}
}

// zipf draws outputs for a million tokens whose shares are 1/rank.
func zipf(b *testing.B, c mechanism.Channel, n int) []int {
	rng := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(rng, 1.0001, 1, uint64(n-1))
	text := make([]embedding.ID, 1_000_000)
	for i := range text {
		text[i] = embedding.ID(z.Uint64())
	}
	out, err := c.Replace(nil, text, rng)
	if err != nil {
		b.Fatal(err)
	}
	counts := make([]int, n)
	for _, y := range out {
		counts[y]++
	}
	return counts
}
