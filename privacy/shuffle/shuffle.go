// Package shuffle bounds the privacy loss of a shuffled file. Each of n records is
// released once by the same pure mechanism with a local epsilon, and only the
// releases are written, in random order. To a reader of that file alone the n
// records together have (epsilon, delta)-differential privacy with a smaller,
// central epsilon. Neighbouring files differ in one record (replaced); n is public.
//
// Four sound bounds are computed, and the smallest is returned:
//
//   - local: the mechanism's own guarantee.
//   - closed-form: Feldman, McMillan, Talwar 2021, Theorem 3.1.
//   - clones: their Theorem 3.2, computed numerically.
//   - blanket: Balle, Bell, Gascón, Nissim 2019, Lemma 5.3, for the channel that
//     draws from a set of k of M public texts. It needs k and M.
//
// NOTE.md has the assumptions and the proofs. Every figure is rounded outward.
package shuffle

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Method names the bound behind a figure.
type Method string

// The methods.
const (
	Local      Method = "local"
	ClosedForm Method = "closed-form"
	Clones     Method = "clones"
	Blanket    Method = "blanket"
)

// Bound is a central guarantee: (Epsilon, Delta) for replacing one record.
type Bound struct {
	Epsilon, Delta float64
	Method         Method
}

// Release describes a shuffled file: Records releases of one mechanism that is
// Epsilon-differentially private for each record.
type Release struct {
	Records int
	Epsilon float64
	// Texts and Neighbours, if not 0, mean that the mechanism draws a member of a set with
	// weight e^Epsilon and any other text with weight 1. A set has exactly Neighbours of
	// the Texts texts of one public codebook.
	Texts, Neighbours int
}

// mostRecords limits the work. A shuffle of more records is at least as private:
// it can be made from a shuffle of mostRecords of them and the others in the clear.
const mostRecords = 1 << 28

// mostEpsilon is where amplification ends: e^-mostEpsilon of mostRecords records is
// less than one in a billion. Above it, only the local bound is used.
const mostEpsilon = 50

func (r Release) check() error {
	if r.Records < 1 {
		return privacy.Bad("shuffle", "records", r.Records, "at least 1")
	}
	if err := privacy.CheckEpsilon("shuffle", r.Epsilon); err != nil {
		return err
	}
	if r.Texts == 0 && r.Neighbours == 0 {
		return nil
	}
	if r.Texts < 2 || r.Texts > math.MaxInt32 {
		return privacy.Bad("shuffle", "texts", r.Texts, "from 2 to 2147483647")
	}
	if r.Neighbours < 1 || r.Neighbours >= r.Texts {
		return privacy.Bad("shuffle", "neighbours", r.Neighbours, "at least 1 and below texts")
	}
	return nil
}

// DefaultDelta returns n^-1.5, rounded down: well below the chance 1/n of a
// mechanism that publishes one record as it is.
func DefaultDelta(records int) float64 {
	return math.Pow(float64(records), -1.5) * (1 - 0x1p-40)
}

// AtDelta bounds the central epsilon at delta.
func (r Release) AtDelta(delta float64) (Bound, error) {
	if err := r.check(); err != nil {
		return Bound{}, err
	}
	if err := privacy.CheckDelta("shuffle", delta); err != nil {
		return Bound{}, err
	}
	best := Bound{r.Epsilon, 0, Local}
	if e, ok := closedForm(r.Records, r.Epsilon, delta); ok && e < best.Epsilon {
		best = Bound{e, delta, ClosedForm}
	}
	for _, c := range r.curves(delta) {
		if e, ok := leastEpsilon(c.delta, best.Epsilon, delta); ok {
			best = Bound{e, delta, c.method}
		}
	}
	return best, nil
}

// AtEpsilon bounds the central delta at epsilon.
func (r Release) AtEpsilon(epsilon float64) (Bound, error) {
	if err := r.check(); err != nil {
		return Bound{}, err
	}
	if !(epsilon >= 0) || math.IsInf(epsilon, 1) {
		return Bound{}, privacy.Bad("shuffle", "epsilon", epsilon, "0 or more and finite")
	}
	best := Bound{epsilon, localDelta(r.Epsilon, epsilon), Local}
	if best.Delta == 0 {
		return best, nil
	}
	for _, c := range r.curves(0) {
		if delta := c.delta(epsilon); delta < best.Delta {
			best = Bound{epsilon, delta, c.method}
		}
	}
	return best, nil
}

// curve is a bound on delta that decreases in epsilon.
type curve struct {
	method Method
	delta  func(epsilon float64) float64
}

// curves returns the computed bounds. Values whose chance is far below delta are
// taken together: their whole chance is added to the bound.
func (r Release) curves(delta float64) []curve {
	if r.Epsilon > mostEpsilon {
		return nil
	}
	tail := max(delta*1e-8, 1e-40)
	n := min(r.Records, mostRecords)
	var curves []curve
	if r.Texts > 0 {
		curves = append(curves, curve{Blanket, newBlanket(n, r.Epsilon, r.Texts, r.Neighbours, tail).delta})
	}
	return append(curves, curve{Clones, newClones(n, r.Epsilon, tail).delta})
}

// localDelta returns the delta at epsilon of any local-DP mechanism without shuffling,
// which randomised response has: (e^local - e^epsilon)/(e^local + 1).
func localDelta(local, epsilon float64) float64 {
	if epsilon >= local {
		return 0
	}
	return min(1, -math.Expm1(epsilon-local)/(1+math.Exp(-local))*(1+0x1p-48))
}

// closedForm returns the bound of Theorem 3.1 of Feldman, McMillan, Talwar 2021,
// rounded up; false where its condition on local fails.
func closedForm(n int, local, delta float64) (float64, bool) {
	records := float64(n)
	if !(local <= math.Log(records/(16*math.Log(2/delta)))*(1-0x1p-44)) {
		return 0, false
	}
	spread := 8*math.Sqrt(math.Exp(local)*math.Log(4/delta)/records) + 8*math.Exp(local)/records
	return math.Log1p(math.Tanh(local/2)*spread) * (1 + 0x1p-44), true
}

// leastEpsilon searches for the least epsilon below limit at which a decreasing
// curve is at most delta. The result satisfies this, and exceeds the least by at
// most 1e-6 of it. It returns false if nothing below limit is found.
func leastEpsilon(curve func(float64) float64, limit, delta float64) (float64, bool) {
	// On a logarithmic scale a curve is nearly straight; chords converge quickly, and
	// the middle is taken after each chord so that the bracket also halves.
	gap := func(e float64) float64 { return math.Log(max(curve(e), 1e-300) / delta) }
	low, high := limit, limit
	above := gap(low)
	below := above
	if below > 0 {
		return 0, false
	}
	for above <= 0 { // near 0 a curve takes longest
		high, below = low, above
		if low /= 4; low < limit*0x1p-40 {
			low = 0
		}
		if above = gap(low); low == 0 && above <= 0 {
			return 0, limit > 0
		}
	}
	for step := 0; high-low > 1e-6*high && step < 200; step++ {
		at := low + (high-low)/2
		if step%2 == 0 && above > below {
			chord := low + (high-low)*above/(above-below)
			at = min(max(chord, low+(high-low)*0.01), high-(high-low)*0.01)
		}
		if g := gap(at); g > 0 {
			low, above = at, g
		} else {
			high, below = at, g
		}
	}
	return high, high < limit
}
