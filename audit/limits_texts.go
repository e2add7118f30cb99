package audit

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// InformationLimit returns the largest mutual information, in nats, between a private input
// and the output of any mechanism with pure epsilon for the whole input, for every set of
// inputs, prior and set of outputs:
//
//	u - 1 - ln u, u = epsilon/(1 - e^-epsilon),
//
// which is below epsilon, and close to epsilon^2/8 for small epsilon.
//
// For an output y let t(x) = P(y|x)/P(y), of mean 1 over inputs. The mutual
// information is the mean over outputs of the mean of t ln t. For one output, all t(x) are
// in an interval [a, a e^epsilon]; t ln t is convex, so its mean is largest if t takes only
// the two end values, and is then ln a + epsilon e^epsilon (1 - a)/(e^epsilon - 1). That is
// largest at a = (1 - e^-epsilon)/epsilon. A channel of two levels over a large codebook
// comes arbitrarily close: for example retrieval, if the sets of the private texts have the
// right size and are evenly spread.
func InformationLimit(epsilon float64) (float64, error) {
	if err := checkLimit(epsilon, 0); err != nil {
		return 0, err
	}
	if epsilon < 1e-3 { // the difference below loses its digits; the series has terms epsilon^2/8 - epsilon^4/576
		return float64(epsilon*epsilon) / 8, nil
	}
	u := epsilon / -math.Expm1(-epsilon)
	return u - 1 - math.Log(u), nil
}

// LinkageLimit returns the largest probability of identifying which of n equally likely
// inputs an output of any mechanism with pure epsilon came from:
//
//	e^epsilon/(e^epsilon + n - 1).
func LinkageLimit(epsilon float64, n int) (float64, error) {
	if err := checkLimit(epsilon, 0); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, privacy.Bad("limits", "among", n, "at least 1")
	}
	return 1 / (1 + float64(float64(n-1)*math.Exp(-epsilon))), nil
}
