package synthesis

import (
	"math"

	"github.com/sotto-dp/sotto/internal/ternary"
)

// Confidence is a lower bound on the confidence of every interval in a statement.
const Confidence = 0.95

// miss bounds the chance that one of two sides of an interval misses, of this many
// intervals that hold together.
func miss(together int) float64 { return (1 - Confidence) / 2 / float64(together) }

// laplaceTail returns the least width that the sum of this many independent numbers of
// discrete Laplace noise exceeds with chance alpha at most: exactly for one, by Chernoff's
// bound for several.
func laplaceTail(rate float64, terms int, alpha float64) float64 {
	if terms == 1 {
		// P(X >= t) = r^t/(1+r) for r = e^-rate; P(X > w) = P(X >= w+1).
		t := math.Ceil((math.Log(1/alpha) - math.Log1p(math.Exp(-rate))) / rate)
		return max(0, t-1)
	}
	// E e^(lX) = (1-r)^2/((1 - r e^l)(1 - r e^-l)), for l below the rate.
	bound := func(l float64) float64 {
		log := float64(2*math.Log(-math.Expm1(-rate))) - math.Log(-math.Expm1(l-rate)) - math.Log(-math.Expm1(-l-rate))
		return (float64(float64(terms)*log) + math.Log(1/alpha)) / l
	}
	return math.Ceil(bound(ternary.Least(rate*1e-9, rate*(1-1e-9), bound)))
}

// gaussianTail is the same for discrete Gaussian noise, which is sub-Gaussian with its
// parameter (Canonne, Kamath and Steinke 2020, Corollary 17).
func gaussianTail(variance float64, terms int, alpha float64) float64 {
	return math.Ceil(math.Sqrt(2 * variance * float64(terms) * math.Log(1/alpha)))
}

// Counted is what the histogram of a release counts. The other queries, Count and FarShare,
// always count records.
type Counted string

// The values of Counted.
const (
	// Records: each record that counts, in its cell.
	Records Counted = "records"
	// UserCells: each distinct pair of a user and a cell. Under Gaussian noise the records
	// of a user count once for a cell, however many are in it. So a sum of such counts, and
	// its interval, can be far below the number of records.
	UserCells Counted = "user-cells"
)

// String returns what is counted in words.
func (c Counted) String() string {
	if c == UserCells {
		return "distinct pairs of a user and a cell, not of records"
	}
	return "records"
}

// counted returns what the histogram counts: what vote does.
func (s *scales) counted() Counted {
	if s.variance > 0 {
		return UserCells
	}
	return Records
}

// Interval is the noisy count of some cells, of what Statement.Counted says, and an interval
// that contains the exact count with probability at least Confidence.
type Interval struct {
	Count int64 `json:"count"`
	Low   int64 `json:"low"`
	High  int64 `json:"high"`
}

// interval returns that of the sum of this many cells of the histogram.
func (s *scales) interval(count int64, cells int) Interval {
	if s.variance > 0 {
		return bounded(count, gaussianTail(float64(s.variance), cells, miss(1)))
	}
	return bounded(count, laplaceTail(s.rate(s.histogram), cells, miss(1)))
}

// LabelShare is the share of one combination of labels, or of Other, among all that was
// counted, and an interval. The intervals of a statement hold simultaneously.
type LabelShare struct {
	Labels []string `json:"labels"` // nil for Other
	Share  float64  `json:"share"`
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
}

// LabelShares returns the share of each combination of labels, and that of Other last. They
// follow from the noisy counts alone.
func (s *Statement) LabelShares() []LabelShare {
	n, together := s.scales(), miss(len(s.Labels)+1)
	width := func(cells int) float64 {
		if n.variance > 0 {
			return gaussianTail(float64(n.variance), cells, together)
		}
		return laplaceTail(n.rate(n.histogram), cells, together)
	}
	counts := make([]Interval, 0, len(s.Labels)+1)
	all := Interval{}
	for i := range len(s.Labels) + 1 {
		noisy, cells := s.Other.Count, 1
		if i < len(s.Labels) {
			noisy, cells = s.Labels[i].Count, s.Clusters
		}
		one := bounded(noisy, width(cells))
		one.Count = max(0, one.Count)
		counts = append(counts, one)
		all = Interval{all.Count + one.Count, all.Low + one.Low, all.High + one.High}
	}
	shares := make([]LabelShare, len(counts))
	part := func(one, rest int64, none float64) float64 {
		if one+rest == 0 {
			return none
		}
		return float64(one) / float64(one+rest)
	}
	for i, c := range counts {
		shares[i] = LabelShare{Share: part(c.Count, all.Count-c.Count, 0), Low: part(c.Low, all.High-c.High, 0), High: part(c.High, all.Low-c.Low, 1)}
		if i < len(s.Labels) {
			shares[i].Labels = s.Labels[i].Labels
		}
	}
	return shares
}

// scales returns the noise that the claim and the options ask for. The variance of
// Gaussian noise is the statement's.
func (s *Statement) scales() scales {
	o := Options{Epsilon: s.Claim.Epsilon}
	if s.PerUser != nil {
		o.PerUser = *s.PerUser
	}
	if s.Expected != nil {
		o.Expect = *s.Expected
	}
	n := o.scales()
	if s.Noise.Histogram == gaussianNoise {
		if variance := math.Round(s.Noise.Scale * s.Noise.Scale); variance >= 1 && variance <= mostVariance {
			n.variance = uint64(variance)
		}
	}
	return n
}

// countInterval returns that of the noisy number of records.
func (s *scales) countInterval(count int64) Interval {
	return bounded(count, laplaceTail(s.rate(s.count), 1, miss(1)))
}

func bounded(count int64, width float64) Interval {
	w := int64(min(width, 1<<60))
	return Interval{Count: count, Low: max(0, count-w), High: max(0, count+w)}
}

// Share is an interval for the share of far records among those with a vector, and the
// noisy counts from which it follows, whose intervals hold simultaneously. Its confidence
// is at least Confidence.
type Share struct {
	Near Interval `json:"near"`
	Far  Interval `json:"far"`
	Low  float64  `json:"low"`
	High float64  `json:"high"`
}

// share returns the share of far records.
func (s *scales) share(near, far int64) Share {
	width := laplaceTail(s.rate(s.far), 1, miss(2))
	share := Share{Near: bounded(near, width), Far: bounded(far, width), Low: 0, High: 1}
	if all := float64(share.Far.Low) + float64(share.Near.High); all > 0 {
		share.Low = float64(share.Far.Low) / all
	}
	if all := float64(share.Far.High) + float64(share.Near.Low); all > 0 {
		share.High = float64(share.Far.High) / all
	}
	return share
}
