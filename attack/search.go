package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// A search looks at epsilons in hundredths, from 0.05 to 24: at the smallest, and then at
// 12 at most, each of which halves the range.
const (
	LeastEpsilon = 0.05
	MostEpsilon  = 24
	looks        = 13
)

// Found is the result of a search for the largest epsilon at a risk.
type Found struct {
	// Epsilon is the largest epsilon found at which the risk is at most the target, or
	// the smallest epsilon if there is none.
	Epsilon float64
	Share   *Share // the risk that was measured there
	// AtMost is the upper bound on the risk at Epsilon that Share gives for the error that
	// each look is allowed: a thirteenth of 1 - Confidence. It decides the look. The search
	// chooses Epsilon by the sample, so Confidence holds of the target and not of AtMost.
	AtMost float64
	// Least is the bound that the sample would give without any success. A target below it
	// needs a larger sample, and TooSmall reports that.
	Least    float64
	TooSmall bool
	// Reached reports whether AtMost is at most the target. With probability Confidence,
	// over samples, a search reaches no epsilon whose risk is above the target.
	Reached bool
	// Looks is the number of epsilons at which the risk was measured.
	Looks int
}

// Search finds the largest epsilon of at least least at which a risk is at most a target,
// by bisection. measure returns the risk at an epsilon: the share of attacks that
// succeed. If it draws from the same seed at each, differences are those of epsilon.
//
// The true risk must not fall where epsilon grows: Confidence relies on it. The looks
// that can be wrong are then those above the largest epsilon that meets the target, and
// up to the first wrong one the target alone decides which these are. Each is wrong with
// a thirteenth of 1 - Confidence. An epsilon that measure refuses with a
// [privacy.ParameterError] counts as too large.
func Search(ctx context.Context, least, target float64, measure func(ctx context.Context, epsilon float64) (*Share, error)) (Found, error) {
	if !(target > 0 && target < 1) {
		return Found{}, privacy.Bad("attack", "target", target, "a share above 0 and below 1")
	}
	if !(least >= LeastEpsilon && least <= MostEpsilon) {
		return Found{}, privacy.Bad("attack", "epsilon", least, "in [0.05, 24]")
	}
	measured := 0
	at := func(hundredths int) (Found, error) {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		f := Found{Epsilon: float64(hundredths) / 100}
		var err error
		if f.Share, err = measure(ctx, f.Epsilon); err != nil {
			return f, err
		}
		if f.Share == nil {
			return f, errors.New("attack: the sample has nothing that the target is about")
		}
		measured++
		f.AtMost = f.Share.AtMost((1 - Confidence) / looks)
		f.Least = f.Share.least((1 - Confidence) / looks)
		f.Reached = f.AtMost <= target
		f.TooSmall = f.Least > target
		return f, nil
	}
	low, high := int(math.Ceil(least*100-1e-9)), int(100*MostEpsilon)+1
	best, err := at(low)
	for err == nil && best.Reached && high-low > 1 {
		mid := (low + high) / 2
		f, failed := at(mid)
		var refused *privacy.ParameterError
		switch {
		case errors.As(failed, &refused) && refused.Name == "epsilon":
			high = mid
		case failed != nil:
			return Found{}, failed
		case f.Reached:
			low, best = mid, f
		default:
			high = mid
		}
	}
	best.Looks = measured
	return best, err
}

// String says whether the target is met, and by what. It gives the bound no confidence:
// Confidence is that of the search and its target. Of the bound at the epsilon that a
// search chose, nothing is proved.
func (f Found) String() string {
	measured := fmt.Sprintf("%.4g measured, %.4g the bound that is compared with the target", f.Share.Share, f.AtMost)
	switch {
	case f.TooSmall:
		return fmt.Sprintf("not reached: the sample is too small for a bound below %.4g; at epsilon %g it is %s", f.Least, f.Epsilon, measured)
	case !f.Reached:
		return fmt.Sprintf("not reached: at epsilon %g it is %s", f.Epsilon, measured)
	case f.Epsilon == MostEpsilon:
		return fmt.Sprintf("reached at the largest epsilon searched, %g: %s", f.Epsilon, measured)
	}
	return "reached: " + measured
}
