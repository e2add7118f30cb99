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

// VectorPair is two inputs of a mechanism for vectors, with names for reports.
type VectorPair struct {
	Input, Neighbour         []float32
	InputName, NeighbourName string
}
