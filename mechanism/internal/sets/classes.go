package sets

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
)

// Classes is a public partition of the words of a table into classes, each with about the
// same share of running text. A class has one output, its most common word. Every word, and
// so every token, is in exactly one class.
type Classes struct {
	Outputs
	of []uint32 // of each word: its class, by the place of the output
}

// NewClasses cuts the words of a table into m classes, 1 to the number of words.
//
// Shares follow from the table's order, by Zipf's law with Mandelbrot's shift; the unknown
// entry counts as the most common word. The m most common words are the outputs of the
// classes. An output whose share is at least that of a class is alone in its class. Each of
// the other words, most common first, joins the class of the nearest output, ties by lower
// number, among the classes whose share is below the mean of these classes. All arithmetic
// is of integers, so the classes are the same on every machine.
func NewClasses(ctx context.Context, table *embedding.Table, m int) (*Classes, error) {
	c := &Classes{Outputs: Outputs{Table: table}, of: FirstOf(table.Len())}
	n := table.Len()
	if m == n {
		return c, nil
	}
	ranked := ranking(table)
	outputs := slices.Sorted(slices.Values(ranked[:m]))
	c.Limit(outputs)
	for place, y := range outputs {
		c.of[y] = uint32(place)
	}
	return c, c.fill(ctx, ranked, m)
}

// fill assigns the words behind the first m of the ranking.
func (c *Classes) fill(ctx context.Context, ranked []uint32, m int) error {
	share, alone, rest := shares(len(ranked), m)
	full := make([]bool, m)
	filled := make([]uint64, m) // share of the words of each class
	for rank, y := range ranked[:m] {
		full[c.place[y]] = rank < alone
		filled[c.place[y]] = share[rank]
	}
	// The outputs are the words below from, and at most one behind them.
	from := m
	if c.outputs[m-1] != uint32(m-1) {
		from = m - 1
	}
	const block = 32
	rows := make([]float64, block*from)
	for rank := m; rank < len(ranked); rank += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		xs := make([]embedding.ID, 0, block)
		for _, x := range ranked[rank:min(rank+block, len(ranked))] {
			xs = append(xs, embedding.ID(x))
		}
		if from > 0 {
			c.Table.SquaredDistances(rows[:len(xs)*from], xs, 0, from)
		}
		for i, x := range xs {
			best, at := math.Inf(1), -1
			for place := range m {
				if full[place] {
					continue
				}
				q := 0.0
				if place < from {
					q = rows[i*from+place]
				} else {
					q = c.Table.SquaredDistance(x, c.word(uint32(place)))
				}
				if q < best {
					best, at = q, place
				}
			}
			c.of[x] = uint32(at)
			filled[at] += share[rank+i]
			full[at] = uint64(m-alone)*filled[at] >= rest
		}
	}
	return nil
}

// ranking lists the words of a table, most common first.
func ranking(table *embedding.Table) []uint32 {
	ranked := FirstOf(table.Len())
	u := int(table.Unknown())
	copy(ranked[1:u+1], ranked[:u])
	ranked[0] = uint32(u)
	return ranked
}

// shares returns the share of running text of each of n words by rank, in a common unit.
// The first alone of them have a class's share or more, and rest is what the others
// have together.
func shares(n, m int) (share []uint64, alone int, rest uint64) {
	share = make([]uint64, n)
	for rank := range share {
		share[rank] = 1<<32/(10*uint64(rank)+27) + 1
		rest += share[rank]
	}
	for alone < m-1 && uint64(m-alone)*share[alone] >= rest {
		rest -= share[alone]
		alone++
	}
	return share, alone, rest
}

// Set returns the class of x.
func (c *Classes) Set(x embedding.ID) (Set, error) {
	if int(c.of[x]) >= c.Len() {
		return Set{only: c.of[x]}, errWordSet
	}
	return Set{only: c.of[x]}, nil
}

func (c *Classes) prepare(context.Context, []embedding.ID) {}

// Guess returns the success probability of the best guess of a word from its output, if
// words are as likely as their shares. The best guess is the most common word of the
// output's class, or the most common word of all.
func (c *Classes) Guess(levels mechanism.Levels) float64 {
	share, _, _ := shares(c.Table.Len(), levels.Outputs)
	guess, total := 0.0, 0.0
	for rank, s := range share {
		total += float64(s)
		if rank < levels.Outputs {
			guess += max(float64(float64(s)*levels.Inside), float64(float64(share[0])*levels.Outside))
		}
	}
	return guess / total
}

// Digest returns the SHA-256, in hexadecimal, of the class of every word.
func (c *Classes) Digest() string {
	data := []byte("sotto classes 1")
	for _, class := range c.of {
		data = binary.LittleEndian.AppendUint32(data, class)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// NewClassWords returns the channel in which a word's set is the output of its class.
// Errors name the member who.
func NewClassWords(who string, classes *Classes, epsilon float64) (*Words, error) {
	return newWords(who, classes.Outputs, 1, epsilon, classes)
}

// ClassesFor returns the number m of classes, at most n, that maximises the mutual
// information between the class of a word and the draw, with all classes equally likely.
// With E = e^epsilon and Z = E + m - 1 it is ln m + epsilon E/Z - ln Z, which is largest
// for m = (E - 1)^2/(1 + (epsilon - 1) E).
func ClassesFor(n int, epsilon float64) int {
	if epsilon < 0.5 { // 2 is nearest, and the quotient is inaccurate near 0/0
		return min(2, n)
	}
	u := elementary.Exp(-epsilon)
	m := float64((1-u)*(1-u)) / (float64(u*u) + float64((epsilon-1)*u))
	return int(min(math.Round(m), float64(n)))
}
