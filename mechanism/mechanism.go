// Package mechanism defines what a mechanism is: a few small interfaces for
// replacing words, vectors and whole texts. Package catalog holds the members.
//
// The interface that a member implements decides what an audit may conclude: a
// [Channel] can be enumerated and certified; anything else can only be refuted,
// by sampling or by analysis.
//
// A mechanism is configured from public data only (table and [Spec]), before
// any private text is read. After the noise it never reads its input again.
package mechanism

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Mechanism replaces words. It is safe for concurrent use.
type Mechanism interface {
	// Claim returns the loss that holds, which for a refuted member is not the
	// published one.
	Claim() privacy.Claim
	// Settings returns the parameters in force, including resolved defaults.
	Settings() []Setting
	// Replace appends to dst one replacement for each word of src, drawn
	// independently, and never reads src after the noise. A nil rng means a new
	// secure source; no other call may use rng at the same time.
	Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error)
}

// Channel is a mechanism whose output distribution is known exactly.
type Channel interface {
	Mechanism
	// Weights appends the integer weights of every output for one input:
	// P(out|in) is exactly weight over their sum (below 2^63), and Replace
	// draws from exactly these weights.
	Weights(dst []uint64, in embedding.ID) []uint64
}

// Certifier is a channel that computes its exact losses faster than by
// enumerating all triples.
type Certifier interface {
	Channel
	// Certify computes the exact losses over all pairs of words. report, if
	// not nil, is called with the work done so far, from one goroutine at a time.
	Certify(ctx context.Context, report progress.Func) (Loss, error)
}

// Resumable is a certifier that can continue after an interruption.
type Resumable interface {
	Certifier
	// CertifyFrom is Certify with its state saved as keep says. It returns the
	// same losses, interrupted or not.
	CertifyFrom(ctx context.Context, keep Keep, report progress.Func) (Loss, error)
}

// Certified is a mechanism that knows some of its exact losses when it is made.
type Certified interface {
	// Loss returns these losses. Figures that were not computed are 0.
	Loss() Loss
	// Source returns where these figures come from.
	Source() Source
}

// Bounded is a mechanism with a metric claim that knows a bound on its loss between any
// two inputs.
type Bounded interface {
	Mechanism
	// Most returns that bound, in nats. It is not exceeded, and need not be attained.
	Most() float64
}

// Source is the origin of certified figures.
type Source string

// The sources.
const (
	Computed Source = "computed" // by this process, over the rows that are drawn
	Shipped  Source = "shipped"  // with the program, and as trusted as its code
	Cached   Source = "cache"    // by an earlier process of this user; see exponential.md
	Stated   Source = "file"     // in a file, and not recomputed
)

// Gaussian is a mechanism that may add Gaussian noise to a vector.
type Gaussian interface {
	// NoiseRatio returns the noise's standard deviation divided by its l2 sensitivity, or 0
	// if the noise is not Gaussian. Gaussian uses compose exactly by this ratio.
	NoiseRatio() float64
}

// Perturber turns a vector into a private vector of possibly another dimension.
// It is safe for concurrent use.
type Perturber interface {
	Claim() privacy.Claim
	Settings() []Setting
	// Dimensions returns the length of input and output vectors.
	Dimensions() (in, out int)
	// Perturb writes a private version of src (len in) into dst (len out) and never
	// reads src after the noise. A nil rng means a new secure source. Whether it
	// fails depends on the lengths alone: a src with an infinity or NaN counts as
	// the zero vector.
	Perturb(dst, src []float32, rng rand.Source) error
}

// Setting is one parameter in force.
type Setting struct {
	Name  string
	Value any // float64, int or string
	// Given reports that the setting is a parameter of the member whose value the caller
	// gave.
	Given bool
}

// Loss is the result of an exact computation over a channel's integer weights.
type Loss struct {
	// Metric is the largest loss per unit of distance, over pairs with
	// distinct vectors: Low is attained, High is not exceeded.
	MetricLow, MetricHigh float64
	// Pure is the largest loss over all pairs.
	PureLow, PureHigh float64
	MetricWitness     Witness
	PureWitness       Witness
}

// Witness holds the words at which a loss is attained: P(Output|Input) against
// P(Output|Neighbour).
type Witness struct{ Input, Neighbour, Output embedding.ID }

// Cache is a small store of public figures, by key. Claims depend on figures in it that are
// too slow to recompute, so a cache must return only what this user's programs stored.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, value []byte)
}

// Keep configures how a long computation saves its state, to survive the end of its
// process, and how much memory it may use. The zero value saves nothing.
type Keep struct {
	// Save, if not nil, receives the computation's state: about once a minute,
	// when it is interrupted and when it is done.
	Save func(state []byte) error
	// Resume is the last state that Save received; nil starts from the beginning.
	// It is checked for damage and for a matching computation; its figures are
	// trusted.
	Resume []byte
	// Memory, if positive, bounds the memory used besides the table, in bytes;
	// too small a bound is refused. The figures do not depend on it.
	Memory int
}
