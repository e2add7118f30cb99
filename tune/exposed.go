package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Exposed is a word of a table with its exposure.
type Exposed struct {
	Word      string  `json:"word"`
	Unchanged float64 `json:"unchanged"` // probability that it stays
	// Recovered is the probability that the best guess from its output names it, with all
	// words equally likely. The guess is the word that becomes this output most often; ties
	// are broken uniformly at random. The mean over all words is AttackSuccess.
	Recovered float64 `json:"recovered"`
}

// Exposure lists the words of a table that a channel leaves most exposed to the best guess
// from one output. All figures assume that all words are equally likely.
type Exposure struct {
	// Mean is the mean of Recovered over all words: the attack success of the channel.
	Mean float64 `json:"mean"`
	// Alike is the number of words that are recovered as often as the first of Words. If it
	// is the number of all words, all words are equally exposed.
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
// MostExposedWords of them. Words that are recovered equally often are sorted by how often
// they stay unchanged, then by their place in the table. It visits every entry of the
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

// rounding is the relative difference of sums that are equal except for the order of their
// terms.
const rounding = 1e-9

// exposures returns what becomes of each word of the table, in its order.
func exposures(ctx context.Context, m mechanism.Channel, table *embedding.Table, report progress.Func) ([]Exposed, error) {
	n := table.Len()
	v := visitor{m: m, words: n, done: report.Counter(2 * n)}
	var recovered, unchanged []float64
	var err error
	if l, ok := m.(shortcut.Levelled); ok {
		recovered, unchanged, err = exposuresOfLevels(ctx, v, l.Levels())
	} else {
		recovered, unchanged, err = exposuresOfRows(ctx, v)
	}
	if err != nil {
		return nil, err
	}
	all := make([]Exposed, n)
	for x := range all {
		all[x] = Exposed{table.Word(embedding.ID(x)), unchanged[x], math.Min(1, recovered[x])}
	}
	return all, nil
}

// exposuresOfLevels is for channels whose rows have two chances. Each output is in the set
// of some word, its own, so the guess is one of the words that have it in their sets.
func exposuresOfLevels(ctx context.Context, v visitor, levels mechanism.Levels) (recovered, unchanged []float64, err error) {
	var partial [][]int32
	err = v.visit(ctx, func() func(embedding.ID, []uint64) {
		sets := make([]int32, v.words)
		partial = append(partial, sets)
		return func(_ embedding.ID, row []uint64) {
			for y, w := range row {
				if w > levels.Low {
					sets[y]++
				}
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	chance := make([]float64, v.words) // that the guess from an output is one of its words
	for y := range chance {
		sets := int32(0)
		for _, p := range partial {
			sets += p[y]
		}
		chance[y] = levels.Inside / float64(sets)
	}
	recovered, unchanged = make([]float64, v.words), make([]float64, v.words)
	err = v.visit(ctx, func() func(embedding.ID, []uint64) {
		return func(x embedding.ID, row []uint64) {
			sum := 0.0
			for y, w := range row {
				if w > levels.Low {
					sum += chance[y]
				}
			}
			recovered[x] = sum
			switch w := row[x]; {
			case w > levels.Low:
				unchanged[x] = levels.Inside
			case w == levels.Low:
				unchanged[x] = levels.Outside
			}
		}
	})
	return recovered, unchanged, err
}

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

func exposuresOfRows(ctx context.Context, v visitor) (recovered, unchanged []float64, err error) {
	var partial [][]column
	err = v.visit(ctx, func() func(embedding.ID, []uint64) {
		columns := make([]column, v.words)
		partial = append(partial, columns)
		return func(_ embedding.ID, row []uint64) {
			each := 1 / total(row)
			for y, w := range row {
				p := float64(float64(int64(w)) * each)
				if c := &columns[y]; p > c.most {
					*c = column{p, 1}
				} else if p == c.most {
					c.tied++
				}
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	columns := partial[0]
	for _, more := range partial[1:] {
		for y := range columns {
			columns[y].add(more[y])
		}
	}
	recovered, unchanged = make([]float64, v.words), make([]float64, v.words)
	err = v.visit(ctx, func() func(embedding.ID, []uint64) {
		return func(x embedding.ID, row []uint64) {
			each := 1 / total(row)
			sum := 0.0
			for y, w := range row {
				if p := float64(float64(int64(w)) * each); p == columns[y].most && p > 0 {
					sum += p / float64(columns[y].tied)
				}
			}
			recovered[x], unchanged[x] = sum, float64(float64(int64(row[x]))*each)
		}
	})
	return recovered, unchanged, err
}

// total returns the sum of the weights of a row, which is below 2^63.
func total(row []uint64) float64 {
	sum := uint64(0)
	for _, w := range row {
		sum += w
	}
	return float64(sum)
}
