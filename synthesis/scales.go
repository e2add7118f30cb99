package synthesis

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// part of epsilon, one in this many, that pays for the count and for the far share each.
const partOfEpsilon = 32

// Epsilons are the parts of epsilon that a release spends, which add up to it.
type Epsilons struct {
	Histogram float64 `json:"histogram"`
	Far       float64 `json:"far"`
	Count     float64 `json:"count"` // 0 if the caller states how many records to expect
}

// scales is the noise of the three queries. Discrete Laplace noise of a query has the
// rate num/den: a count that changes by 1 loses exactly that. Together, times the
// votes of a user, they are at most epsilon, in exact arithmetic.
type scales struct {
	den                   uint64
	histogram, far, count uint64
	votes                 int    // of one unit, at most
	variance              uint64 // of discrete Gaussian noise on the histogram; 0 for Laplace
	epsilons              Epsilons
}

// scales divides epsilon.
func (o *Options) scales() scales {
	s := scales{votes: max(1, o.PerUser)}
	each := new(big.Rat).SetFloat64(o.Epsilon)
	each.Quo(each, new(big.Rat).SetInt64(int64(s.votes)))
	approximately, _ := each.Float64()
	_, exponent := math.Frexp(approximately)
	bits := min(max(40-exponent, 1), 50)
	s.den = 1 << bits
	whole := new(big.Int).Mul(each.Num(), new(big.Int).SetUint64(s.den))
	whole.Quo(whole, each.Denom()) // rounds down
	const most = 1 << 55           // noise of this rate is 0
	all := uint64(most)
	if whole.IsUint64() {
		all = min(all, whole.Uint64())
	}
	s.far = all / partOfEpsilon
	if o.Expect == 0 {
		s.count = all / partOfEpsilon
	}
	s.histogram = all - s.far - s.count
	s.epsilons = Epsilons{s.epsilon(s.histogram), s.epsilon(s.far), s.epsilon(s.count)}
	if o.Delta == 0 || o.PerUser == 0 { // one vote: Laplace noise is not larger at a delta that protects
		return s
	}
	variance := gaussianVariance(s.epsilons.Histogram, o.Delta, s.votes)
	if variance > 0 && float64(variance) < laplaceVariance(s.rate(s.histogram)) {
		s.variance = variance
	}
	return s
}

// rate returns num/den.
func (s *scales) rate(num uint64) float64 { return float64(num) / float64(s.den) }

// epsilon returns the loss of a unit in a query with Laplace noise.
func (s *scales) epsilon(num uint64) float64 {
	exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(s.den))
	f, _ := exact.Mul(exact, new(big.Rat).SetInt64(int64(s.votes))).Float64()
	return f
}

// perVote is the rate of Laplace noise as large as that of the histogram.
func (s *scales) perVote() float64 {
	if s.variance > 0 {
		return math.Sqrt(2 / float64(s.variance))
	}
	return s.rate(s.histogram + s.far + s.count)
}

// laplaceVariance is the variance of discrete Laplace noise.
func laplaceVariance(rate float64) float64 {
	r := math.Exp(-rate)
	return 2 * r / ((1 - r) * (1 - r))
}

// drawn is the noise of one count of each query: its digits, computed once for a plan, are
// what makes a release take time.
type drawn struct {
	cell       interface{ Draw(src rand.Source) int64 }
	far, count *noise.Laplace // count is nil where nothing is counted
}

func (s *scales) drawn() (d drawn) {
	d.far = noise.NewLaplace(s.far, s.den)
	if s.count > 0 {
		d.count = noise.NewLaplace(s.count, s.den)
	}
	if s.variance > 0 {
		d.cell = noise.NewGaussian(s.variance)
	} else {
		d.cell = noise.NewLaplace(s.histogram, s.den)
	}
	return d
}

// mostVariance bounds the discrete Gaussian noise that is tried.
const mostVariance = 1 << 60

// mostConvolved bounds variance times votes where losses are convolved, which then takes
// milliseconds.
const mostConvolved = 1 << 26

// gaussianVariance returns the parameter sigma^2, a whole number, at which discrete
// Gaussian noise on every cell is (epsilon, delta)-private for one who votes in at most
// this many cells, once in each; 0 where it is more than mostVariance.
//
// The loss is the sum of those of the cells. Its bound is that of concentrated privacy or,
// for moderate figures, the convolution of their exact distributions, which is smaller.
// A user of fewer votes has the sum of fewer of the same terms, a post-processing.
func gaussianVariance(epsilon, delta float64, votes int) uint64 {
	holds := func(variance uint64) bool { return gaussianHolds(variance, votes, epsilon, delta) }
	low, high := uint64(0), uint64(1)
	for !holds(high) {
		if low, high = high, 2*high; high > mostVariance {
			return 0
		}
	}
	for high-low > 1+low/4096 {
		mid := low + (high-low)/2
		if holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// gaussianHolds reports whether noise of this variance is (epsilon, delta)-private.
func gaussianHolds(variance uint64, votes int, epsilon, delta float64) bool {
	if accountant.ConcentratedDelta(float64(votes)/(2*float64(variance))*(1+0x1p-50), epsilon) <= delta {
		return true
	}
	if variance > accountant.MaxExactVariance || variance*uint64(votes) > mostConvolved {
		return false
	}
	losses, err := accountant.DiscreteGaussian(variance)
	if err != nil {
		return false
	}
	// The grid of losses is rounded: an epsilon smaller by far more than that.
	at, err := losses.Delta(votes, epsilon*(1-0x1p-30))
	return err == nil && at <= delta // an error says that the sum is too wide
}
