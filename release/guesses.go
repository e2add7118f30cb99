package release

import (
	"context"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// guessesOf returns for each output y the word x with the largest probability given y, the
// first of several, and P(y|x).
func guessesOf(ctx context.Context, channel mechanism.Channel, shares []float64, report progress.Func) (chances []float64, of []embedding.ID, err error) {
	if l, ok := channel.(shortcut.Levelled); ok {
		g := newLevelGuesses(l, channel, shares)
		if err := g.readMembers(ctx, report); err != nil {
			return nil, nil, err
		}
		g.readOthers()
		return g.chances, g.words, nil
	}
	return guesses(ctx, channel, shares, report)
}

// levelGuesses finds the best guesses from the sets of a channel of two levels: the same, to the
// last bit, as from its rows.
type levelGuesses struct {
	channel shortcut.Levelled
	high    float64
	low     []float64 // weight of each output in rows whose set lacks it
	shares  []float64
	each    []float64 // share of each input over the sum of its row

	best, chances []float64
	words         []embedding.ID
}

func newLevelGuesses(l shortcut.Levelled, channel mechanism.Channel, shares []float64) *levelGuesses {
	n := len(shares)
	g := &levelGuesses{channel: l, high: float64(l.Levels().High), shares: shares,
		low: make([]float64, n), each: make([]float64, n), best: make([]float64, n), chances: make([]float64, n), words: make([]embedding.ID, n)}
	sum, sets := uint64(0), make([]uint64, n)
	l.MarkMembers(sets, 0, 1)
	for y, weight := range channel.Weights(nil, 0) {
		sum += weight // of every row
		if sets[y] != 0 {
			weight = l.Levels().Low
		}
		g.low[y] = float64(weight)
	}
	for x, share := range shares {
		g.each[x] = share / float64(sum)
	}
	return g
}

// take takes the guess of x from y, of a weight, if it is better, or as good and of an earlier word.
func (g *levelGuesses) take(y int, x embedding.ID, weight float64) {
	p := float64(weight * g.each[x])
	if p > g.best[y] || p > 0 && p == g.best[y] && x < g.words[y] {
		g.best[y], g.words[y], g.chances[y] = p, x, p/g.shares[x]
	}
}

// readMembers takes the best guess of an output among the inputs whose sets have it.
func (g *levelGuesses) readMembers(ctx context.Context, report progress.Func) error {
	n := len(g.shares)
	const block = shortcut.SetBlock
	sets, xs := make([]uint64, n), make([]embedding.ID, 0, block)
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		xs = xs[:0]
		for x := from; x < min(n, from+block); x++ {
			xs = append(xs, embedding.ID(x))
		}
		clear(sets)
		shortcut.MarkSets(ctx, g.channel, sets, xs)
		for y, set := range sets {
			for ; set != 0; set &= set - 1 {
				g.take(y, xs[bits.TrailingZeros64(set)], g.high)
			}
		}
		report.At(min(n, from+block), n)
	}
	return nil
}

// readOthers takes the best guess of an output among the inputs whose sets lack it. That is the
// likeliest of all inputs: if its set has the output, no input whose set lacks it is a better guess.
func (g *levelGuesses) readOthers() {
	low := float64(g.channel.Levels().Low)
	likeliest := embedding.ID(0)
	for x, each := range g.each {
		if float64(low*each) > float64(low*g.each[likeliest]) {
			likeliest = embedding.ID(x)
		}
	}
	sets := make([]uint64, len(g.shares))
	g.channel.MarkMembers(sets, likeliest, 1)
	for y, set := range sets {
		if set == 0 {
			g.take(y, likeliest, g.low[y])
		}
	}
}

// guesses returns the best guesses from the rows of all words.
func guesses(ctx context.Context, channel mechanism.Channel, shares []float64, report progress.Func) (chances []float64, of []embedding.ID, err error) {
	const block = 16
	n := len(shares)
	best := make([]float64, n)
	chances, of = make([]float64, n), make([]embedding.ID, n)
	var rows []uint64
	var xs []embedding.ID
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		xs = xs[:0]
		for x := from; x < min(n, from+block); x++ {
			xs = append(xs, embedding.ID(x))
		}
		rows = shortcut.AppendRows(rows[:0], channel, xs)
		for i, x := range xs {
			row := rows[i*n : (i+1)*n]
			sum := uint64(0)
			for _, weight := range row {
				sum += weight
			}
			each := shares[x] / float64(sum)
			for y, weight := range row {
				if p := float64(float64(weight) * each); p > best[y] {
					best[y], of[y], chances[y] = p, x, p/shares[x]
				}
			}
		}
		report.At(min(n, from+block), n)
	}
	return chances, of, nil
}
