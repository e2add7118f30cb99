package release

import (
	"context"
	"iter"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Unit is what one draw protects: how texts are cut into such units, counted, drawn and
// written. The loop knows nothing else of them. It is safe for concurrent use.
type Unit interface {
	// Facts returns how the unit was opened.
	Facts() statement.Facts
	// Needs returns what it reads with texts, and in which order.
	Needs() Needs
	// Read cuts texts into units and counts them. It draws nothing. Texts has what Needs
	// asks for.
	Read(texts Texts, at Position) (Batch, error)
}

// Needs is what a unit reads with texts.
type Needs struct {
	Spans  bool // each text comes with spans
	Copied bool // what is outside of them is copied
	// Marks refuses spans of one text; nil takes all that fit the text.
	Marks      func(text.Spans) error
	Dimensions int // of the vectors that come with the texts; 0: none come
	// Encode makes these vectors where texts come without them; nil if they must come.
	Encode  embedding.TextEncoder
	PerUser int  // largest number of texts of a user; 0: users are not told apart
	Ordered bool // parts of one text must be read in order
	Each    bool // every record has one text, also one without any
	// NoParts is why texts cannot be parts of one document; nil if they can.
	NoParts error
	// Pool is for texts that are written later, in another order; nil if the unit has none.
	Pool *Pooling
}

// Pooling is how a unit serves a [Pool].
type Pooling struct {
	Facts statement.Texts
	Order func() rand.Source                      // for the order of many texts
	Empty func(n int, at Position) (Batch, error) // n empty texts, read
	Text  func(dst []byte, drawn uint32) []byte   // appends a text that was drawn
}

// Texts are texts with what comes with them, one of each per text.
type Texts struct {
	Bytes   [][]byte
	Spans   []text.Spans // nil if Needs has none
	Vectors [][]float64  // in place of Bytes; nil if Needs has none
}

// Batch is the units of some texts. It is for one goroutine.
type Batch interface {
	// Counted returns the counts that a statement may publish, including the cost, and
	// those that are as private as the texts.
	Counted() (statement.Counts, statement.Content)
	// Draw draws every unit and returns what replaces each text. It is called once.
	Draw(ctx context.Context) (Drawn, error)
	// Length returns the size of one text as [Pending.Size] counts.
	Length(text int) int
	// Words returns the tokens of one text, none if texts are not cut into words.
	Words(text int) iter.Seq[embedding.ID]
	// Tally adds the words of the batch, if its texts are cut into words.
	Tally(to *Tally)
	// Shared returns the words that share the replacements of a scope; nil without one.
	Shared() Shared
}

// Drawn is what replaces the texts of a batch.
type Drawn struct {
	Texts   [][]byte
	Pieces  func() [][]string // each text in pieces, one per token; nil if it has none
	Indices []uint32          // the index of each text in a corpus; nil without one
	Vectors []Vectors         // in place of Texts
}

// Vectors are the private vectors of one text, one after the other.
type Vectors struct {
	Rows       int // 1, or the number of tokens
	Components []float32
	// Indices are those of the vectors in the mechanism's public codebook; nil if it has
	// none.
	Indices []uint32
}

// Shared are the distinct words of a batch whose replacements a scope shares.
type Shared interface {
	// Distinct returns the words in order of first appearance.
	Distinct() []embedding.ID
	// Replace draws for some of them.
	Replace(ctx context.Context, words []embedding.ID) ([]embedding.ID, error)
	// Compose writes the texts with a replacement for each of Distinct.
	Compose(replacements []embedding.ID) (Drawn, error)
}

// Whole is embedded by batches whose texts are not cut into words. It has no words and no
// scope.
type Whole struct{}

// Words returns none.
func (Whole) Words(int) iter.Seq[embedding.ID] { return func(func(embedding.ID) bool) {} }

// Tally adds nothing.
func (Whole) Tally(*Tally) {}

// Shared returns nil.
func (Whole) Shared() Shared { return nil }

// Tally is how often each word of a table is drawn for.
type Tally struct {
	Words []int // by word; nil before the first
	Other int   // tokens beyond a cap, which are drawn from the whole table
}

// Of returns the counts of the words of a table of n words, to be increased.
func (t *Tally) Of(n int) []int {
	if t.Words == nil {
		t.Words = make([]int, n)
	}
	return t.Words
}
