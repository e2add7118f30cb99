package mechanism

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// distanceChannel draws an output with an integer weight that is a function of
// its distance to the input in some metric, times a public base measure: the exponential
// mechanism over a table, with or without TEM's truncation, and balanced.
type distanceChannel struct {
	drawer
	metric   metric
	law      *law
	base     []float64 // a factor in [0, 1] for each output; nil where all are 1
	claim    privacy.Claim
	settings []Setting
}

// drawer makes exact draws from rows of integer weights.
//
// A row of weights is never kept whole. Of each row met, the words heavier than
// a threshold are kept with their cumulative weights; the rest of the row, whose
// total is known exactly, is drawn by rejection: a uniform word, accepted with
// probability weight/threshold. Both parts are exact over the very integers that
// the certificate sums.
type drawer struct {
	source   weigher
	n        uint64 // outputs
	rows     []atomic.Pointer[row]
	building sync.Map // embedding.ID -> struct{}: rows that some Prepare has claimed
	frequent *frequent
}

// weigher is where a drawer's weights come from.
type weigher interface {
	// weigh fills s.weights with the rows of xs, one after the other.
	weigh(s *rowScratch, xs []embedding.ID)
	// weight is one entry of the channel, and the same number.
	weight(x, y embedding.ID) uint64
}

// row is what sampling needs of one input's weights.
type row struct {
	total     uint64   // of all weights
	threshold uint64   // the heaviest weight of the tail: heavier words are in the head
	heads     []uint32 // word numbers
	sums      []uint64 // cumulative weights of heads
}

// headLimit bounds a row's head: 512 words are 6 KiB.
const headLimit = 512

func newDistanceChannel(m metric, law *law, claim privacy.Claim, settings []Setting) *distanceChannel {
	c := &distanceChannel{metric: m, law: law, claim: claim, settings: settings}
	c.drawer.start(c, m.table.Len())
	return c
}

// start readies a drawer for the n words of a source.
func (c *drawer) start(source weigher, n int) {
	c.source, c.n, c.rows, c.frequent = source, uint64(n), make([]atomic.Pointer[row], n), newFrequent(n)
}

func (c *distanceChannel) Claim() privacy.Claim { return c.claim }
func (c *distanceChannel) Settings() []Setting  { return c.settings }

// Weights appends the row of one input: one weight for each word of the table.
func (c *drawer) Weights(dst []uint64, in embedding.ID) []uint64 {
	var s rowScratch
	c.source.weigh(&s, []embedding.ID{in})
	return append(dst, s.weights...)
}

// Rows appends the rows of xs, one after the other.
func (c *drawer) Rows(dst []uint64, xs []embedding.ID) []uint64 {
	s := scratches.Get().(*rowScratch)
	defer scratches.Put(s)
	c.source.weigh(s, xs)
	return append(dst, s.weights[:len(xs)*int(c.n)]...)
}

// Replace draws one output for each word of src.
func (c *drawer) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	for _, x := range src {
		if a := c.frequent.rows[x].Load(); a != nil {
			dst = append(dst, a.draw(rng))
			continue
		}
		r := c.rows[x].Load()
		if r == nil {
			c.build([]embedding.ID{x})
			r = c.rows[x].Load()
		}
		dst = append(dst, c.draw(r, x, rng))
	}
	return dst, nil
}

// draw is an exact draw from row r of input x.
func (c *drawer) draw(r *row, x embedding.ID, rng rand.Source) embedding.ID {
	u := noise.Below(rng, r.total)
	if n := len(r.sums); n > 0 && u < r.sums[n-1] {
		return embedding.ID(r.heads[search(r.sums, u)])
	}
	for {
		y := embedding.ID(noise.Below(rng, c.n))
		w := c.source.weight(x, y)
		if w <= r.threshold && noise.Below(rng, r.threshold) < w {
			return y
		}
	}
}

// weight is one entry of the channel.
func (c *distanceChannel) weight(x, y embedding.ID) uint64 {
	q, w := c.metric.square(x, y), uint64(0)
	if c.law.byQ != nil {
		w = c.law.of32(uint32(q))
	} else {
		w = c.law.At(q)
	}
	if c.base != nil {
		w = c.law.times(c.base[y], w)
	}
	return w
}

// search returns the first index whose cumulative sum exceeds u.
func search(sums []uint64, u uint64) int {
	lo, n := 0, len(sums)
	for n > 0 {
		half := n / 2
		if sums[lo+half] <= u {
			lo += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return lo
}

// Prepare builds the rows of words not met before, many at a time.
func (c *drawer) Prepare(words []embedding.ID) {
	var missing []embedding.ID
	for _, x := range words {
		if c.rows[x].Load() == nil {
			if _, taken := c.building.LoadOrStore(x, struct{}{}); !taken {
				missing = append(missing, x)
			}
		}
	}
	c.build(missing)
	for _, x := range c.frequent.claim(words) {
		c.frequent.rows[x].Store(newAliasRow(c.Weights(nil, x)))
	}
}

// build makes and stores the rows of xs.
func (c *drawer) build(xs []embedding.ID) {
	const batch = 16
	s := scratches.Get().(*rowScratch)
	defer scratches.Put(s)
	n := int(c.n)
	for len(xs) > 0 {
		now := xs[:min(batch, len(xs))]
		xs = xs[len(now):]
		c.source.weigh(s, now)
		for i, x := range now {
			c.rows[x].Store(s.cut(s.weights[i*n : (i+1)*n]))
		}
	}
}

var scratches = sync.Pool{New: func() any { return new(rowScratch) }}

// rowScratch is the working memory in which rows are made.
type rowScratch struct {
	narrow  []uint32
	wide    []float64
	weights []uint64
	heavy   []uint64
	at      []uint32
}

// weigh fills s.weights with the rows of xs, one after the other.
func (c *distanceChannel) weigh(s *rowScratch, xs []embedding.ID) {
	s.weighByDistance(c.metric, c.law, xs)
	if c.base == nil {
		return
	}
	for i := range xs {
		row := s.weights[i*len(c.base) : (i+1)*len(c.base)]
		for y, w := range row {
			row[y] = c.law.times(c.base[y], w)
		}
	}
}

// weighByDistance fills s.weights with what the law gives for xs.
func (s *rowScratch) weighByDistance(m metric, l *law, xs []embedding.ID) {
	words := m.table.Len()
	n := len(xs) * words
	s.weights = resize(s.weights, n)
	if l.byQ != nil {
		s.narrow = resize(s.narrow, n)
		m.table.SquaredDistances32(s.narrow, xs, 0, words)
		if weight.Fast() {
			l.Fill32(s.weights, s.narrow) // a table of all weights would not fit the caches
			return
		}
		for i, q := range s.narrow {
			s.weights[i] = l.of32(q)
		}
		return
	}
	s.wide = resize(s.wide, n)
	m.squares(s.wide, xs, 0, words)
	l.Fill(s.weights, s.wide)
}

// totals returns the sum of each row of xs.
func (c *distanceChannel) totals(s *rowScratch, xs []embedding.ID) []uint64 {
	n := c.metric.table.Len()
	sums := make([]uint64, len(xs))
	if c.law.byQ == nil || c.base != nil {
		c.weigh(s, xs)
		for i := range xs {
			for _, w := range s.weights[i*n : (i+1)*n] {
				sums[i] += w
			}
		}
		return sums
	}
	s.narrow = resize(s.narrow, len(xs)*n)
	c.metric.table.SquaredDistances32(s.narrow, xs, 0, n)
	byQ := c.law.byQ
	for i := range xs {
		sum := uint64(0)
		for _, q := range s.narrow[i*n : (i+1)*n] {
			if int(q) < len(byQ) {
				sum += byQ[q]
			} else {
				sum += c.law.of32(q)
			}
		}
		sums[i] = sum
	}
	return sums
}

// cut splits a row of weights into head and tail. A word heavier than the row's
// average belongs to the head, so that a draw from the tail needs one trial for
// each average weight it stands for; where there are more than headLimit such
// words, only the heaviest are kept.
func (s *rowScratch) cut(weights []uint64) *row {
	r := new(row)
	for _, w := range weights {
		r.total += w
	}
	average := r.total / uint64(len(weights))
	s.at = resize(s.at, len(weights)+1)
	heads, heaviest := 0, uint64(0) // of the head, of the tail
	for y, w := range weights {     // no branch here depends on the weights
		s.at[heads] = uint32(y)
		light := w
		if w > average {
			heads++
		}
		if w > average {
			light = 0
		}
		heaviest = max(heaviest, light)
	}
	at := s.at[:heads]
	if heads > headLimit {
		s.heavy = s.heavy[:0]
		for _, y := range at {
			s.heavy = append(s.heavy, weights[y])
		}
		limit := quickselect(s.heavy, heads-headLimit)
		at = slices.DeleteFunc(at, func(y uint32) bool { return weights[y] <= limit })
		heaviest = limit
	}
	r.threshold = heaviest // no trial is made against more than the tail's heaviest
	r.heads, r.sums = slices.Clone(at), make([]uint64, len(at))
	sum := uint64(0)
	for i, y := range at {
		sum += weights[y]
		r.sums[i] = sum
	}
	return r
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// quickselect returns the k-th smallest value, k from 1, and reorders v.
func quickselect(v []uint64, k int) uint64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := v[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch at := k - 1; {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return v[at]
		}
	}
	return v[lo]
}
