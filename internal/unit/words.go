package unit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
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
	noParts    error
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
		Entry: w.Entry, Settings: w.Mechanism.Settings(), Claim: w.Mechanism.Claim(), Seeded: w.Seed != nil,
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
	return release.Needs{Spans: w.Marked, Ordered: w.Cap != nil, NoParts: w.NoParts}
}

// Read cuts texts into words.
func (w *Words) Read(t release.Texts, at release.Position) (release.Batch, error) {
	b := &words{unit: w, at: at}
	var err error
	switch {
	case w.Rest != nil:
		err = b.mask(t)
	case w.Marked:
		err = b.mark(t)
	default:
		b.tokenized = w.Vocabulary.tokenize(t.Bytes)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case w.Cap != nil:
		err = b.cap()
	case w.Once != "":
		b.fold(w.Once == statement.OncePerScope)
	default:
		b.ids, b.upTo = b.tokens, b.ends
		for i := range b.ends {
			n := b.Length(i)
			b.counts.Count(n, 0, n, n)
		}
	}
	return b, err
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

func (b *words) Counted() (statement.Counts, statement.Content) { return b.counts, b.content }

// Draw draws for every id, those outside spans by the second mechanism if there is one.
func (b *words) Draw(ctx context.Context) (release.Drawn, error) {
	out, err := []embedding.ID(nil), error(nil)
	if b.inside == nil {
		out, err = b.unit.draw.replace(ctx, b.ids, b.upTo, b.at)
	} else {
		out, err = b.drawMasked(ctx)
	}
	if err != nil {
		return release.Drawn{}, err
	}
	return b.compose(out), nil
}

// compose makes texts of the replacement of each id.
func (b *words) compose(out []embedding.ID) release.Drawn {
	if b.kept != nil {
		return b.between(out)
	}
	if b.places != nil {
		drawn := out
		out = make([]embedding.ID, len(b.places))
		for i, at := range b.places {
			out[i] = drawn[at]
		}
	}
	texts := b.split(out)
	if b.beyond != nil {
		b.fill(texts)
	}
	return b.vocabulary.write(texts)
}

// fill appends words drawn uniformly from the table for the tokens beyond the cap.
func (b *words) fill(texts [][]embedding.ID) {
	from := b.unit.draw.draws.begin(b.at)
	defer from.end()
	for i, n := range b.beyond {
		if n == 0 {
			continue
		}
		rng := from.beyond(i)
		texts[i] = slices.Grow(texts[i], n)
		for range n {
			texts[i] = append(texts[i], embedding.ID(noise.Below(rng, uint64(b.vocabulary.Table.Len()))))
		}
	}
}

// Tally counts the tokens. It counts nothing if two mechanisms draw them: an expected share of
// words that stay is of one.
func (b *words) Tally(to *release.Tally) {
	if b.inside != nil {
		return
	}
	b.tokenized.Tally(to)
	to.Other += b.counts.ClampedTokens
}

// Shared returns the batch if a scope shares its replacements.
func (b *words) Shared() release.Shared {
	if b.unit.Once != statement.OncePerScope {
		return nil
	}
	return shared{b}
}

// shared are the distinct words of a batch of a scope.
type shared struct{ *words }

func (s shared) Distinct() []embedding.ID { return s.ids }

func (s shared) Replace(ctx context.Context, ids []embedding.ID) ([]embedding.ID, error) {
	return s.unit.draw.replace(ctx, ids, []int{len(ids)}, release.Position{})
}

func (s shared) Compose(replacements []embedding.ID) (release.Drawn, error) {
	if len(replacements) != len(s.ids) {
		return release.Drawn{}, fmt.Errorf("sotto: got %d replacements for %d distinct words", len(replacements), len(s.ids))
	}
	for _, id := range replacements {
		if int(id) >= s.vocabulary.Table.Len() {
			return release.Drawn{}, errors.New("sotto: a replacement is not a word of the table")
		}
	}
	return s.compose(replacements), nil
}
