package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Exposed is a word of a table, and what becomes of it.
type Exposed struct {
	Word      string  `json:"word"`
	Unchanged float64 `json:"unchanged"` // probability that it stays
	// Recovered is the probability that the best guess from its output names it, where
	// every word is as likely. The guess is the word that becomes this output most often;
	// of several, each is guessed equally often. The mean over all words is AttackSuccess.
	Recovered float64 `json:"recovered"`
}

// Exposure says which words of a table a channel leaves most exposed to the best guess
// from one output. All figures take every word to be as likely.
type Exposure struct {
	// Mean is the mean of Recovered over all words: the attack success of the channel.
	Mean float64 `json:"mean"`
	// Alike is the number of words that are recovered as often as the first of Words.
	// Where it is the number of all words, no word is more exposed than another.
	Alike int       `json:"alike"`
	Words []Exposed `json:"words"` // the most exposed first
}

// MostExposedWords is the largest number of words that MostExposed returns.
const MostExposedWords = 100

// exposedForm must be raised whenever the same settings give different words.
const exposedForm = 1

// Opened is a channel that an entry of the catalogue opened over a table.
type Opened struct {
	Entry   mechanism.Entry
	Channel mechanism.Channel
	Table   *embedding.Table
}

// MostExposed returns the words of a table that a channel leaves most exposed, at most
// MostExposedWords of them. Of words that are recovered as often, those that stay more
// often come first, then those that the table has first. It visits every entry of the
// channel twice, and reads no text. The words are cached by the table and the settings of
// the channel.
func MostExposed(ctx context.Context, o Opened, cache mechanism.Cache, report progress.Func) (Exposure, error) {
	key := fmt.Sprintf("%s-exposed%d", rowKey(o.Entry, o.Table, o.Channel), exposedForm)
	var e Exposure
	if mechanism.Recall(cache, key, &e) && len(e.Words) == min(MostExposedWords, o.Table.Len()) {
		return e, nil
	}
	all, err := exposures(ctx, o.Channel, o.Table, report)
	if err != nil {
		return Exposure{}, err
	}
	e = ranked(all)
	mechanism.Remember(cache, key, e)
	return e, nil
}

// First returns the exposure with its first n words, or with all if there are fewer.
func (e Exposure) First(n int) Exposure {
	e.Words = e.Words[:min(n, len(e.Words))]
	return e
}

// ranked returns the most exposed of all words of a table.
func ranked(all []Exposed) (e Exposure) {
	for _, w := range all {
		e.Mean += w.Recovered / float64(len(all))
	}
	slices.SortStableFunc(all, func(a, b Exposed) int {
		return cmp.Or(cmp.Compare(b.Recovered, a.Recovered), cmp.Compare(b.Unchanged, a.Unchanged))
	})
	for e.Alike < len(all) && all[e.Alike].Recovered >= all[0].Recovered*(1-rounding) {
		e.Alike++
	}
	e.Words = slices.Clone(all[:min(MostExposedWords, len(all))])
	return e
}

// rounding is the relative difference of sums that are equal but for the order of their
// terms.
const rounding = 1e-9

// column is what the rows of a channel say of an output.
type column struct {
	most float64 // the largest chance of it
	tied int     // inputs that have this chance
}

func (c *column) add(other column) {
	switch {
	case other.most > c.most:
		*c = other
	case other.most == c.most:
		c.tied += other.tied
	}
}

// exposures returns what becomes of each word of the table, in its order.
func exposures(ctx context.Context, m mechanism.Channel, table *embedding.Table, report progress.Func) ([]Exposed, error) {
	n := table.Len()
	done := report.Counter(2 * n)
	var partial [][]column
	visit := func(take func() func(x embedding.ID, chances []float64)) error {
		return parallel.BlockedBy(ctx, n, rowBlock, func() func(context.Context, int, int) error {
			row, r := take(), rows{m: m, words: n}
			return func(_ context.Context, from, to int) error {
				r.visit(from, to, row)
				done.Add(to - from)
				return nil
			}
		})
	}
	err := visit(func() func(embedding.ID, []float64) {
		columns := make([]column, n)
		partial = append(partial, columns)
		return func(_ embedding.ID, chances []float64) {
			for y, p := range chances {
				if c := &columns[y]; p > c.most {
					*c = column{p, 1}
				} else if p == c.most {
					c.tied++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	columns := partial[0]
	for _, more := range partial[1:] {
		for y := range columns {
			columns[y].add(more[y])
		}
	}
	all := make([]Exposed, n)
	err = visit(func() func(embedding.ID, []float64) {
		return func(x embedding.ID, chances []float64) {
			recovered := 0.0
			for y, p := range chances {
				if p == columns[y].most && p > 0 {
					recovered += p / float64(columns[y].tied)
				}
			}
			all[x] = Exposed{table.Word(x), chances[x], math.Min(1, recovered)}
		}
	})
	return all, err
}

// rowBlock is the number of rows that are computed together.
const rowBlock = 16

// rows computes the rows of a channel. It is for one goroutine.
type rows struct {
	m       mechanism.Channel
	words   int
	xs      []embedding.ID
	weights []uint64
	chances []float64
}

// visit passes the chances of all outputs for some inputs to a function, which must not
// keep them.
func (r *rows) visit(from, to int, take func(x embedding.ID, chances []float64)) {
	r.xs, r.weights = r.xs[:0], r.weights[:0]
	for x := from; x < to; x++ {
		r.xs = append(r.xs, embedding.ID(x))
	}
	if bulk, ok := r.m.(shortcut.Rows); ok {
		r.weights = bulk.Rows(r.weights, r.xs)
	} else {
		for _, x := range r.xs {
			r.weights = r.m.Weights(r.weights, x)
		}
	}
	if r.chances == nil {
		r.chances = make([]float64, r.words)
	}
	for i, x := range r.xs {
		row := r.weights[i*r.words : (i+1)*r.words]
		sum := uint64(0) // below 2^63
		for _, w := range row {
			sum += w
		}
		for y, w := range row {
			r.chances[y] = float64(w) / float64(sum)
		}
		take(x, r.chances)
	}
}
