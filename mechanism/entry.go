package mechanism

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// Entry is one line of the catalogue. The standing is set here, by review and
// audit: a mechanism never vouches for itself.
type Entry struct {
	Name    string
	Summary string
	Paper   string // where it was published, and the theorem the claim rests on
	// Notion is the notion of the member's claim if its standing is Proved or Stated.
	Notion privacy.Notion
	// Published is the paper's own claim, at the parameters that the note gives, if it
	// differs from the claim that holds; nil if the two agree.
	Published *privacy.Claim
	Standing  privacy.Standing
	// Reviewed is the first 16 hexadecimal digits of the SHA-256 of the note on which
	// Standing is based. A test fails if the note has changed since.
	Reviewed string
	Cost     Cost // of New, NewPerturber and NewLatent
	// ShippedWords is the number of the embedded table's first words for which
	// channels ship; 0 if none do.
	ShippedWords int
	Parameters   []Parameter
	// DefaultFor lists the uses for which the member is opened if no member is named.
	DefaultFor []Default
	// Compared reports whether a comparison that names no members includes this one.
	Compared bool
	// Compiled reports whether the mechanism has channel files, and how they are made.
	Compiled Compiled
	// Analysis is the closed form that audits and plots of the member use.
	Analysis Analysis
	// WordsAlone reports whether New and what it makes read no vectors of the table. Then
	// the table can be opened by [embedding.OpenWords].
	WordsAlone bool
	// FromZero reports whether epsilon may be 0: then every output is equally likely,
	// whatever the input is.
	FromZero bool
	// Stops are the epsilons, ascending, between which the member's figures change; nil
	// for powers of two.
	Stops []float64
	// Above returns the value that epsilon must exceed over a table; nil if every positive
	// epsilon is possible.
	Above func(context.Context, *embedding.Table) (float64, error)
	// New makes the member for words over a table; nil if it has no such use. If
	// ctx ends, New and the others return its error.
	New func(context.Context, *embedding.Table, Spec) (Mechanism, error)
	// NewPerturber makes the member for vectors; nil if it has no such use.
	// Defaults are computed from the table, which is public.
	NewPerturber func(context.Context, *embedding.Table, Spec) (Perturber, error)
	// NewEncoded makes the member for the vectors of whole texts by an encoder, with public
	// texts that have such vectors; nil if it has no such use. Its claim holds for any vectors.
	NewEncoded func(context.Context, Encoded, Spec) (Perturber, error)
	// NewLatent makes the member for the latent vectors of a text encoder; nil if
	// it has no such use.
	NewLatent func(context.Context, Latent, Spec) (Perturber, error)
	// NewRetriever makes the member for whole texts over a codebook; nil if it has no
	// such use.
	NewRetriever func(context.Context, Codebook, Spec) (Retriever, error)
}

// WholeTexts reports whether the member replaces or rewrites whole texts, and not their words.
func (e Entry) WholeTexts() bool {
	return e.New == nil && (e.NewRetriever != nil || e.NewLatent != nil)
}

// Use is a purpose for which a member can be opened.
type Use string

// The uses.
const (
	UseWords   Use = "words"   // New
	UseVectors Use = "vectors" // NewPerturber
	// UseDocuments is NewPerturber for the vectors of whole texts. If it has no default for
	// a notion, the default of UseVectors is opened.
	UseDocuments Use = "documents"
	UseLatent    Use = "latent" // NewLatent
	UseTexts     Use = "texts"  // NewRetriever
	UseMarks     Use = "marks"  // NewRetriever, over the values of a type
)

// Default is a use and the requested notion. The empty notion is for callers that request
// none.
type Default struct {
	Use    Use
	Notion privacy.Notion
}

// Compiled is the way in which channel files of a member are made.
type Compiled int

// The ways: by one computation, or by a search that has an objective and can be
// interrupted.
const (
	NotCompiled Compiled = iota
	Solved
	Searched
)

// Analysis names a closed form of a member's noise.
type Analysis int

// The closed forms. If the entry has a published claim, they may refute it.
const (
	NoAnalysis        Analysis = iota
	TruncatedNoise             // truncated Laplace noise after a clip
	LatentNoise                // noise on the clipped latent vector of a text
	ClassicalGaussian          // the classical Gaussian mechanism, whose proof ends at epsilon 1
	// RankedOutputs: the output is one of the K words nearest to the input, K from a
	// Poisson distribution of mean ln V truncated to 1 to V.
	RankedOutputs
)

// Parameter returns the member's parameter with a role.
func (e Entry) Parameter(role Role) (p Parameter, ok bool) {
	i := slices.IndexFunc(e.Parameters, func(p Parameter) bool { return p.Role == role && role != NoRole })
	if i < 0 {
		return Parameter{}, false
	}
	return e.Parameters[i], true
}

// Steps returns the numbers from low to high in steps of step.
func Steps(low, high, step float64) (all []float64) {
	for v := low; v <= high; v += step {
		all = append(all, v)
	}
	return all
}

// Cost is the work of opening a member. By it a server decides which members its clients
// may open.
type Cost int

const (
	// Free: arithmetic on epsilon and the number of words, also with a cap for a
	// document.
	Free Cost = iota + 1
	// Pass: at most one pass over the table's words, or the distances from them to the
	// outputs: below a second for the embedded table. A cap for a document opens the
	// member many times, or needs the table's diameter: all pairs of words.
	Pass
	// Certificate: certificates over all pairs of words, seconds to minutes. They ship
	// for the whole embedded table without parameters.
	Certificate
	// Solver: a linear program, minutes to hours. Channels ship for the first
	// ShippedWords of the embedded table.
	Solver
	// Pairs: a computation over all pairs of words. Nothing ships.
	Pairs
)

// OverPairs reports whether a parameter chooses a computation over all pairs of words.
func (e Entry) OverPairs(given Values) bool {
	return slices.ContainsFunc(e.Parameters, func(p Parameter) bool { return p.Pairs != "" && given[p.Name] == p.Pairs })
}

// Ships reports whether precomputed data exists for the first words entries of
// the embedded table (0 means all) and this number of parameters.
func (e Entry) Ships(words, parameters int) bool {
	switch e.Cost {
	case Certificate:
		return words == 0 && parameters == 0
	case Solver:
		return words == 0 || words == e.ShippedWords
	}
	return e.Cost == Free || e.Cost == Pass
}

// Latent describes an encoder's vectors by public figures: their dimensions, and
// the median norms over the encoder's public training corpus.
type Latent struct {
	Dim                int
	MedianL1, MedianL2 float64
}
