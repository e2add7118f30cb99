package interval

import "math"

// MeanAtMost returns an upper bound on an expected share of words, from texts in which
// some of the words are hits. Of text i, hits[i] of words[i] words are hits. The bound is
// below the expected share, sum E[hits[i]] / sum words[i], for at most a fraction alpha of
// samples. It assumes independent texts of given lengths. The words of one text may depend
// on each other, and texts may differ, in any way. It is 1 if there are no words.
//
// The bound is the smallest share at which a bet against it multiplies its stake by
// 1/alpha (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
// betting", 2024). The stakes are fixed, so the order of the texts has no influence.
func MeanAtMost(hits, words []int, alpha float64) float64 {
	longest, all, found := 0, 0, 0
	for i, n := range words {
		longest, all, found = max(longest, n), all+n, found+hits[i]
	}
	if found == all || !(alpha > leastAlpha) {
		return 1
	}
	alpha *= 1 - 1e-9 // more than the rounding of the logarithms
	b := newBet(words, longest, alpha)
	// At the measured share no stake gains. At the other end the bet gains least of all
	// without a hit, and at most by (1-p)^-len(words).
	low := max(float64(found)/float64(all)/2, (1-alpha)/float64(2*len(words)))
	_, high := turn(low, func(p float64) bool { return b.gain(hits, words, p) < -math.Log(alpha) })
	return high
}

// bet is a bet against a share p of words. It has several stakes c in (0, 1] and puts an
// equal part of its money on each. A text multiplies that part by
//
//	1 + c (p words - hits) / ((1 - p) longest),
//
// which is at least 0. If the expected share is p or more, the expected product over
// texts is at most 1, since the mean of the expected factors is. So a product of 1/alpha
// has probability alpha at most (Markov).
type bet struct {
	longest float64
	stakes  []float64
}

// newBet chooses stakes by the lengths of the texts. The smallest is the best one where
// each text is recovered whole or not at all, for a share of one half; where texts are
// more alike, larger stakes are better.
func newBet(words []int, longest int, alpha float64) bet {
	b := bet{longest: float64(longest)}
	texts := 0.0 // of the longest length, with the same variance
	for _, n := range words {
		length := float64(n) / b.longest
		texts += length * length
	}
	least := math.Sqrt(-2 * math.Log(alpha) / texts)
	for c := 1.0; c == 1 || c > least; c /= math.Sqrt2 {
		b.stakes = append(b.stakes, c)
	}
	return b
}

// gain returns the logarithm of the factor by which the bet multiplies its money.
func (b bet) gain(hits, words []int, p float64) float64 {
	most, logs := math.Inf(-1), make([]float64, len(b.stakes))
	for k, c := range b.stakes {
		for i, n := range words {
			won := float64(p*float64(n)) - float64(hits[i])
			logs[k] += math.Log1p(max(-1, c*won/((1-p)*b.longest)))
		}
		most = max(most, logs[k])
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum/float64(len(logs)))
}
