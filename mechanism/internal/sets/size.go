package sets

import "math"

// Even returns the size k at which a draw is a member of the set with probability
// about 1/2, at least 10 if m allows it and at most m - 1: clip(round(m/(e^epsilon
// + 1)), min(10, ceil(m/3)), max(1, m - 1)).
func Even(m int, epsilon float64) int {
	k := math.Round(float64(m) / (math.Exp(min(epsilon, 700)) + 1))
	return int(max(min(k, max(1, float64(m-1))), min(10, math.Ceil(float64(m)/3))))
}

// Inside returns the smallest size k, at most m - 1 where m is above 1, at which the
// chance p = k e^epsilon/(k e^epsilon + m - k) that a draw is a member of the set
// is at least the one given, in (0, 1).
func Inside(m int, epsilon, chance float64) int {
	k := math.Ceil(chance * float64(m) / (chance + float64((1-chance)*math.Exp(min(epsilon, 700)))))
	return int(min(max(k, 1), max(1, float64(m-1))))
}

// Chance returns the probability p that a draw is a member of a set of k among m items.
func Chance(k, m int, epsilon float64) float64 {
	return 1 / (1 + float64(float64(m-k)/float64(k)*math.Exp(-epsilon)))
}

// Information returns the mutual information, in nats, between a text and its draw if
// every item of the codebook is equally likely to be drawn, and an upper bound
// otherwise: p ln(p m/k) + (1 - p) ln((1 - p) m/(m - k)).
func Information(k, m int, epsilon float64) float64 {
	p := Chance(k, m, epsilon)
	info := float64(p * math.Log(float64(p*float64(m))/float64(k)))
	if k < m && p < 1 {
		info += float64((1 - p) * math.Log(float64((1-p)*float64(m))/float64(m-k)))
	}
	return max(0, info)
}
