// Package embedding provides a public vocabulary with vectors.
//
// A [Table] is immutable and shared by all goroutines. Its vectors are on a
// grid: every component is an integer multiple of one step, a power of two,
// chosen so that squared distances in steps squared are exact integers in
// float64 on every machine and in any order of summation. The metric of a table
// is that of the grid vectors, not of the vectors before rounding.
//
// One entry of every table represents unknown tokens (see [Table.Unknown]).
package embedding

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding/internal/spellings"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/embedding/subword"
	"github.com/sotto-dp/sotto/internal/grid"
)

// ID is the index of a word of a table, from 0.
type ID uint32

// Table is a vocabulary with one vector per word, in the order of the source
// (most frequent first by convention).
type Table struct {
	name    string
	words   spellings.List
	unknown ID
	dim     int
	step    float64 // a power of two
	vectors vectors

	counts []int64        // of each word in the text it was trained on; nil if not known
	rules  *segment.Rules // nil: those for English
	spoken string         // see Language; empty where rules have it

	subwords *subword.Tokenizer // nil: the entries are words

	never   *Never         // nil if no words were left out
	listed  *WordList      // that never describes
	leftOut spellings.List // the words that were left out
	readAs  []ID           // the entry that each of them is read as

	digested sync.Once // the digest is always computed from the values
	digest   [sha256.Size]byte
	grid     lazyGrid
}

// Source is the input of New.
type Source struct {
	Name    string
	Words   []string
	Dim     int
	Vectors []float32 // len(Words) x Dim, row after row
	// Unknown is the word for unknown tokens. Empty means "<unk>" if the table
	// has that row, else the word nearest to the table's mean.
	Unknown string
	// Counts are how often each word occurs in the text that the vectors are trained on.
	// Nil means that this is not known.
	Counts []int64
	// Segmentation holds the rules that cut texts into words of the table. Nil means those
	// for English of package text.
	Segmentation *segment.Rules
	// Subwords, if not nil, cuts texts into the entries, which are its tokens. Then there are
	// no Counts and no Segmentation.
	Subwords *subword.Tokenizer
}

// MaxDim is the largest number of dimensions accepted.
const MaxDim = 4096

// maxNarrowDim keeps squared distances of an int8 grid, at most dim 255^2,
// below 2^24.
const maxNarrowDim = 256

// New rounds a source's vectors to the finest grid on which squared distances
// are exact: with b = floor((53 - log2 Dim)/2) - 1 bits (22 at 100 dimensions,
// 19 at 4,096) below the largest component.
func New(src Source) (*Table, error) {
	src.Vectors, src.Counts = slices.Clone(src.Vectors), slices.Clone(src.Counts)
	return take(src)
}

// gridBits returns the number of bits of a component's absolute value on the grid of
// a table of dim dimensions: a squared distance, at most dim 2^(2 gridBits+2), is
// then at most 2^53.
func gridBits(dim int) int { return (53-bits.Len(uint(dim-1)))/2 - 1 }

// take is New without the copy: the table owns src.Vectors afterwards.
func take(src Source) (*Table, error) {
	if src.Dim < 1 || src.Dim > MaxDim {
		return nil, fmt.Errorf("embedding: the vectors have %d dimensions, want 1 to %d", src.Dim, MaxDim)
	}
	if len(src.Words) == 0 {
		return nil, fmt.Errorf("embedding: no words")
	}
	if len(src.Vectors) != len(src.Words)*src.Dim {
		return nil, fmt.Errorf("embedding: %d components for %d words of %d dimensions", len(src.Vectors), len(src.Words), src.Dim)
	}
	largest := 0.0
	for i, v := range src.Vectors {
		a := math.Abs(float64(v))
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return nil, fmt.Errorf("embedding: word %d has a component that is not finite", i/src.Dim+1)
		}
		largest = max(largest, a)
	}
	_, exp := math.Frexp(largest) // largest < 2^exp
	step := math.Ldexp(1, exp-gridBits(src.Dim))
	if largest == 0 {
		step = 1
	}
	wide := src.Vectors
	for i, v := range wide {
		wide[i] = float32(math.RoundToEven(float64(v) / step))
	}
	t := &Table{name: src.Name, dim: src.Dim, step: step, vectors: vectors{held: components{wide: wide}}, counts: src.Counts, rules: src.Segmentation, subwords: src.Subwords}
	if err := t.spell(src.Words); err != nil {
		return nil, err
	}
	if err := t.checkCounts(); err != nil {
		return nil, err
	}
	if t.subwords != nil && (t.counts != nil || t.rules != nil || len(t.subwords.Tokens()) != t.Len()) {
		return nil, fmt.Errorf("embedding: a table of tokens has the tokenizer's tokens, and neither counts nor rules of segmentation")
	}
	return t, t.finish(src.Unknown)
}

// Narrow is a table whose components are integers of a grid already.
type Narrow struct {
	Name    string
	Words   []string
	Dim     int     // at most 256
	Step    float64 // of the grid: a power of two
	Grid    []int8  // Dim components per word
	Unknown string  // as in [Source]
	// Language is that of the words, as in ISO 639; empty where it is not known.
	Language string
}

// NewNarrow returns the table of src. It keeps the slices and does not copy them.
func NewNarrow(src Narrow) (*Table, error) {
	if frac, _ := math.Frexp(src.Step); frac != 0.5 {
		return nil, fmt.Errorf("embedding: step must be a power of two, got %g", src.Step)
	}
	if src.Dim < 1 || src.Dim > maxNarrowDim {
		return nil, fmt.Errorf("embedding: the vectors have %d dimensions, want 1 to %d on an int8 grid", src.Dim, maxNarrowDim)
	}
	if len(src.Words) == 0 || len(src.Grid) != len(src.Words)*src.Dim {
		return nil, fmt.Errorf("embedding: %d components for %d words of %d dimensions", len(src.Grid), len(src.Words), src.Dim)
	}
	t := &Table{name: src.Name, dim: src.Dim, step: src.Step, vectors: vectors{held: components{narrow: src.Grid}}, spoken: src.Language}
	if err := t.spell(src.Words); err != nil {
		return nil, err
	}
	return t, t.finish(src.Unknown)
}

// finish indexes the words and finds the unknown entry.
func (t *Table) finish(unknown string) error {
	if err := t.buildIndex(); err != nil {
		return err
	}
	if err := t.fits(); err != nil {
		return err
	}
	if unknown != "" {
		id, ok := t.Lookup(unknown)
		if !ok {
			return fmt.Errorf("embedding: the unknown entry is not among the words")
		}
		t.unknown = id
		return nil
	}
	if id, ok := t.Lookup("<unk>"); ok {
		t.unknown = id
		return nil
	}
	t.unknown = t.nearestToMean()
	return nil
}

// spell takes the words, which finish indexes.
func (t *Table) spell(words []string) (err error) {
	if t.words, err = spellings.New(words); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	return nil
}

func (t *Table) buildIndex() error {
	if err := t.words.Index(); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	return nil
}

// Hold reads the vectors of a table of [OpenWords] into memory, and refuses the file if it
// is not the one that was opened. It does nothing for other tables.
func (t *Table) Hold() error { return t.vectors.hold() }

// components returns all components. A caller that can return an error has called Hold.
func (t *Table) components() components {
	if err := t.Hold(); err != nil {
		panic(err)
	}
	return t.vectors.held
}

func (t *Table) nearestToMean() ID {
	values, mean := t.components(), make([]float64, t.dim)
	for i := range t.Len() {
		for k := range mean {
			mean[k] += values.at(i*t.dim + k)
		}
	}
	best, at := math.Inf(1), 0
	for i := range t.Len() {
		q := 0.0
		for k := range mean {
			e := values.at(i*t.dim+k) - mean[k]/float64(t.Len())
			q += float64(e * e)
		}
		if q < best {
			best, at = q, i
		}
	}
	return ID(at)
}

// Name returns the name under which the table was opened.
func (t *Table) Name() string { return t.name }

// Len returns the number of words.
func (t *Table) Len() int { return t.words.Len() }

// Dim returns the number of dimensions.
func (t *Table) Dim() int { return t.dim }

// Step returns the grid's step, in the unit of the vectors.
func (t *Table) Step() float64 { return t.step }

// Largest returns the largest absolute value of a component, in the unit of the
// vectors.
func (t *Table) Largest() float64 {
	most := 0
	values := t.components()
	for _, v := range values.narrow {
		most = max(most, int(v), -int(v))
	}
	for _, v := range values.wide {
		most = max(most, int(v), -int(v))
	}
	return float64(most) * t.step
}

// Word returns the spelling of id.
func (t *Table) Word(id ID) string { return t.words.At(int(id)) }

// Lookup returns the ID of a spelling.
func (t *Table) Lookup(word string) (ID, bool) {
	if id, ok := t.words.Find(word); ok {
		return ID(id), true
	}
	if i, ok := t.leftOut.Find(word); ok {
		return t.readAs[i], true
	}
	return 0, false
}

func (t *Table) has(word string) bool { _, ok := t.Lookup(word); return ok }

// Unknown returns the entry for tokens that are not in the table. Mechanisms treat
// it like any other word.
func (t *Table) Unknown() ID { return t.unknown }

// Vector appends word id's components, in the unit of the vectors, to dst.
func (t *Table) Vector(dst []float32, id ID) []float32 {
	at, n := int(id)*t.dim, len(dst)
	dst = slices.Grow(dst, t.dim)[:n+t.dim]
	row := t.components().part(at, at+t.dim)
	scale(dst[n:], row.narrow, t.step)
	scale(dst[n:], row.wide, t.step)
	return dst
}

func scale[T int8 | float32](dst []float32, row []T, step float64) {
	for k, v := range row {
		dst[k] = float32(float64(v) * step)
	}
}

// Steps appends word id's components as integers of the grid, in steps, to dst.
func (t *Table) Steps(dst []int64, id ID) []int64 {
	row := t.components().part(int(id)*t.dim, int(id+1)*t.dim)
	for k := range t.dim {
		dst = append(dst, int64(row.at(k)))
	}
	return dst
}

// NarrowGrid returns all components as integers of the grid, row by row, if they are kept as int8,
// and nil otherwise. Nothing may change them.
func (t *Table) NarrowGrid() []int8 { return t.components().narrow }

// lazyGrid is a table's view of its vectors.
type lazyGrid struct {
	once    sync.Once
	vectors *grid.Vectors
}

// fits returns an error unless the rules keep each word whole, so that the output of a
// mechanism is read as it was written.
func (t *Table) fits() error {
	if err := t.rules.Fits(t.words.All(), t.has); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	return nil
}

// checkCounts refuses counts that are not one positive number for each word.
func (t *Table) checkCounts() error {
	if t.counts == nil {
		return nil
	}
	if len(t.counts) != t.Len() {
		return fmt.Errorf("embedding: %d counts for %d words", len(t.counts), t.Len())
	}
	for i, n := range t.counts {
		if n < 1 || n > mostCount {
			return fmt.Errorf("embedding: the count of word %d must be 1 to 2^40, got %d", i+1, n)
		}
	}
	return nil
}

// mostCount bounds a count, so that sums are exact.
const mostCount = 1 << 40
