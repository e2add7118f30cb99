package audit

import (
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Trial configures sampling. The zero value means the defaults.
type Trial struct {
	// Draws is the number of draws for each side of each pair; a third of them
	// choose the event, the others test it. 0 means 20,000.
	Draws int
	// Alarm is the false-positive rate: a mechanism whose claim holds is refuted with at
	// most this probability, over all pairs and events. 0 means 1e-6.
	Alarm float64
	// Pairs fixes the pairs of words; nil chooses near, far, rare, frequent,
	// unknown and unusual ones.
	Pairs [][2]embedding.ID
	// VectorPairs fixes the pairs of vectors; nil chooses vectors of the table and
	// the two ends of the clipping ball.
	VectorPairs []VectorPair
	// Rng is the source of randomness; nil means a secure one.
	Rng rand.Source
	// Progress may be nil.
	Progress progress.Func
	// Keep saves the state of a long enumeration and bounds its memory; other
	// methods return an error if it is set.
	Keep mechanism.Keep
}

func (t Trial) draws() int {
	if t.Draws == 0 {
		return 20000
	}
	return max(4, t.Draws)
}

func (t Trial) alarm() float64 {
	if t.Alarm == 0 {
		return 1e-6
	}
	return t.Alarm
}

// looksPerPair: both directions of a pair are searched for two goals, the largest
// loss at the claim's delta and the largest delta at the claim's epsilon.
const looksPerPair = 4

// alpha divides the false-positive rate, less the share that was spent before,
// among all looks: each tests one event by two bounds.
func (t Trial) alpha(pairs int, spent float64) float64 {
	return t.alarm() * (1 - spent) / float64(2*looksPerPair*pairs)
}
