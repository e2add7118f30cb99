package attack_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/privacy"
)

// risk is a share of 30,000 attacks that grows by a thirtieth per epsilon.
func risk(_ context.Context, epsilon float64) (*attack.Share, error) {
	return attack.Exact(int(math.Round(1000*epsilon)), 10000*3), nil
}

func TestSearchFindsTheLargestEpsilonWhoseBoundMeetsTheTarget(t *testing.T) {
	found, err := attack.Search(t.Context(), attack.LeastEpsilon, 0.2, risk)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Reached || found.AtMost > 0.2 || found.Share.Share > found.AtMost || found.Share.Share < 0.18 {
		t.Errorf("%+v with %+v", found, *found.Share)
	}
	next, _ := risk(t.Context(), found.Epsilon+0.01)
	if bound := next.AtMost(0.05 / 13); bound <= 0.2 {
		t.Errorf("at %g the bound is %g, and at the next hundredth %g, which meets the target too", found.Epsilon, found.AtMost, bound)
	}
	// The bound holds for all epsilons that were looked at together, and so is above that
	// of one interval.
	if found.AtMost <= found.Share.AtMost(0.05) || found.Looks > 13 || found.Looks < 10 {
		t.Errorf("a bound of %g after %d looks, against %g for one alone", found.AtMost, found.Looks, found.Share.AtMost(0.05))
	}
}

func TestSearchSaysWhatItDidNotReach(t *testing.T) {
	constant := func(hits int) func(context.Context, float64) (*attack.Share, error) {
		return func(context.Context, float64) (*attack.Share, error) { return attack.Exact(hits, 100), nil }
	}
	found, err := attack.Search(t.Context(), 1, 0.1, constant(10)) // the share meets it, the bound does not
	if err != nil || found.Reached || found.Epsilon != 1 || found.Looks != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if found.TooSmall {
		t.Errorf("100 attacks are too few for a bound of 0.1, with %g for none that succeeds", found.Least)
	}
	found, err = attack.Search(t.Context(), 1, 0.05, constant(0)) // (1-0.05)^100 is above 0.05/13
	if err != nil || found.Reached || !found.TooSmall || !strings.Contains(found.String(), "too small for a bound below 0.05409") {
		t.Errorf("%+v, %v: %v", found, err, found)
	}
	found, err = attack.Search(t.Context(), 1, 0.5, constant(10))
	if err != nil || !found.Reached || found.Epsilon != attack.MostEpsilon {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestSearchStaysBelowWhatIsRefused(t *testing.T) {
	found, err := attack.Search(t.Context(), 0.05, 0.5, func(_ context.Context, epsilon float64) (*attack.Share, error) {
		if epsilon > 3 {
			return nil, privacy.Bad("test", "epsilon", epsilon, "at most 3")
		}
		return attack.Exact(0, 1000), nil
	})
	if err != nil || found.Epsilon != 3 || !found.Reached {
		t.Errorf("%+v, %v", found, err)
	}
	broken := errors.New("broken")
	if _, err := attack.Search(t.Context(), 0.05, 0.5, func(_ context.Context, epsilon float64) (*attack.Share, error) {
		if epsilon > 3 {
			return nil, broken
		}
		return attack.Exact(0, 1000), nil
	}); !errors.Is(err, broken) {
		t.Errorf("%v, want the error of the attack", err)
	}
	if _, err := attack.Search(t.Context(), 0.05, 0.5, func(context.Context, float64) (*attack.Share, error) { return nil, nil }); err == nil {
		t.Error("a sample without such words has a risk")
	}
	for _, bad := range []float64{0, 1, -1, math.NaN()} {
		if _, err := attack.Search(t.Context(), 0.05, bad, risk); err == nil {
			t.Errorf("a target of %g was accepted", bad)
		}
	}
}
