package sotto

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// TextSpans are the marked places of the texts of a stream, one list per record, as a
// detector found them. They are safe for concurrent use.
type TextSpans interface {
	// Rows returns the number of lists.
	Rows() int
	// Row returns the spans of record i, counted from 0.
	Row(i int) ([]text.Span, error)
}

// Spans are the marked places of one text. They are read from JSON as [text.ReadSpans]
// reads them.
type Spans []text.Span

// UnmarshalJSON reads the JSON of a detector. Its error repeats nothing of the data.
func (s *Spans) UnmarshalJSON(data []byte) (err error) {
	*s, err = text.ReadSpans(data)
	return err
}

// Check returns a *text.SpanError if the spans do not fit the text.
func (s Spans) Check(of []byte) error {
	_, _, err := text.Cut(of, s)
	return err
}

// marked is the plan that draws once per token inside given spans, and copies the rest of a
// text.
//
// Its claim is conditional on the spans. Two texts are neighbours if they are equal outside
// their spans, have as many of them with as many tokens each, at the same places among what
// is copied, and differ in one token inside. The copied parts and the numbers of tokens are
// then the same for both, and the outputs of the other tokens are drawn alike, so that the
// ratio of two outputs is that of one draw. There is no guarantee for the copied parts, or
// for which parts a detector marks: the marks depend on the whole text, and no loss bounds
// that.
type marked struct{ *tokens }

// Claim returns the mechanism's claim, for a token inside the spans.
func (p *marked) Claim() privacy.Claim {
	c := p.tokens.Claim()
	c.Unit = privacy.MarkedToken
	c.Assumes |= privacy.PublicSpans
	return c
}

var errNeedsSpans = privacy.Bad("sotto", "the spans of the texts", nil, "given, by ReadSpans or a stream with Spans: only what they mark is rewritten")

func (p *marked) read([][]byte, Position) (batch, error) { return nil, errNeedsSpans }

// readSpans reads the tokens inside the spans of each text.
func (p *marked) readSpans(texts [][]byte, spans []Spans, at Position) (batch, error) {
	b := &markedBatch{kept: make([][][]byte, len(texts)), lengths: make([][]int, len(texts))}
	var inside [][]byte
	for i, t := range texts {
		kept, parts, err := text.Cut(t, spans[i])
		if err != nil {
			return nil, err
		}
		for _, k := range kept { // the input's memory is not read after the draw
			b.kept[i] = append(b.kept[i], bytes.Clone(k))
		}
		inside = append(inside, parts...)
	}
	of := p.vocabulary.tokenize(inside)
	b.tokenBatch = &tokenBatch{tokenized: of, plan: p.tokens, at: at}
	ends, part, before := make([]int, len(texts)), 0, 0
	for i := range texts {
		for range len(b.kept[i]) - 1 {
			b.lengths[i] = append(b.lengths[i], of.length(part))
			part++
		}
		ends[i] = before
		if part > 0 {
			ends[i] = of.ends[part-1]
		}
		n := ends[i] - before
		b.counts.add(n, 0, n, n)
		b.counts.Spans += len(b.lengths[i])
		before = ends[i]
	}
	of.ends = ends
	return b, nil
}

func (p *marked) state(s *Statement, counts Counts) {
	p.total(s, counts.LongestTokens)
	s.DocumentEpsilonMax, s.DocumentDeltaMax, s.Spans = nil, 1, &counts.Spans // the copied parts lose everything
	s.NotProtected = p.notProtected(s, "whole texts: all but the marked places is copied as it is, so the total of a text is infinite", againEverywhere,
		"what the spans left unmarked, which places they mark and why: a detector read the whole text, and the claim is conditional on what it marked")
}

// markedBatch is a batch in which only tokens inside spans are drawn.
type markedBatch struct {
	*tokenBatch
	kept    [][][]byte // of each text: the parts before, between and after its spans
	lengths [][]int    // of each text: the numbers of tokens of its spans
}

func (b *markedBatch) draw(ctx context.Context) (copies, error) {
	out, err := b.plan.replace(ctx, b.tokens, b.ends, b.at)
	if err != nil {
		return copies{}, err
	}
	return b.compose(out), nil
}

// compose puts the replacements of each span between the copied parts. Whether a span
// begins with a capital follows from the copied part before it.
//
// White space inside a span is not copied, so a span that has some at its ends would join
// its replacement to the text beside it. Whether it has some may not be read: a space
// follows from the copied parts and the drawn words alone.
func (b *markedBatch) compose(out []embedding.ID) copies {
	tokenizer := b.vocabulary.tokenizer()
	defer b.vocabulary.tokenizers.Put(tokenizer)
	all := copies{texts: make([][]byte, len(b.kept))}
	for i, kept := range b.kept {
		one := append([]byte{}, kept[0]...)
		for k, n := range b.lengths[i] {
			var drawn []byte
			if k == 0 && len(bytes.TrimSpace(kept[0])) == 0 || endsSentence(kept[k]) {
				drawn = tokenizer.Detokenize(nil, out[:n])
			} else {
				drawn = tokenizer.DetokenizeInside(nil, out[:n])
			}
			one, out = appendApart(one, drawn), out[n:]
			one = appendApart(one, kept[k+1])
		}
		all.texts[i] = one
	}
	return all
}

// appendApart appends a part to a text, after a space if they would read as one word.
func appendApart(one, part []byte) []byte {
	last, _ := utf8.DecodeLastRune(one)
	first, _ := utf8.DecodeRune(part)
	if len(one) > 0 && len(part) > 0 && inWord(last) && inWord(first) {
		one = append(one, ' ')
	}
	return append(one, part...)
}

// inWord reports whether a character belongs to a word of a script that puts spaces between
// words. The brackets are those of <unk>.
func inWord(r rune) bool {
	return (unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '<' || r == '>') && !segment.Unspaced(r)
}

// endsSentence reports whether a part of a text ends with the end of a sentence.
func endsSentence(part []byte) bool {
	part = bytes.TrimSpace(part)
	return len(part) > 0 && bytes.IndexByte([]byte(".!?"), part[len(part)-1]) >= 0
}

// ReadSpans is ReadAt for a Config with Marked: only the tokens inside the spans of each
// text are counted and drawn. A *text.SpanError is returned for spans that overlap, are
// empty, or leave the text.
func (r *Rewriter) ReadSpans(texts [][]byte, spans []Spans, at Position) (*Pending, error) {
	p, ok := r.plan.(interface {
		readSpans(texts [][]byte, spans []Spans, at Position) (batch, error)
	})
	switch {
	case !ok:
		return nil, privacy.Bad("sotto", "spans", nil, "left out: the configuration is not for marked texts")
	case at.Of != nil:
		return nil, r.noParts
	case len(spans) != len(texts):
		return nil, privacy.Bad("sotto", "spans", len(spans), "one list per text")
	}
	b, err := p.readSpans(texts, spans, at)
	if err != nil {
		return nil, err
	}
	return r.pending(b, len(texts)), nil
}
