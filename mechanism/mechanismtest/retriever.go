package mechanismtest

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// CheckRetriever opens a catalogue entry for whole texts over a codebook of at
// least 20 texts, and returns every breach of the contract, joined. Inputs are
// extra vectors of the codebook's dimensions, besides the hostile ones that
// CheckRetriever makes. If 64 draws all agree, it reports that noise is shared or
// missing, so epsilon must be small enough that draws often differ.
func CheckRetriever(ctx context.Context, entry mechanism.Entry, codebook mechanism.Codebook, spec mechanism.Spec, inputs ...[]int8) error {
	b := &breaches{who: entry.Name}
	if entry.NewRetriever == nil {
		b.add("makes nothing for whole texts")
		return errors.Join(b.list...)
	}
	r, err := entry.NewRetriever(ctx, codebook, spec)
	if err != nil {
		return err
	}
	b.claim(entry, r, spec)
	if r.Claim().Unit != privacy.Text {
		b.add("the claim is for each %s, must be for each text", r.Claim().Unit)
	}
	hostile := append(hostileVectors(codebook.Dim()), inputs...)
	b.rows(r, codebook, hostile)
	b.texts(ctx, r, codebook, hostile)
	b.parameters(entry, spec, func(s mechanism.Spec) error { _, err := entry.NewRetriever(ctx, codebook, s); return err })
	for _, broken := range brokenCodebooks(codebook) {
		r, err := entry.NewRetriever(ctx, broken, spec)
		if err != nil {
			continue
		}
		if out, err := r.Draw(ctx, nil, make([]int8, broken.Dim()), nil); err == nil || len(out) > 0 {
			b.add("draws from a codebook whose sets break their contract: %s", broken.Name())
		}
	}
	return errors.Join(b.list...)
}

// hostileVectors are all zero, the largest and the smallest components, one
// component alone, and random ones.
func hostileVectors(dim int) [][]int8 {
	fill := func(f func(k int) int8) []int8 {
		v := make([]int8, dim)
		for k := range v {
			v[k] = f(k)
		}
		return v
	}
	rng := rand.New(noise.Seeded(11, 1))
	return [][]int8{
		fill(func(int) int8 { return 0 }),
		fill(func(int) int8 { return math.MaxInt8 }),
		fill(func(int) int8 { return math.MinInt8 }),
		fill(func(k int) int8 { return int8(127 - 254*(k%2)) }),
		fill(func(k int) int8 { return int8(max(0, 127-127*k)) }),
		fill(func(int) int8 { return int8(rng.IntN(256) - 128) }),
	}
}

// rows checks that every row has the two levels, the same number of each and the
// same sum, that their ratio keeps the claim, and that levels are what is stated.
func (b *breaches) rows(r mechanism.Retriever, codebook mechanism.Codebook, inputs [][]int8) {
	levels := r.Levels()
	if levels.Outputs != codebook.Len() || levels.Size < 1 || levels.Size > levels.Outputs {
		b.add("levels of a set of %d among %d texts, the codebook has %d", levels.Size, levels.Outputs, codebook.Len())
		return
	}
	var high, low uint64
	for i, v := range inputs {
		row, err := r.Weights(nil, v)
		if err != nil || len(row) != codebook.Len() {
			b.add("input %d has a row of %d weights (%v)", i, len(row), err)
			return
		}
		if i == 0 {
			high, low = slices.Max(row), slices.Min(row)
		}
		highs, lows := 0, 0
		for _, w := range row {
			switch w {
			case high:
				highs++
			case low:
				lows++
			}
		}
		if high == low {
			lows, highs = len(row)-levels.Size, levels.Size
		}
		if highs != levels.Size || highs+lows != len(row) {
			b.add("input %d has %d texts in its set and %d others, of %d: all inputs must have %d", i, highs, lows, len(row), levels.Size)
			return
		}
	}
	if low == 0 {
		b.add("a weight is 0")
		return
	}
	// high/low <= e^epsilon: the bound is a partial sum of the series of e^epsilon,
	// which is below it.
	if ratio := new(big.Rat).SetFrac(new(big.Int).SetUint64(high), new(big.Int).SetUint64(low)); ratio.Cmp(expBelow(r.Claim().Epsilon)) > 0 {
		b.add("the weights %d and %d lose more than epsilon = %g", high, low, r.Claim().Epsilon)
	}
	total := float64(float64(high)*float64(levels.Size)) + float64(float64(low)*float64(levels.Outputs-levels.Size))
	if math.Abs(levels.Inside*total/float64(high)-1) > 1e-12 || math.Abs(levels.Outside*total/float64(low)-1) > 1e-12 {
		b.add("the levels %g and %g are not those of the weights", levels.Inside, levels.Outside)
	}
}

// expBelow returns a rational number just below e^x, x positive: the series, cut.
func expBelow(x float64) *big.Rat {
	sum, term := big.NewRat(1, 1), big.NewRat(1, 1)
	at := new(big.Rat).SetFloat64(x)
	for i := int64(1); i < 40+int64(12*x); i++ {
		term.Mul(term, at)
		term.Quo(term, big.NewRat(i, 1))
		// 200 bits are kept, rounded down.
		scaled := new(big.Int).Lsh(term.Num(), 200)
		term.SetFrac(scaled.Quo(scaled, term.Denom()), new(big.Int).Lsh(big.NewInt(1), 200))
		sum.Add(sum, term)
	}
	return sum
}

// texts checks draws.
func (b *breaches) texts(ctx context.Context, r mechanism.Retriever, codebook mechanism.Codebook, inputs [][]int8) {
	draw := func(vectors []int8, source func(int) rand.Source) []uint32 {
		out, err := r.Draw(ctx, nil, vectors, source)
		if err != nil || len(out) != len(vectors)/codebook.Dim() {
			b.add("%d texts for %d vectors (%v)", len(out), len(vectors)/codebook.Dim(), err)
			return make([]uint32, len(vectors)/codebook.Dim())
		}
		for _, y := range out {
			if int(y) >= codebook.Len() {
				b.add("an output is not a text of the codebook")
			}
		}
		return out
	}
	seeded := func(seed uint64) func(int) rand.Source {
		return func(row int) rand.Source { return noise.Seeded(seed, uint64(row)) }
	}
	var src []int8
	for i := range 200 { // more than any batch
		src = append(src, inputs[i%len(inputs)]...)
	}
	first := repeats(b, "Draw", "result", src, func(src []int8, seed uint64) []uint32 {
		if seed == 0 {
			return draw(src, nil)
		}
		return draw(src, seeded(seed))
	})
	dim := codebook.Dim()
	for i := range inputs {
		alone := draw(src[i*dim:(i+1)*dim], func(int) rand.Source { return noise.Seeded(1, uint64(i)) })
		if alone[0] != first[i] {
			b.add("a draw depends on the other texts of its batch")
			break
		}
	}
	same := draw(slices.Repeat(inputs[0], 64), nil)
	if len(slices.Compact(same)) == 1 {
		b.add("64 draws for one text in one call agree: noise is shared or missing")
	}
	if out, err := r.Draw(ctx, []uint32{7}, src[:dim], nil); err != nil || len(out) != 2 || out[0] != 7 {
		b.add("Draw does not append")
	}
	if out, err := r.Draw(ctx, nil, nil, nil); err != nil || len(out) != 0 {
		b.add("no texts become %d (%v)", len(out), err)
	}
	if dim > 1 {
		if _, err := r.Draw(ctx, nil, src[:dim+1], nil); err == nil {
			b.add("vectors of a wrong length are accepted")
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Draw(ended, nil, src, nil); !errors.Is(err, context.Canceled) {
		b.add("an ended context does not end Draw (%v)", err)
	}
	b.together(func(seed uint64) any { return draw(slices.Clone(src), seeded(seed)) },
		func(x, y any) bool { return slices.Equal(x.([]uint32), y.([]uint32)) })
}

// brokenBook is a codebook whose sets break the contract that the proof rests on.
type brokenBook struct {
	mechanism.Codebook
	how  string
	harm func(set []uint32) []uint32
}

func (c brokenBook) Name() string { return c.how }

// Index, Compared and Approximate are those of a codebook with an index, whose sets are
// broken too.
func (c brokenBook) Index() (string, error) {
	if indexed, ok := c.Codebook.(mechanism.Indexed); ok {
		return indexed.Index()
	}
	return "", errors.New("the codebook has no index")
}

func (c brokenBook) Compared(k int) int { return c.Codebook.(mechanism.Indexed).Compared(k) }

func (c brokenBook) Approximate(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	set, err := c.Codebook.(mechanism.Indexed).Approximate(nil, vectors, k)
	if err != nil {
		return dst, err
	}
	return append(dst, c.harm(set)...), nil
}

func (c brokenBook) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	set, err := c.Codebook.Nearest(nil, vectors, k)
	if err != nil {
		return dst, err
	}
	return append(dst, c.harm(set)...), nil
}

func brokenCodebooks(c mechanism.Codebook) []mechanism.Codebook {
	return []mechanism.Codebook{
		brokenBook{c, "a set has one text too few", func(s []uint32) []uint32 { return s[:len(s)-1] }},
		brokenBook{c, "a set has one text too many", func(s []uint32) []uint32 { return append(s, s[len(s)-1]+1) }},
		brokenBook{c, "a set has a text twice", func(s []uint32) []uint32 {
			if len(s) == 1 {
				return append(s, s[0])
			}
			return append(s[:len(s)-1:len(s)-1], s[len(s)-2])
		}},
		brokenBook{c, "a set has a text that is not there", func(s []uint32) []uint32 { return append(s[:len(s)-1:len(s)-1], uint32(c.Len())) }},
	}
}
