package channel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// aliasRow draws from a whole row of weights in constant time (Walker 1974,
// Vose 1991), exactly: cell i is chosen uniformly, then word i with probability
// keep[i]/total and its alias otherwise. All are integers; a cell's shares times
// the number of cells add up to the row's weights.
type aliasRow struct {
	total uint64
	// The shares are kept in two parts, so that a draw reads one number: the leading 32 bits
	// of keep[i] with the alias, and the other bits, which decide in one draw of 2^32.
	shift uint
	cells []uint64
	lows  []uint32
}

// newAliasRow returns the alias table of a row, or nil if the row's sum, or a
// weight times the row's length, is 2^64 or more.
func newAliasRow(weights []uint64) *aliasRow {
	total, fits := RowSum(weights)
	if over, _ := bits.Mul64(slices.Max(weights), uint64(len(weights))); over != 0 || !fits {
		return nil
	}
	return fillAliasRow(weights, total)
}

// fillAliasRow is newAliasRow for weights that are known to be small enough.
func fillAliasRow(weights []uint64, total uint64) *aliasRow {
	n := uint64(len(weights))
	a := &aliasRow{total: total, shift: uint(max(32, bits.Len64(total)) - 32), cells: make([]uint64, n), lows: make([]uint32, n)}
	// share is the part of a word not yet placed, in units of 1/n of a weight:
	// the shares add up to n total, and every cell takes total.
	var poor, rich []uint32
	share := make([]uint64, n)
	for i, w := range weights {
		share[i] = w * n
		a.cells[i] = uint64(i)
		if share[i] < a.total {
			poor = append(poor, uint32(i))
		} else {
			rich = append(rich, uint32(i))
		}
	}
	for len(poor) > 0 && len(rich) > 0 {
		p, r := poor[len(poor)-1], rich[len(rich)-1]
		poor = poor[:len(poor)-1]
		a.cells[p] = uint64(r) // the cell of p: share[p] of p, the rest of r
		share[r] -= a.total - share[p]
		if share[r] < a.total {
			rich = rich[:len(rich)-1]
			poor = append(poor, r)
		}
	}
	// In exact integers, each remaining share fills its own cell exactly.
	for i, keep := range share {
		a.cells[i] |= keep >> a.shift << 32
		a.lows[i] = uint32(keep & (1<<a.shift - 1))
	}
	return a
}

// word returns the word of cell i for a number below total.
func (a *aliasRow) word(i int, below uint64) uint32 {
	cell, high := a.cells[i], below>>a.shift
	y := uint32(cell)
	if high < cell>>32 {
		y = uint32(i)
	}
	if high == cell>>32 && uint32(below&(1<<a.shift-1)) < a.lows[i] {
		y = uint32(i)
	}
	return y
}

func (a *aliasRow) draw(rng rand.Source) embedding.ID {
	i := noise.Below(rng, uint64(len(a.cells)))
	return embedding.ID(a.word(int(i), noise.Below(rng, a.total)))
}

// frequent caches alias rows for frequent words: a few hundred words make up
// half of a text.
type frequent struct {
	rows []atomic.Pointer[aliasRow]
	left atomic.Int64 // rows that may still be made
	busy sync.Map     // embedding.ID -> struct{}: claimed

	counts sync.Pool // *[]uint8: of each word, all 0
}

const (
	aliasBytes = 64 << 20 // of all alias rows of a channel
	often      = 48       // times in one call of Prepare
)

func newFrequent(words int) *frequent {
	f := &frequent{rows: make([]atomic.Pointer[aliasRow], words)}
	f.left.Store(int64(aliasBytes / (12 * words)))
	return f
}

// release returns claims for which no row was made.
func (f *frequent) release(words []embedding.ID) {
	for _, x := range words {
		f.busy.Delete(x)
		f.left.Add(1)
	}
}

// claim returns the frequent words of a batch that have no alias row, as many
// as may still be made.
func (f *frequent) claim(words []embedding.ID) []embedding.ID {
	if len(words) < often || f.left.Load() <= 0 {
		return nil
	}
	pooled, ok := f.counts.Get().(*[]uint8)
	if !ok {
		made := make([]uint8, len(f.rows))
		pooled = &made
	}
	counts := *pooled
	defer func() {
		for _, x := range words {
			counts[x] = 0
		}
		f.counts.Put(pooled)
	}()
	var claimed []embedding.ID
	for _, x := range words {
		if counts[x] == often { // and claimed, if it may be
			continue
		}
		if counts[x]++; counts[x] != often || f.rows[x].Load() != nil {
			continue
		}
		if _, taken := f.busy.LoadOrStore(x, struct{}{}); taken {
			continue
		}
		if f.left.Add(-1) < 0 {
			break
		}
		claimed = append(claimed, x)
	}
	return claimed
}
