package sets

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/exactlog"
	"github.com/sotto-dp/sotto/internal/stage"
)

// pureUlps is how far above the exact loss the largest loss that is stated may be, in units
// of its last place: 10^-14 of it, and the error of a logarithm.
const pureUlps = 96

// The exact loss of two rows is ln(high/low). What is stated as not exceeded is never below
// it, what is stated as attained never above it, and the claim is not exceeded: compared
// with exact arithmetic, for all sizes of epsilon that there are.
func TestPureLossIsRoundedOutward(t *testing.T) {
	stage.Unraced(t)
	rng := rand.New(rand.NewPCG(1, 2))
	epsilons := []float64{0x1p-20, math.Nextafter(0x1p-20, 1), 1e-5, 1e-3, 0.1, math.Ln2, math.Nextafter(math.Ln2, 0), math.Nextafter(math.Ln2, 1), 1, 2, 5, 10, 20, 30, 34}
	for range 300 {
		epsilons = append(epsilons, math.Exp(rng.Float64()*(math.Log(34)+20*math.Ln2)-20*math.Ln2))
	}
	opened := 0
	for _, epsilon := range epsilons {
		for _, size := range [][2]int{{1, 1}, {2, 1}, {300, 300}, {30_000, 17}, {1 << 20, 1}, {1 << 30, 1 << 29}} {
			rows, err := NewRows("test", size[0], size[1], epsilon)
			if err != nil {
				continue
			}
			opened++
			claimed := new(big.Rat).SetFloat64(epsilon)
			checkPure(t, &rows, claimed)
		}
	}
	// Weights that no constructor makes: neighbours of powers of two, the largest, equal ones.
	for _, w := range [][2]uint64{{1, 1}, {2, 1}, {1<<62 - 1, 1}, {1 << 62, 1 << 12}, {1<<12 + 1, 1 << 12}, {1<<32 + 1, 1 << 32}, {1<<53 + 1, 1 << 12}, {1<<54 + 3, 1 << 32}} {
		checkPure(t, &Rows{epsilon: math.Inf(1), high: w[0], low: w[1]}, nil)
	}
	if opened < 1000 {
		t.Errorf("%d rows", opened)
	}
}

func checkPure(t *testing.T, rows *Rows, claimed *big.Rat) {
	t.Helper()
	below, above := exactlog.Of(new(big.Int).SetUint64(rows.high), new(big.Int).SetUint64(rows.low))
	if rows.high == rows.low {
		above.SetInt64(0)
	}
	attained, most := rows.Pure()
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	ulps := func(x float64) *big.Rat { return exact(pureUlps * (math.Nextafter(x, math.Inf(1)) - x)) }
	switch {
	case claimed != nil && above.Cmp(claimed) > 0:
		t.Errorf("epsilon %v: weights %d and %d lose more", rows.epsilon, rows.high, rows.low)
	case exact(most).Cmp(above) < 0:
		t.Errorf("epsilon %v: weights %d and %d lose more than %v", rows.epsilon, rows.high, rows.low, most)
	case exact(attained).Cmp(below) > 0:
		t.Errorf("epsilon %v: weights %d and %d do not lose %v", rows.epsilon, rows.high, rows.low, attained)
	case most > 0 && exact(most).Cmp(new(big.Rat).Add(above, ulps(most))) > 0:
		t.Errorf("epsilon %v: weights %d and %d lose less than %v", rows.epsilon, rows.high, rows.low, most)
	case attained > 0 && exact(attained).Cmp(new(big.Rat).Sub(below, ulps(attained))) < 0:
		t.Errorf("epsilon %v: weights %d and %d lose more than %v", rows.epsilon, rows.high, rows.low, attained)
	}
}
