package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// A search measures at epsilons in hundredths, from 0.05 to 24: first at the smallest, and
// then at up to 12 others, each of which halves the range.
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
	// AtMost is the upper bound on the risk at Epsilon, computed from Share with the error
	// probability of one look: (1 - Confidence)/13. The search compares it with the target.
	// The search chooses Epsilon by the sample, so Confidence applies to the target and not
	// to AtMost.
	AtMost float64
	// Least is the upper bound that a sample of this size gives if no attack succeeds. A
	// target below it needs a larger sample, and TooSmall reports that.
	Least    float64
	TooSmall bool
	// Reached reports whether AtMost is at most the target. With probability Confidence,
	// over samples, a search reaches no epsilon whose risk is above the target.
	Reached bool
	// Looks is the number of epsilons at which the risk was measured.
	Looks int
}

// Search finds the largest epsilon, at least the given least one, at which a risk is at
// most a target, by bisection. measure returns the risk at an epsilon: the share of attacks
// that succeed. It should draw from the same seed at every epsilon, so that only epsilon
// causes differences.
//
// Confidence assumes that the true risk does not decrease as epsilon grows. Then only looks
// above the largest epsilon that meets the target can be wrong. Until the first wrong look,
// the target alone decides which epsilons these are. Each look is wrong with probability at
// most (1 - Confidence)/13. An epsilon that measure refuses with a [privacy.ParameterError]
// counts as too large.
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
			return f, errors.New("attack: the sample has nothing to measure for the target")
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

// String states whether the target is met, with the measured figures. It states no
// confidence for the bound, because Confidence applies to the search and its target.
// Nothing is proved about the bound at the epsilon that a search chose.
func (f Found) String() string {
	measured := fmt.Sprintf("%.4g measured, upper bound %.4g", f.Share.Share, f.AtMost)
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
