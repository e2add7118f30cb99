package corpus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/text/about"
)

// Options configures a Builder.
type Options struct {
	// Name is the name of the corpus: see CanName.
	Name string
	// Public declares that everything given is public: texts, their order, vectors.
	Public bool
	// Encoder is the kind of encoder; empty means Joined, or Brought if Vectors is set.
	Encoder Kind
	// Table has the word vectors for SIF and Joined. It is public too.
	Table *embedding.Table
	// Vectors, if not nil, provides a vector of Dimensions components per record: it
	// writes that of record i, counted from 0, into v. A vector with a component that is
	// not finite counts as zero.
	Vectors    func(v []float64, i int) error
	Dimensions int
	// Program, if not nil, gives the vectors of the texts.
	Program TextEncoder
	// About, if not nil, has words for labels: see Corpus.Along.
	About *about.Words
	// Sentences cuts each record into sentences by Unicode's rules (UAX 29), each a
	// text of its own. It cannot be combined with Vectors.
	Sentences bool
	// MaxChars leaves out longer texts, in characters; 0 means no bound.
	MaxChars int
	// Similar is the Jaccard similarity, of the sets of three consecutive words, at which
	// a text is left out as nearly equal to an earlier one. It is above 0 and at most 1.
	// At 1 only texts that differ in case and punctuation alone are left out. 0 means
	// DefaultSimilar.
	Similar float64
	// Clusters is the number of clusters to store. -1 stores none. 0 stores several
	// clusterings: one of DefaultClusters, and those of ClusterSizes.
	Clusters int
	// Written is for texts that a language model wrote.
	Written *Written
	// Progress, if not nil, is called as work proceeds.
	Progress progress.Func
}

// TextEncoder is an encoder of the caller, which reads one text at a time.
type TextEncoder = embedding.TextEncoder

// brought reports whether the caller provides the vectors.
func (o *Options) brought() bool { return o.Vectors != nil || o.Program != nil }

// DefaultSimilar is the default of Options.Similar.
const DefaultSimilar = 0.8

// check refuses options that cannot be combined.
func (o *Options) check() error {
	switch {
	case !CanName(o.Name):
		return fmt.Errorf("corpus: name must be up to 40 letters, digits, dots, dashes and underscores, got %q", o.Name)
	case o.Vectors != nil && o.Program != nil:
		return errors.New("corpus: vectors are given, or made by a program")
	case o.About != nil && o.brought():
		return errors.New("corpus: vectors that are given cannot be cut along words for labels")
	case o.Sentences && o.Vectors != nil:
		return errors.New("corpus: records with vectors cannot be cut into sentences")
	case o.MaxChars < 0:
		return fmt.Errorf("corpus: largest number of characters must be 0 or more, got %d", o.MaxChars)
	case !(o.Similar > 0 && o.Similar <= 1):
		return fmt.Errorf("corpus: similarity must be above 0 and at most 1, got %g", o.Similar)
	case o.Clusters < -1 || o.Clusters > MaxClusters:
		return fmt.Errorf("corpus: clusters must be at most %d, got %d", MaxClusters, o.Clusters)
	}
	return o.checkEncoder()
}

func (o *Options) checkEncoder() error {
	switch {
	case (o.Encoder == Brought) != o.brought():
		return fmt.Errorf("corpus: encoder must be %q if and only if vectors are given, got %q", Brought, o.Encoder)
	case o.Encoder != Brought && !slices.Contains(Kinds(), o.Encoder):
		return fmt.Errorf("corpus: unknown encoder %q (have sif, lsa, sif+lsa)", o.Encoder)
	case (o.Encoder == SIF || o.Encoder == Joined) && o.Table == nil:
		return fmt.Errorf("corpus: encoder %s needs a table of word vectors", o.Encoder)
	case o.Program != nil && (o.Program.Dim() < 1 || o.Program.Dim() > MaxDim):
		return fmt.Errorf("corpus: vectors must have 1 to %d dimensions, got %d", MaxDim, o.Program.Dim())
	case o.Vectors != nil && (o.Dimensions < 1 || o.Dimensions > MaxDim):
		return fmt.Errorf("corpus: vectors must have 1 to %d dimensions, got %d", MaxDim, o.Dimensions)
	case o.Table != nil && o.Table.Dim()+semanticDim+aboutDim(o.About) > MaxDim:
		return fmt.Errorf("corpus: the table must have at most %d dimensions, got %d", MaxDim-semanticDim-aboutDim(o.About), o.Table.Dim())
	}
	return nil
}

// MaxClusters is the largest number of clusters.
const MaxClusters = 1 << 16
