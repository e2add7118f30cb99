package audit

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// AttackInContext rewrites the texts once with the channel and attacks the
// result. The posterior is exact for these outputs (forward-backward over all
// words); the shares are over one draw from rng (nil: secure). It holds one
// column of the channel per distinct output: 8 bytes per word of the table.
func AttackInContext(ctx context.Context, m mechanism.Channel, prior *Bigram, texts [][]embedding.ID, rng rand.Source) (*ContextAttack, error) {
	language, err := prior.compile()
	if err != nil {
		return nil, err
	}
	rng = noise.OrSecure(rng)
	outputs := make([][]embedding.ID, len(texts))
	for i, text := range texts {
		if outputs[i], err = m.Replace(nil, text, rng); err != nil {
			return nil, err
		}
		if len(outputs[i]) != len(text) {
			return nil, fmt.Errorf("audit: %d words became %d", len(text), len(outputs[i]))
		}
	}
	columns, err := columnsOf(ctx, m, prior.words, outputs)
	if err != nil {
		return nil, err
	}
	result := new(ContextAttack)
	var recovered, unchanged, alone int
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		guesses := language.decode(len(text), func(t int) []float64 { return columns[outputs[i][t]] })
		blind := language.decode(len(text), nil)
		for t, x := range text {
			result.Tokens++
			recovered += count(guesses[t] == x)
			unchanged += count(outputs[i][t] == x)
			alone += count(blind[t] == x)
		}
	}
	if result.Tokens == 0 {
		return nil, fmt.Errorf("audit: the texts to attack hold no token")
	}
	of := float64(result.Tokens)
	result.Recovered, result.Unchanged, result.PriorAlone = float64(recovered)/of, float64(unchanged)/of, float64(alone)/of
	return result, nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// columnsOf returns P(y|x) for every x, for each y among the outputs.
func columnsOf(ctx context.Context, m mechanism.Channel, words int, outputs [][]embedding.ID) (map[embedding.ID][]float64, error) {
	columns := map[embedding.ID][]float64{}
	for _, text := range outputs {
		for _, y := range text {
			if columns[y] == nil {
				columns[y] = make([]float64, words)
			}
		}
	}
	var row []uint64
	for x := range words {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row = m.Weights(row[:0], embedding.ID(x))
		total := uint64(0)
		for _, w := range row {
			total += w
		}
		for y, column := range columns {
			column[x] = float64(row[y]) / float64(total)
		}
	}
	return columns, nil
}

// decode returns the most probable word at each of n positions, given the
// emissions P(output|word) of each position; nil means no output is seen.
func (c *compiled) decode(n int, emission func(t int) []float64) []embedding.ID {
	if n == 0 {
		return nil
	}
	words := len(c.own)
	alpha := make([][]float64, n) // P(word, outputs up to t), scaled
	for t := range alpha {
		alpha[t] = make([]float64, words)
		if t == 0 {
			c.first(alpha[t])
		} else {
			c.forward(alpha[t], alpha[t-1])
		}
		if emission != nil {
			for x, e := range emission(t) {
				alpha[t][x] *= e
			}
		}
		scale(alpha[t])
	}
	guesses := make([]embedding.ID, n)
	beta, next := make([]float64, words), make([]float64, words)
	for x := range beta {
		beta[x] = 1
	}
	for t := n - 1; t >= 0; t-- {
		best := -1.0
		for x, a := range alpha[t] {
			if p := a * beta[x]; p > best {
				best, guesses[t] = p, embedding.ID(x)
			}
		}
		if t == 0 || emission == nil { // without outputs beta stays 1
			continue
		}
		for x, e := range emission(t) {
			beta[x] *= e
		}
		c.backward(next, beta)
		scale(next)
		beta, next = next, beta
	}
	return guesses
}

// scale divides by the sum, so that long texts do not underflow.
func scale(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	if sum > 0 {
		for i := range p {
			p[i] /= sum
		}
	}
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
