// Package shortcut declares optional interfaces of mechanisms that make a
// computation faster and never change its result. They are not part of the
// contract: the author of a mechanism need not know them. Functions here read a channel by the
// fastest of them.
package shortcut

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Rows is a channel that computes many rows at once faster than one by one.
type Rows interface {
	// Rows appends the weights of every output for each input of xs in turn: the same
	// numbers as Weights.
	Rows(dst []uint64, xs []embedding.ID) []uint64
}

// Preparer is a mechanism that draws faster if it knows the words in advance.
type Preparer interface {
	// Prepare computes what Replace will need for these words. It is safe for
	// concurrent use. It never fails: Replace computes what is missing, also after ctx
	// ended Prepare early. It may change how draws are made, never their distribution,
	// so reproducible runs must not call it.
	Prepare(ctx context.Context, words []embedding.ID)
}

// Unseeded is a mechanism that draws faster if its draws need not be reproducible.
type Unseeded interface {
	// PrepareUnseeded is Preparer.Prepare for ReplaceUnseeded.
	PrepareUnseeded(ctx context.Context, words []embedding.ID)
	// ReplaceUnseeded has the contract of Replace and the same distribution. It uses other
	// random numbers than Replace, and which ones it uses may depend on what was prepared.
	ReplaceUnseeded(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error)
}

// Levelled is a channel in which every row has the same two weights.
type Levelled interface {
	Levels() mechanism.Levels
	// MarkMembers sets the bits of mark in the element of sets of each output with the greater
	// weight in the row of x. The other outputs have the same weights in all rows.
	MarkMembers(sets []uint64, x embedding.ID, mark uint64)
	// MeanDistances returns the mean over words of the distance to a uniform
	// output of the word's set, and to a uniform output.
	MeanDistances(ctx context.Context, report progress.Func) (set, any float64, err error)
}

// Stayer is a channel that computes the probabilities on its diagonal without whole rows.
type Stayer interface {
	// Stay returns P(x|x) for each x of xs, from the same weights as Weights. It draws
	// nothing.
	Stay(ctx context.Context, xs []embedding.ID) ([]float64, error)
}

// Symmetric is a channel in which an output may have the same weight for an input as that
// input, as an output, has for it. The sums of rows differ. The methods but Symmetric are for
// channels of which it reports true.
type Symmetric interface {
	Rows
	// Symmetric reports whether every pair of words has the same weight in both rows, as a
	// function of its squared distance in the table.
	Symmetric() bool
	// SquaredRows computes the rows of xs, one after the other, in the memory of rows.
	SquaredRows(rows *SquaredRows, xs []embedding.ID)
	// Totals returns the sum of each row. Sums of rows that were computed before, by
	// SquaredRows or by Totals, are not computed again.
	Totals(ctx context.Context, report progress.Func) ([]uint64, error)
}

// SquaredRows are rows of a symmetric channel with what they were computed from.
type SquaredRows struct {
	Weights []uint64
	Squares []uint32 // squared distances, in the table's steps
	Totals  []uint64 // of each row
}
