package attack

import (
	"math"

	"github.com/sotto-dp/sotto/internal/interval"
)

// Share is the share of attacks that succeeded, with an interval. The interval is exact for
// independent attacks. For words of texts it is approximate: it is too narrow for few
// texts, for texts of uneven length, and if none or all of the words are recovered. AtMost
// is valid for both.
type Share struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"` // attacks, or texts of an exact share
	// Method is Computed for a chance that is exact over all draws, and then Low and High are
	// the share. It is Drawn for attacks on releases that were drawn.
	Method Method `json:"method"`

	hits, trials int    // independent attacks, if there are no texts
	texts        *tally // the texts whose words were attacked
}

// Method is the way in which a share was found.
type Method string

// The methods.
const (
	Drawn    Method = "drawn"
	Computed Method = "exact"
)

// Confidence is the confidence level of the intervals.
const Confidence = 0.95

// exact returns the share of independent attacks, with the interval of Clopper and
// Pearson (1934). It is nil for no attacks.
func exact(hits, n int) *Share {
	if n == 0 {
		return nil
	}
	alpha := (1 - Confidence) / 2
	return &Share{float64(hits) / float64(n), interval.AtLeast(hits, n, alpha), interval.AtMost(hits, n, alpha), n, Drawn, hits, n, nil}
}

// Certain returns the share of an attack whose probability of success is known.
func Certain(chance float64) *Share {
	return &Share{Share: chance, Low: chance, High: chance, Of: 1, Method: Computed}
}

// AtMost returns an upper confidence bound on the probability of success: it is too low for
// at most a share alpha of samples. For words it bounds the expected share of recovered
// words in texts of the same lengths. It assumes independent texts; words of one text may
// depend on each other in any way. It is 1 for a Share that this package did not measure.
func (s *Share) AtMost(alpha float64) float64 {
	switch {
	case s.texts == nil && s.Method == Computed:
		return s.Share
	case s.texts != nil:
		return interval.MeanAtMost(s.texts.hits, s.texts.words, alpha)
	case s.trials == 0:
		return 1
	}
	return interval.AtMost(s.hits, s.trials, alpha)
}

// least returns what AtMost would be if no attack had succeeded: the smallest bound that
// a sample of this size can give.
func (s *Share) least(alpha float64) float64 {
	none := *s
	none.hits = 0
	if s.texts != nil {
		none.texts = &tally{make([]int, len(s.texts.words)), s.texts.words}
	}
	return none.AtMost(alpha)
}

// computed returns the mean of exact chances, one for each text. AtMost then bounds the
// expected chance of a text that was sampled like these.
func computed(chances []float64) *Share {
	const parts = 1 << 30 // of a chance, as words of a text
	t, sum := newTally(len(chances)), 0.0
	for i, c := range chances {
		t.words[i], t.hits[i] = parts, min(parts, int(math.Ceil(c*parts)))
		sum += c
	}
	share := min(1, sum/float64(len(chances)))
	return &Share{Share: share, Low: share, High: share, Of: len(chances), Method: Computed, texts: t}
}

// tally counts the words of each text and those that were recovered.
type tally struct {
	hits, words []int // by text
}

func newTally(texts int) *tally { return &tally{make([]int, texts), make([]int, texts)} }

func (t *tally) add(text int, hit bool) {
	t.words[text]++
	if hit {
		t.hits[text]++
	}
}

// share returns the share of words. Words of one text are recovered together, so the
// interval is that of Clopper and Pearson for as many independent words as have the
// variance that is measured between texts (Korn and Graubard, "Confidence intervals for
// proportions with small expected number of positive counts estimated from survey data",
// 1998, without their correction for few texts). It is approximate: where the variance is
// not above that of independent words, and for no or only hits, it takes words to be
// independent. It is nil for no words.
func (t *tally) share() *Share {
	hits, words, texts := 0, 0, 0
	for i, n := range t.words {
		hits, words = hits+t.hits[i], words+n
		if n > 0 {
			texts++
		}
	}
	s := exact(hits, words)
	if s == nil {
		return nil
	}
	s.texts = t
	if texts < 2 || hits == 0 || hits == words {
		return s
	}
	squares := 0.0
	for i, n := range t.words {
		d := float64(t.hits[i]) - s.Share*float64(n)
		squares += d * d
	}
	measured := squares * float64(texts) / float64(texts-1) / float64(words*words)
	alone := s.Share * (1 - s.Share) / float64(words)
	if measured <= alone {
		return s
	}
	n := max(1, int(float64(words)*alone/measured))
	alpha := (1 - Confidence) / 2
	s.Low = interval.AtLeast(int(math.Floor(s.Share*float64(n))), n, alpha)
	s.High = interval.AtMost(int(math.Ceil(s.Share*float64(n))), n, alpha)
	return s
}
