package interval

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The chance that the bound is below the expected share, summed over all outcomes of
// texts that are recovered whole or not at all, which is how words depend most.
func TestBoundsOfMeansCoverTheTruth(t *testing.T) {
	for _, words := range [][]int{{7}, {3, 3, 3, 3, 3, 3, 3, 3}, {1, 2, 3, 5, 8, 13, 21}, {100, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		for _, alpha := range []float64{0.2, 0.05, 0.004} {
			for _, chance := range []func(i int) float64{
				func(int) float64 { return 0.05 },
				func(int) float64 { return 0.5 },
				func(int) float64 { return 0.97 },
				func(i int) float64 { return float64(1+i) / float64(2+i) },
				func(i int) float64 { return 0.9 / float64(1+i) },
			} {
				truth, all := 0.0, 0
				for i, n := range words {
					truth, all = truth+chance(i)*float64(n), all+n
				}
				missed := 0.0
				for outcome := range 1 << len(words) {
					hits, mass := make([]int, len(words)), 1.0
					for i, n := range words {
						if outcome>>i&1 == 1 {
							hits[i], mass = n, mass*chance(i)
						} else {
							mass *= 1 - chance(i)
						}
					}
					if MeanAtMost(hits, words, alpha) < truth/float64(all) {
						missed += mass
					}
				}
				if missed > alpha {
					t.Errorf("%v words, alpha %g, share %g: missed with %g", words, alpha, truth/float64(all), missed)
				}
			}
		}
	}
}

func TestBoundsOfMeansAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.IntRange(0, 40), 1, 30).Draw(t, "words")
		hits := make([]int, len(words))
		all, found := 0, 0
		for i, n := range words {
			hits[i] = rapid.IntRange(0, n).Draw(t, "hits")
			all, found = all+n, found+hits[i]
		}
		alpha := math.Exp(rapid.Float64Range(-30, -0.7).Draw(t, "ln alpha"))
		bound := MeanAtMost(hits, words, alpha)
		if all == 0 || found == all {
			if bound != 1 {
				t.Fatalf("%d of %d: at most %g", found, all, bound)
			}
			return
		}
		if !(float64(found)/float64(all) <= bound && bound <= 1) {
			t.Fatalf("%d of %d: at most %g", found, all, bound)
		}
		if MeanAtMost(hits, words, alpha/2) < bound {
			t.Fatal("a smaller alpha lowers the bound")
		}
		for i, n := range words {
			if hits[i] < n {
				hits[i]++
				if MeanAtMost(hits, words, alpha) < bound {
					t.Fatal("one more hit lowers the bound")
				}
				return
			}
		}
	})
}

// Where texts are alike the bound is near that of the normal approximation, and far
// below that of texts that are recovered whole or not at all.
func TestBoundsOfMeansAreTightWhereTextsAreAlike(t *testing.T) {
	hits, words := make([]int, 400), make([]int, 400)
	for i := range words {
		words[i], hits[i] = 50, 15+i%11 // deviation 0.063, so 2.67 standard errors are 0.0084
	}
	if bound := MeanAtMost(hits, words, 0.05/13); bound > 0.4+0.017 {
		t.Errorf("at most %g", bound)
	}
	if bound := AtMost(160, 400, 0.05/13); bound < 0.4+0.06 {
		t.Errorf("whole texts: at most %g", bound)
	}
}

func TestNothingBoundsAMeanOfNoWords(t *testing.T) {
	for _, words := range [][]int{nil, {0}, {0, 0}} {
		if bound := MeanAtMost(make([]int, len(words)), words, 0.05); bound != 1 {
			t.Errorf("%v words: at most %g", words, bound)
		}
	}
	if bound := MeanAtMost([]int{1, 0}, []int{2, 2}, 0); bound != 1 {
		t.Errorf("alpha 0: at most %g", bound)
	}
}

// Against the true share, what a bet multiplies its money by has a mean of 1, summed over
// all outcomes of texts of two words.
func TestABetIsFairBeforeItsTexts(t *testing.T) {
	chances := [][3]float64{{0.7, 0.2, 0.1}, {0.8, 0, 0.2}, {0.6, 0.4, 0}} // of 0, 1 and 2 hits
	for _, chance := range chances {
		words := []int{2, 2, 2, 2, 2, 2, 2, 2, 2}
		b := bet{longest: 2, stakes: []float64{1, 0.7, 0.5, 0.35, 0.25}}
		mean := 0.0
		for outcome := range 19683 { // 3^9
			hits, mass := make([]int, len(words)), 1.0
			for i, rest := 0, outcome; i < len(words); i, rest = i+1, rest/3 {
				hits[i] = rest % 3
				mass *= chance[hits[i]]
			}
			mean += mass * math.Exp(b.gain(hits, words, 0.2))
		}
		if math.Abs(mean-1) > 1e-9 {
			t.Errorf("chances %v: a mean of %.12g", chance, mean)
		}
	}
}
