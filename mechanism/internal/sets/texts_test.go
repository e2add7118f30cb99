package sets

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
)

// liar is a codebook of six texts whose sets are what a test says.
type liar struct{ sets []uint32 }

func (liar) Name() string   { return "liar" }
func (liar) Len() int       { return 6 }
func (liar) Dim() int       { return 1 }
func (liar) Digest() string { return "" }
func (l liar) Nearest(dst []uint32, vectors []int8, _ int) ([]uint32, error) {
	for range vectors {
		dst = append(dst, l.sets...)
	}
	return dst, nil
}

// The proof needs exactly k distinct texts of the codebook for every input. A
// codebook that gives anything else ends the draw, and nothing is released.
func TestSetsThatTheProofDoesNotCoverAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		set    []uint32
		refuse bool
	}{
		"three texts":        {[]uint32{0, 2, 5}, false},
		"none":               {nil, true},
		"one too few":        {[]uint32{0, 2}, true},
		"one too many":       {[]uint32{0, 2, 3, 5}, true},
		"a text twice":       {[]uint32{0, 2, 2}, true},
		"the first twice":    {[]uint32{0, 0, 2}, true},
		"out of order":       {[]uint32{0, 5, 2}, true},
		"not in the book":    {[]uint32{0, 2, 6}, true},
		"far outside":        {[]uint32{0, 2, math.MaxUint32}, true},
		"twice, wider apart": {[]uint32{2, 0, 2}, true},
	} {
		t.Run(name, func(t *testing.T) {
			texts, err := NewTexts("test", liar{c.set}, 3, mechanism.Spec{Epsilon: 2})
			if err != nil {
				t.Fatal(err)
			}
			drawn, err := texts.Draw(t.Context(), []uint32{77}, make([]int8, 5), nil)
			if errors.Is(err, errSet) != c.refuse || drawn[0] != 77 || c.refuse && len(drawn) != 1 || !c.refuse && len(drawn) != 6 {
				t.Errorf("drawn %v (%v)", drawn, err)
			}
			row, err := texts.Weights([]uint64{77}, []int8{0})
			if errors.Is(err, errSet) != c.refuse || c.refuse && !slices.Equal(row, []uint64{77}) || !c.refuse && len(row) != 7 {
				t.Errorf("weights %v (%v)", row, err)
			}
		})
	}
}

// exponential is e^x to far more digits than a float64 has: by the series, after x
// is halved until it is small.
func exponential(x float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(1200).SetFloat64(v) }
	halved := 0
	for ; math.Abs(x) > 0.01; halved++ {
		x /= 2
	}
	sum, term := number(1), number(1)
	for i := 1; i < 40; i++ {
		term.Mul(term, number(x))
		term.Quo(term, number(float64(i)))
		sum.Add(sum, term)
	}
	for range halved {
		sum.Mul(sum, sum)
	}
	return sum
}

// high <= e^epsilon low for the integers that are drawn from, whatever the sizes are,
// every row has one sum that 64 bits hold, and little of epsilon is lost.
func TestWeightsNeverPassEpsilon(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	accepted := 0
	for range 1500 {
		epsilon := []float64{1e-12, 1e-6, 1e-3, 1, 4, 10, 20, 28, 34, 700, 1000}[r.IntN(11)] * (0.8 + 0.4*r.Float64())
		m := []int{1, 2, 3, 10, 33254, 1e6, 1 << 31}[r.IntN(7)]
		k := []int{1, m, max(1, m-1), 1 + r.IntN(m)}[r.IntN(4)]
		c, err := NewRows("test", m, k, epsilon)
		if err != nil {
			// What the error says is possible is possible, and less than requested.
			most := math.Floor(100*math.Log((math.Ldexp(1, 50)-float64(m))/float64(k))) / 100
			if _, err := NewRows("test", m, k, most); err != nil || most >= epsilon {
				t.Errorf("epsilon %g is refused for sets of %d among %d, and %g is said to be possible (%v)", epsilon, k, m, most, err)
			}
			continue
		}
		accepted++
		high, low := new(big.Int).SetUint64(c.high), new(big.Int).SetUint64(c.low)
		limit := new(big.Float).SetPrec(1200).SetInt(low)
		limit.Mul(limit, exponential(epsilon))
		if new(big.Float).SetPrec(1200).SetInt(high).Cmp(limit) > 0 || c.low == 0 {
			t.Errorf("epsilon %g: %d/%d is more than e^epsilon", epsilon, c.high, c.low)
		}
		total := new(big.Int).Mul(high, big.NewInt(int64(k)))
		total.Add(total, new(big.Int).Mul(low, big.NewInt(int64(m-k))))
		if !total.IsUint64() || total.Uint64() != c.total || c.lift > c.total {
			t.Errorf("rows of %d among %d at epsilon %g have the sum %d, must have %v", k, m, epsilon, c.total, total)
		}
		if lost := epsilon - math.Log(float64(c.high)/float64(c.low)); lost > 3e-4 {
			t.Errorf("%g of epsilon %g is not used", lost, epsilon)
		}
	}
	if accepted < 500 {
		t.Errorf("%d configurations were looked at", accepted)
	}
}
