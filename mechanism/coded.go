package mechanism

import (
	"context"
	"math/rand/v2"
)

// Encoded is a public list of texts with the vectors that an encoder gives them, on the grid of
// a corpus. It is safe for concurrent use.
type Encoded interface {
	Len() int
	Dim() int
	Vector(dst []int8, i int) []int8 // appends that of text i
}

// Coded is a perturber whose releases are vectors of a public codebook, so that an index
// determines a release. Its channel is known exactly.
type Coded interface {
	Perturber
	// Channel returns the channel over the codebook. A certificate is about its rows.
	Channel() (Retriever, Codebook)
	// Grid appends to dst the vector of the codebook's kind that src is drawn for. A src
	// with an infinity or NaN counts as the zero vector.
	Grid(dst []int8, src []float32) []int8
	// Decode writes the released vector of an index into dst, which has as many components
	// as a released vector: the vector of the codebook, or with debiased the unbiased one.
	Decode(dst []float32, index uint32, debiased bool)
	// PerturbAll is Perturb for the rows of src, drawn independently. It appends the index
	// of each to dst. Source is that of Retriever.Draw.
	PerturbAll(ctx context.Context, dst []uint32, src []float32, source func(row int) rand.Source) ([]uint32, error)
}

// Unbiased is a perturber of unit vectors whose releases are unbiased, or nearly.
type Unbiased interface {
	Perturber
	Debias() Debias
	// Unit writes the unit vector of src, before any noise, into dst, which has as many
	// components as a released vector. It is as private as src.
	Unit(dst []float64, src []float32)
}

// Weighted is a perturber for the vectors of whole texts that weights the words of a text
// in their average.
type Weighted interface {
	Perturber
	// WordWeights returns a positive weight for each word of the table, nil for equal ones.
	WordWeights() []float64
}

// Debias describes how a released vector follows from the drawn one, y: it is Scale y +
// Offset. Its mean for the unit vector x is x + r(x), and its second moment is Noise I +
// Signal xx', both over uniform x.
type Debias struct {
	Scale  float64   `json:"scale"`
	Offset []float64 `json:"offset"`
	Noise  float64   `json:"noise"`
	Signal float64   `json:"signal"`
	// Residual is nil where r(x) is zero.
	Residual *Residual `json:"residual"`
}

// Residual describes the squared length of r(x), measured over public directions. This bias
// does not average out over equal texts. A text that does not depend on the public seed
// exceeds Largest with probability 1/(Directions + 1) over the choice of that seed. Over that
// choice, a component of the mean of r(x) over any texts has at most the mean square Mean
// divided by the number of components less one.
type Residual struct {
	Mean       float64 `json:"mean_square"`
	Largest    float64 `json:"largest_square"`
	Directions int     `json:"directions"`
}
