package channel

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
)

// levels are the leading bits of the weights of a row, one byte for each word, 0 for heads.
// They decide nearly all draws by rejection without a weight: a number below the threshold
// is below a weight if its leading bits are smaller, and not if they are greater.
type levels struct {
	shift uint // weights have 8 bits at most above it
	bytes []uint8
}

// levelsOf returns the levels of weights of which those above threshold are heads.
func levelsOf(weights []uint64, threshold uint64) levels {
	l := levels{uint(max(8, bits.Len64(threshold)) - 8), make([]uint8, len(weights))}
	for y, w := range weights { // no branch here depends on the weights
		level := w >> l.shift
		if w > threshold {
			level = 0
		}
		l.bytes[y] = uint8(level)
	}
	return l
}

// accept reports whether the number below is smaller than the weight of y, if the levels
// decide that.
func (l *levels) accept(y embedding.ID, below uint64) (accepted, decided bool) {
	level, leading := uint64(l.bytes[y]), below>>l.shift
	return leading < level, leading != level
}

// frequent caches proposals with levels for frequent words: a few hundred words make up
// most of a text.
type frequent struct {
	rows []atomic.Pointer[proposal]
	left atomic.Int64 // rows that may still be made
	busy sync.Map     // embedding.ID -> struct{}: claimed

	counts sync.Pool // *[]uint8: of each word, all 0
}

const (
	levelBytes = 64 << 20 // of all levels of a channel
	often      = 16       // times in one call of PrepareUnseeded
)

func newFrequent(words int) *frequent {
	f := &frequent{rows: make([]atomic.Pointer[proposal], words)}
	f.left.Store(int64(levelBytes / words))
	return f
}

// release returns claims for which no row was made.
func (f *frequent) release(words []embedding.ID) {
	for _, x := range words {
		f.busy.Delete(x)
		f.left.Add(1)
	}
}

// claim returns the frequent words of a batch that have no levels, as many
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

// prepareFrequent adds levels to the proposals of the frequent words among some. A row
// without a proposal gets none. Neither does a row whose sum is refused: its proposal is
// dropped, so that ReplaceUnseeded makes the row again and reports the error.
func (c *Sampler) prepareFrequent(ctx context.Context, words []embedding.ID) {
	claimed := c.frequent.claim(words)
	if len(claimed) == 0 {
		return
	}
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	for i, x := range claimed {
		p := c.proposed.Get(x)
		if p == nil && ctx.Err() == nil {
			p, _ = c.proposals(ctx, []embedding.ID{x}) // evicted, or claimed by another goroutine
		}
		if ctx.Err() != nil {
			c.frequent.release(claimed[i:])
			return
		}
		if p == nil || p.most == 0 {
			continue
		}
		c.source.Weigh(s, []embedding.ID{x})
		if c.CheckTotal(shortSum(s.Weights[:c.n])) != nil {
			c.proposed.Put(x, new(proposal))
			c.rows.Drop(x)
			c.frequent.release([]embedding.ID{x})
			continue
		}
		levelled := *p
		levelled.levels = levelsOf(s.Weights[:c.n], p.threshold)
		c.frequent.rows[x].Store(&levelled)
	}
}
