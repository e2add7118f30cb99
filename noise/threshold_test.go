package noise

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/exactlog"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
)

// rates are exponents of thresholds.
var rates = []*big.Rat{
	big.NewRat(1, 1<<50), big.NewRat(3, 1<<20), big.NewRat(1, 50), big.NewRat(3, 10), big.NewRat(1, 1), big.NewRat(7, 2), big.NewRat(1000, 37), big.NewRat(88, 1),
}

// The digits of each probability are compared with bounds of logarithms that share no code:
// d/2^n <= p < (d + 1)/2^n, where x is ln(1/p), or ln((1 - p)/p).
func TestThresholdsAreThoseOfTheirProbabilities(t *testing.T) {
	for _, length := range []uint{8, 128, 160} {
		all := new(big.Int).Lsh(big.NewInt(1), length)
		for _, x := range rates {
			for _, odd := range []bool{false, true} {
				low := digits(x, odd, length)
				high := new(big.Int).Add(low, big.NewInt(1))
				exponent := func(d *big.Int) (below, above *big.Rat) {
					from := all
					if odd {
						from = new(big.Int).Sub(all, d)
					}
					return exactlog.Of(from, d)
				}
				if low.Sign() > 0 {
					if below, _ := exponent(low); below.Cmp(x) < 0 {
						t.Errorf("%v, %v, %d bits: %v is above the probability", x, odd, length, low)
					}
				}
				if odd && 2*high.BitLen() > 2*int(length) || high.Cmp(all) >= 0 || odd && new(big.Int).Lsh(high, 1).Cmp(all) > 0 {
					continue // the next number is no probability of this kind
				}
				if _, above := exponent(high); above.Cmp(x) > 0 {
					t.Errorf("%v, %v, %d bits: %v is more than one below the probability", x, odd, length, low)
				}
			}
		}
	}
}

// tape is a source of given words.
type tape struct {
	words []uint64
	read  int
}

func (s *tape) Uint64() uint64 {
	s.read++
	return s.words[s.read-1]
}

// Where all bits are those of the probability, the next ones decide.
func TestEqualDigitsAreDrawnFurther(t *testing.T) {
	for _, x := range rates {
		for _, odd := range []bool{false, true} {
			event := newThreshold(x, odd)
			d := digits(x, odd, 256)
			word := func(i uint) uint64 { return lowest(new(big.Int).Rsh(d, 64*(3-i))) }
			for equal := uint(2); equal < 4; equal++ {
				for i, end := range []uint64{word(equal) - 1, word(equal) + 1} {
					s := &tape{}
					for j := range equal {
						s.words = append(s.words, word(j))
					}
					s.words = append(s.words, end)
					if word(equal) == 0 || word(equal) == 1<<64-1 {
						continue
					}
					if got := event.draw(s); got != uint64(1-i) || s.read != int(equal)+1 {
						t.Errorf("%v, %v, %d equal words: %d after %d words", x, odd, equal, got, s.read)
					}
				}
			}
		}
	}
}

// The digits of a geometric number are 1 with the odds r^(2^i), and their number suffices.
func TestDigitsOfGeometricNumbers(t *testing.T) {
	for _, c := range []struct{ num, den uint64 }{{1, 1}, {1, 50}, {3 << 50, 10 << 50}, {1 << 55, 1}, {1, 1 << 56}, {5, 1 << 40}} {
		l := NewLaplace(c.num, c.den)
		x := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.num), new(big.Int).SetUint64(c.den))
		for i := range l.digits {
			if want := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(i)))); !l.digits[i].odd || l.digits[i].x.Cmp(want) != 0 {
				t.Errorf("%d/%d: digit %d has the odds of e^-%v, want e^-%v", c.num, c.den, i, l.digits[i].x, want)
			}
		}
		more := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(len(l.digits)))))
		if l.more.odd || l.more.x.Cmp(more) != 0 || l.more.high|l.more.low != 0 {
			t.Errorf("%d/%d: more than %d digits have the chance e^-%v", c.num, c.den, len(l.digits), l.more.x)
		}
	}
}

// counted counts the words of a source.
type counted struct {
	rand.Source
	words int
}

func (s *counted) Uint64() uint64 {
	s.words++
	return s.Source.Uint64()
}

// Every draw of Laplace noise reads the same number of words, and every attempt at Gaussian
// noise. The chance of another number is below 2^-100.
func TestNoiseTakesTheSameTimeWhateverItIs(t *testing.T) {
	stage.Unraced(t)
	src := &counted{Source: Seeded(testseed.Of(t, 17), 1)}
	for _, c := range []struct{ num, den uint64 }{{1, 1}, {1, 50}, {7, 2}, {1, 1 << 40}} {
		l := NewLaplace(c.num, c.den)
		for range 20_000 {
			src.words = 0
			if k := l.Draw(src); src.words != l.Words() {
				t.Fatalf("%d/%d: %d took %d words, want %d", c.num, c.den, k, src.words, l.Words())
			}
		}
	}
	for _, variance := range []uint64{1, 90, 20_000, 1 << 60} {
		g := NewGaussian(variance)
		attempt := g.proposal.Words() + 2*len(g.events) + 2
		for range 3000 {
			src.words = 0
			if k := g.Draw(src); src.words%attempt != 0 {
				t.Fatalf("variance %d: %d took %d words, in attempts of %d", variance, k, src.words, attempt)
			}
		}
	}
}

// What the digits of g are taken from, without branches, is g.
func TestKeptProposalsHaveTheirChance(t *testing.T) {
	for _, variance := range []uint64{1, 2, 90, 20_000, 123456789, 1 << 60} {
		g := NewGaussian(variance)
		for _, size := range []uint64{0, 1, 2, g.t, 2 * g.t, 2*g.t + 1, 200 * g.t} {
			got := new(big.Rat).SetFrac(new(big.Int).Lsh(whole(g.above(size)), top), whole(g.below))
			if want := g.exponent(size); got.Cmp(want) != 0 || got.Cmp(new(big.Rat).SetInt64(2<<top)) >= 0 {
				t.Errorf("variance %d, %d: e^-%v, want e^-%v", variance, size, got, want)
			}
		}
	}
}
