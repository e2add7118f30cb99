package audit

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Attack is the success of one attacker. Other attackers may do better.
type Attack struct {
	Prior string `json:"prior"`
	// BayesSuccess is the probability that the best guess from one output is right.
	// PriorSuccess is that of the best guess without an output.
	BayesSuccess float64        `json:"bayes_success"`
	PriorSuccess float64        `json:"prior_success"`
	Context      *ContextAttack `json:"context,omitempty"`
}

// UniformPrior returns the uniform prior over n words.
func UniformPrior(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(n)
	}
	return p
}

// BayesSuccess returns the exact probability that an attacker who knows the channel and the
// prior names the input from one output: sum over y of max over x of prior(x) P(y|x).
// bestGuess is max prior(x), the probability of success without the output. It reads every
// row once.
func BayesSuccess(ctx context.Context, m mechanism.Channel, prior []float64, report progress.Func) (success, bestGuess float64, err error) {
	if err := checkShares("audit", prior); err != nil {
		return 0, 0, err
	}
	best := make([]float64, len(prior))
	var row []uint64
	for x, p := range prior {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		bestGuess = max(bestGuess, p)
		if p == 0 {
			continue
		}
		row = m.Weights(row[:0], embedding.ID(x))
		if len(row) != len(prior) {
			return 0, 0, privacy.Bad("audit", "length of the prior", len(prior), "the number of words")
		}
		total := uint64(0)
		for _, w := range row {
			total += w
		}
		scale := p / float64(total)
		for y, w := range row {
			best[y] = max(best[y], scale*float64(w))
		}
		report.At(x+1, len(prior))
	}
	for _, b := range best {
		success += b
	}
	return success, bestGuess, nil
}
