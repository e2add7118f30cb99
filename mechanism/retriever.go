package mechanism

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/privacy"
)

// Codebook is a public list of texts with a vector of integers each, and the rule
// that gives every vector a set of them. It is safe for concurrent use.
type Codebook interface {
	Name() string
	// Len returns the number of texts, M.
	Len() int
	// Dim returns the number of components of a vector.
	Dim() int
	// Digest returns the SHA-256, in hexadecimal, of the texts, their vectors and
	// the encoder of other texts.
	Digest() string
	// Nearest appends to dst the indices of exactly k texts for each of the vectors
	// (rows of Dim components), ascending. The set of a vector depends on public data
	// and that vector alone. k is 1 to Len.
	Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error)
}

// Indexed is a Codebook that can also be searched by an index: faster, and not always
// for the nearest texts.
type Indexed interface {
	Codebook
	// Index builds the index unless it exists, and returns the hexadecimal SHA-256 of what
	// it reads besides the codebook. A codebook without one returns an error.
	Index() (digest string, err error)
	// Compared returns the number of texts that a vector is compared with for a set of k.
	// It depends only on k and Len, and is from k to Len.
	Compared(k int) int
	// Approximate appends texts as Nearest does, under the same contract: exactly k for
	// each vector, ascending, depending only on public data and that vector.
	Approximate(dst []uint32, vectors []int8, k int) ([]uint32, error)
}

// Unordered is a Codebook that may have no likeness of texts: then those beside a text are
// no more like it than others, and a set of more than the text itself keeps nothing.
type Unordered interface {
	Codebook
	Unordered() bool
}

// Levels holds the two probabilities of a row: Inside for each of the Size
// outputs of the input's own set, Outside for each of the other Outputs - Size.
// High and Low are the integer weights behind them.
type Levels struct {
	Inside, Outside float64
	Size, Outputs   int
	High, Low       uint64
}

// Retriever replaces a whole text by one of a codebook. Its input is the text's
// vector: any vector of Dim components is allowed. It is safe for concurrent use.
type Retriever interface {
	Claim() privacy.Claim
	Settings() []Setting
	// Levels returns the two probabilities of a row, the size k of a set and the
	// number M of texts.
	Levels() Levels
	// Draw appends to dst the index of one text of the codebook for each of the
	// vectors (rows of Dim components), drawn independently. Source returns the source
	// of a row's draw; nil means a new secure source for all rows. If ctx ends, Draw
	// returns its error.
	Draw(ctx context.Context, dst []uint32, vectors []int8, source func(row int) rand.Source) ([]uint32, error)
	// Weights appends the integer weights of all texts of the codebook for one vector:
	// P(text|vector) is exactly weight over their sum, and Draw draws from exactly
	// these weights.
	Weights(dst []uint64, vector []int8) ([]uint64, error)
}
