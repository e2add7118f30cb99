package unit

import (
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Words is the unit of words that a mechanism replaces: each token of a text or each distinct
// word, in all of a text or in its marked places.
//
// The claim for marked places is conditional on the spans. Two texts are neighbours if they have
// as many spans with as many tokens each, at the same places among what is copied or among as
// many tokens, and differ in one token. What is copied and the numbers of tokens are then the
// same for both. The token that differs is drawn by the same mechanism for both, and all others
// are drawn alike, so the ratio of two outputs is that of one draw of this mechanism. There is no
// guarantee for the copied parts, or for which parts a detector marks: the marks depend on the
// whole text, and no loss bounds that.
type Words struct {
	Opened
	draw, rest replacer // rest has no mechanism if nothing is drawn outside spans
}

// Opened is what was opened for words.
type Opened struct {
	Entry       mechanism.Entry
	Mechanism   mechanism.Mechanism
	Vocabulary  *Vocabulary
	Certificate *audit.Certificate // nil if no loss is known exactly
	Seed        *uint64
	// Once is where distinct words are drawn once; empty: each token is drawn.
	Once statement.Once
	// Cap bounds the total loss of a text; nil without a cap.
	Cap *statement.DocumentFigures
	// Marked draws only the tokens inside spans. Rest draws the others; nil if they are
	// copied.
	Marked bool
	Rest   mechanism.Mechanism
	// NoParts is why texts cannot be parts of one document; nil if they can.
	NoParts error
}

// OfWords returns the unit of what was opened.
func OfWords(o Opened) *Words {
	w := &Words{Opened: o, draw: replacer{o.Mechanism, o.Entry.Name, from(o.Seed)}}
	if o.Rest != nil {
		w.rest = replacer{o.Rest, o.Entry.Name, w.draw.draws.others()}
	}
	return w
}

// Facts returns how the words were opened.
func (w *Words) Facts() statement.Facts {
	f := statement.Facts{
		Entry: w.Entry, Settings: w.Mechanism.Settings(), Claim: w.Mechanism.Claim(), Seeded: w.draw.draws.seeded(),
		Table: w.Vocabulary.Table, Certificate: w.Certificate,
	}
	f.Loss = func() float64 { return statement.PureLoss(w.Mechanism, f.Claim, f.Table) }
	of := statement.Words{Placeholder: w.Vocabulary.unknown, Once: w.Once, Cap: w.Cap, Marked: w.Marked}
	if w.Rest != nil {
		claim := w.Rest.Claim()
		claim.Assumes |= privacy.PublicSpans
		of.Rest = &statement.RestFigures{Claim: claim, Parameters: audit.ParametersOf(w.Rest.Settings())}
	}
	f.Of = of
	switch {
	case w.Marked:
		f.Claim.Unit = privacy.MarkedToken
		f.Claim.Assumes |= privacy.PublicSpans
	case w.Once != "":
		f.Claim.Unit = privacy.Word
	}
	return f
}

// Needs returns what words need of a stream: spans if only marked places are drawn, and order
// if a cap counts the tokens of all parts of a text.
func (w *Words) Needs() release.Needs {
	return release.Needs{Spans: w.Marked, Copied: w.Marked && w.Rest == nil, Ordered: w.Cap != nil, NoParts: w.NoParts}
}

// words is a batch of texts as words: what is drawn for, and how texts are made of what was
// drawn.
type words struct {
	*tokenized // as read, without what is beyond a cap
	unit       *Words
	at         release.Position
	counts     statement.Counts

	ids  []embedding.ID // to draw for, in order: the tokens, or the distinct words
	upTo []int          // for each text, the number of ids up to its end

	places []int      // for each token, the index of its word in ids; nil: its own
	beyond []int      // of each text, its tokens beyond the cap; nil without a cap
	inside []bool     // of each token: whether a span has it; nil if all are drawn alike
	kept   [][][]byte // of each text: the parts before, between and after its spans, if copied
	spans  [][]int    // of each text: the numbers of tokens of its spans, if the rest is copied
}
