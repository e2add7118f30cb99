package codes

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// Bits are the signs of the exact inner products of x - mean with the directions.
func TestCodesAreSignsAroundTheMean(t *testing.T) {
	for _, bits := range []int{1, 64, 70, 256} {
		table := oracle.RandomTable(t, 53, 7)
		c, err := New(t.Context(), table, bits, 9)
		if err != nil {
			t.Fatal(err)
		}
		means := make([]*big.Rat, 7)
		for k := range means {
			means[k] = new(big.Rat)
			for y := range embedding.ID(table.Len()) {
				means[k].Add(means[k], big.NewRat(table.Steps(nil, y)[k], int64(table.Len())))
			}
		}
		src := noise.Seeded(9, stream)
		ones := 0
		for j := range bits {
			v := make([]float64, 7)
			for k := range v {
				v[k] = noise.Normal(src)
			}
			g := int8grid.Append(nil, v)
			for x := range embedding.ID(table.Len()) {
				at := new(big.Rat)
				for k, s := range table.Steps(nil, x) {
					from := new(big.Rat).Sub(new(big.Rat).SetInt64(s), means[k])
					at.Add(at, from.Mul(from, big.NewRat(int64(g[k]), 1)))
				}
				bit := c.Row(x)[j/64]>>(j%64)&1 == 1
				if want := at.Sign() >= 0; bit != want {
					t.Fatalf("bit %d of word %d is %v, want %v", j, x, bit, want)
				}
				if bit {
					ones++
				}
			}
		}
		if ones == 0 {
			t.Error("no bit is set")
		}
		if last := c.Row(3)[c.Words()-1]; bits%64 != 0 && last>>(bits%64) != 0 {
			t.Error("bits beyond the last are set")
		}
	}
}

// brute is the search by its definition, bit by bit.
func brute(c *Codes, code []uint64) (at embedding.ID, most int) {
	best := math.MaxInt
	for x := range embedding.ID(c.Len()) {
		d := 0
		for j := range c.bits {
			if code[j/64]>>(j%64)&1 != c.Row(x)[j/64]>>(j%64)&1 {
				d++
			}
		}
		if d < best {
			best, at = d, x
		}
		most = max(most, d)
	}
	return at, most
}

func TestNearestAndDiameterAreByDefinition(t *testing.T) {
	stage.Unraced(t)
	for _, bits := range []int{5, 64, 200, 256, 300} {
		table := oracle.RandomTable(t, 160, 6)
		c, err := New(t.Context(), table, bits, 1)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(bits)))
		for range 100 {
			code := make([]uint64, c.Words())
			Response{1 << 62}.Draw(code, c.Row(embedding.ID(rng.IntN(160))), bits, noise.Seeded(rng.Uint64(), 1))
			other := c.Row(7)
			one, _ := brute(c, code)
			two, _ := brute(c, other)
			if got := c.Nearest(nil, append(code, other...)); !slices.Equal(got, []embedding.ID{one, two}) {
				t.Errorf("%d bits: the nearest are %d, want %d and %d", bits, got, one, two)
			}
		}
		diameter, err := c.Diameter(t.Context())
		want := 0
		for x := range embedding.ID(160) {
			_, most := brute(c, c.Row(x))
			want = max(want, most)
			if d := c.Distance(x, 7); d != c.Distance(7, x) || d > diameter {
				t.Errorf("words %d and 7 are %d apart", x, d)
			}
		}
		if err != nil || diameter != want {
			t.Errorf("%d bits: the diameter is %d, want %d (%v)", bits, diameter, want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, oracle.RandomTable(t, 60, 3), 8, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// The chance of a flip keeps a bit's loss at epsilon or below, and uses nearly all of it.
// ln is computed with a margin that covers the library's rounding.
func TestABitLosesEpsilonAtMost(t *testing.T) {
	for epsilon := 0x1p-20; epsilon < 1e300; epsilon *= 1.37 {
		r := NewResponse(epsilon)
		kept := new(big.Float).SetInt(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), new(big.Int).SetUint64(r.flips)))
		odds, _ := new(big.Float).Quo(kept, new(big.Float).SetInt(new(big.Int).SetUint64(r.flips))).Float64()
		loss := math.Log(odds)
		if loss > epsilon*(1+1e-15) || epsilon < 40 && loss < epsilon*(1-1e-6)-1e-13 {
			t.Errorf("epsilon %g: a bit loses %.17g", epsilon, loss)
		}
		if r.Loss() < loss*(1-1e-15) || r.Loss() > loss*(1+1e-12)+1e-14 {
			t.Errorf("epsilon %g: the loss is said to be %.17g, and is %.17g", epsilon, r.Loss(), loss)
		}
	}
	if f := NewResponse(1e9).flips; f != 1 {
		t.Errorf("of the largest epsilon %d flips are left", f)
	}
}

// Four neighbouring bits take all 16 values with the chances of independent flips, at
// either end of a code; further bits stay 0. Each Pearson test fails falsely with chance
// 1e-7 (oracle.FalseFailure).
func TestBitsAreFlippedIndependently(t *testing.T) {
	const draws, n = 200_000, 68
	r := NewResponse(0.7)
	code := []uint64{0xdead_beef_dead_beef, 0xa}
	low, high := make([]int, 16), make([]int, 16)
	weights := make([]uint64, 16)
	rng, out := noise.Seeded(17, 4), make([]uint64, 2)
	for range draws {
		r.Draw(out, code, n, rng)
		low[(out[0]^code[0])>>30&15]++
		high[(out[1]^code[1])&15]++
		if out[1]>>4 != 0 {
			t.Fatal("a bit beyond the last is set")
		}
	}
	for v := range weights {
		p := 1.0
		for bit := range 4 {
			if v>>bit&1 == 1 {
				p *= r.Flip()
			} else {
				p *= 1 - r.Flip()
			}
		}
		weights[v] = uint64(p * 0x1p50)
	}
	for where, counts := range map[string][]int{"in the middle": low, "at the end": high} {
		if oracle.ChiSquare(counts, weights, draws) < oracle.FalseFailure {
			t.Errorf("flips %s: %v", where, counts)
		}
	}
}
