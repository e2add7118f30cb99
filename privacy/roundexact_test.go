package privacy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// losses are edges and random numbers of all sizes.
func losses(n int) []float64 {
	all := []float64{MinEpsilon, math.Nextafter(MinEpsilon, 0), 1, math.Nextafter(1, 0), math.Nextafter(1, 2), 745, 1e300, math.MaxFloat64 / 4, 0x1p-1000, 0.1, 0.3, 9.9999995, 99999.95, 999999.5}
	rng := rand.New(rand.NewPCG(5, 6))
	for range n {
		all = append(all, math.Ldexp(1+rng.Float64(), rng.IntN(1200)-600), rng.Float64()*40, math.Round(rng.Float64()*1e6)/1e4)
	}
	return all
}

func exactly(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// What is printed is never below the loss by more than the part in 10^9 that is documented,
// and above it by one unit of its last digit at most.
func TestPrintedBoundsAreNotBelowTheExactOnes(t *testing.T) {
	for _, x := range losses(5000) {
		for digits := 1; digits <= 8; digits++ {
			text := Above(x, digits)
			printed, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%v in %d digits is %q", x, digits, text)
			}
			least := new(big.Rat).Mul(exactly(x), new(big.Rat).Sub(big.NewRat(1, 1), big.NewRat(11, 10_000_000_000)))
			most := new(big.Rat).Mul(exactly(x), new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(1001, 1000*pow10(digits-1))))
			if printed.Cmp(least) < 0 || printed.Cmp(most) > 0 {
				t.Errorf("%v in %d digits is %s", x, digits, text)
			}
		}
	}
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// A sum is never below the exact one, and one place of its last digit above it at most, for
// every number of losses that there is; above 2^53 two places.
func TestSumsAreRoundedUpExactly(t *testing.T) {
	for i, x := range losses(2000) {
		for _, n := range []int{0, 1, 2, 3, 1000 + i, 1<<31 - 1, 1<<53 - 1, 1<<53 + 1, 1<<60 + 1, math.MaxInt64} {
			sum := Times(x, n)
			exact := new(big.Rat).Mul(exactly(x), new(big.Rat).SetInt64(int64(n)))
			if math.IsInf(sum, 1) {
				if exact.Cmp(exactly(math.MaxFloat64)) <= 0 && exact.Cmp(exactly(math.MaxFloat64/2)) < 0 {
					t.Errorf("%d times %v is infinite", n, x)
				}
				continue
			}
			below := math.Nextafter(sum, 0)
			if n > 1<<53 {
				below = math.Nextafter(below, 0)
			}
			if exact.Cmp(exactly(sum)) > 0 || n > 0 && exact.Cmp(exactly(below)) <= 0 {
				t.Errorf("%d times %v is %v", n, x, sum)
			}
		}
	}
}
