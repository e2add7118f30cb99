package tune

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/interval"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
	"gonum.org/v1/gonum/mathext"
)

// Sampled describes how figures were sampled. The true figure is outside its
// interval for a fraction 1 - Confidence of samples: at most (Unchanged, by
// Clopper and Pearson 1934) or approximately (ExpectedDistance, by the normal
// approximation).
type Sampled struct {
	Draws            int        `json:"draws"` // each of a newly chosen word
	Confidence       float64    `json:"confidence"`
	Unchanged        [2]float64 `json:"unchanged"`
	ExpectedDistance [2]float64 `json:"expected_distance"`
	share, mean      float64
}

const (
	sampledDraws = 10000
	roughDraws   = 2000 // while searching
	confidence   = 0.99
	// sampleSeed fixes the words and the draws, so that figures of public data
	// are reproducible, and similar settings are compared on the same draws.
	sampleSeed = 7
)

// sample estimates the unchanged rate and the expected distance of a mechanism
// from draws of words chosen uniformly from the table. The same arguments give
// the same figures.
func sample(ctx context.Context, m mechanism.Mechanism, table *embedding.Table, draws int, report progress.Func) (Sampled, error) {
	const chunk = 1000
	type sums struct {
		draws, stayed  int
		moved, squares float64
	}
	parts := make([]sums, (draws+chunk-1)/chunk)
	done := report.Counter(draws)
	err := parallel.Blocked(ctx, draws, chunk, func(_ context.Context, from, to int) error {
		i := from / chunk
		p := &parts[i]
		p.draws = to - from
		choose := rand.New(rand.NewPCG(sampleSeed, uint64(2*i)))
		words := make([]embedding.ID, p.draws)
		for k := range words {
			words[k] = embedding.ID(choose.IntN(table.Len()))
		}
		outputs, err := m.Replace(nil, words, rand.NewPCG(sampleSeed, uint64(2*i+1)))
		if err != nil {
			return err
		}
		for k, x := range words {
			if outputs[k] == x {
				p.stayed++
				continue
			}
			d := table.Distance(x, outputs[k])
			p.moved += d
			p.squares += float64(d * d)
		}
		done.Add(p.draws)
		return nil
	})
	if err != nil {
		return Sampled{}, err
	}
	var all sums
	for _, p := range parts {
		all.stayed += p.stayed
		all.moved += p.moved
		all.squares += p.squares
	}
	n := float64(draws)
	s := Sampled{Draws: draws, Confidence: confidence, share: float64(all.stayed) / n, mean: all.moved / n}
	const side = (1 - confidence) / 2
	s.Unchanged = [2]float64{interval.AtLeast(all.stayed, draws, side), interval.AtMost(all.stayed, draws, side)}
	half := float64(mathext.NormalQuantile(1-(1-confidence)/2) * math.Sqrt(max(0, all.squares/n-float64(s.mean*s.mean))/n))
	s.ExpectedDistance = [2]float64{max(0, s.mean-half), s.mean + half}
	return s, nil
}
