package release

import (
	"context"
	"errors"
	"iter"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/statement"
)

// Pending is a batch of texts that has been read and counted but not yet drawn: its cost
// is known, and nothing is released. It is for one goroutine.
type Pending struct {
	batch  Batch
	texts  int
	claim  privacy.Claim
	table  *embedding.Table // nil if texts are not cut into words
	name   string           // of the draws, if the stream has a key
	drawn  bool
	copies Drawn // once drawn
	apart  bool  // nothing of a text but what is drawn comes out
	// identity is that of the copies; zero before they are drawn, or if they hold what was copied.
	identity identity.Drawn
}

// Counts returns the counts that a statement may publish. Once the texts are drawn they identify
// the copies.
func (p *Pending) Counts() statement.Counts {
	counts, _ := p.batch.Counted()
	counts.Drawn = p.identity
	return counts
}

// Content returns counts that depend on the words. They are as private as the texts.
func (p *Pending) Content() statement.Content { _, content := p.batch.Counted(); return content }

// Draws returns the number of times that drawing spends the claim: the tokens within
// their cap, the distinct words of each text (in a scope, those new to it), or the texts,
// by the unit of [Loop.Claim].
func (p *Pending) Draws() int64 { return int64(p.Counts().Draws) }

// Draw returns a private copy of each text, in order, from the units that were counted.
// It succeeds once, since a second draw would be a second release. If ctx ends, Draw
// returns its error and no text, and the price of the draw stays spent. Use
// [Pending.DrawDistinct] for a scoped batch.
func (p *Pending) Draw(ctx context.Context) ([][]byte, error) {
	if p.drawn {
		return nil, errDrawn
	}
	if p.batch.Shared() != nil {
		return nil, errScope
	}
	var err error
	p.drawn = true
	p.copies, err = p.batch.Draw(ctx)
	p.identify(err)
	return p.copies.Texts, err
}

// identify computes what identifies the copies. A copy that holds parts of its text has nothing:
// a digest would confirm a guess of these parts, also to whoever has no copy.
func (p *Pending) identify(err error) {
	if err != nil || !p.apart || p.copies.Texts == nil {
		return
	}
	p.identity = identity.OfTexts(p.copies.Texts)
}

// Pieces returns the drawn copies in pieces that concatenate to the copy: one piece per
// token of the text, or of the copy if the claim is for whole texts. They reveal no more
// than the words of the copies.
func (p *Pending) Pieces() [][]string {
	if p.copies.Pieces == nil {
		return nil
	}
	return p.copies.Pieces()
}

// Name returns a name of the draws of a stream with a key: the same one for draws that are
// made again, and another one for draws of other texts or under another key. It is empty
// without a key, and reveals nothing of the texts to whoever lacks the key. A charge under
// this name pays for one release.
func (p *Pending) Name() string { return p.name }

// ReadWord is a token as it was read.
type ReadWord struct {
	Word  string `json:"word"`  // an entry of the table
	Known bool   `json:"known"` // false if the table lacks the word; all such words have one entry
}

// Words returns the tokens of one text as they were read. They are as private as the
// text.
func (p *Pending) Words(text int) iter.Seq[ReadWord] {
	return func(yield func(ReadWord) bool) {
		for id := range p.batch.Words(text) {
			if !yield(ReadWord{p.table.Word(id), id != p.table.Unknown()}) {
				return
			}
		}
	}
}

// Size returns the number of tokens within their caps, which bounds the work of drawing.
// If the claim is for whole texts, it is as private as the texts.
func (p *Pending) Size() int {
	size := 0
	for i := range p.texts {
		size += p.Length(i)
	}
	return size
}

// Length returns the size of one text, counted as in Size.
func (p *Pending) Length(text int) int { return p.batch.Length(text) }

// Claim returns what each draw of the batch is charged for: the claim of the unit, for
// the record of each text if the stream is Alone.
func (p *Pending) Claim() privacy.Claim { return p.claim }

var (
	// errScope is returned if a method is only for scoped texts, or not for them.
	errScope = errors.New("sotto: a scope shares its replacements: use Distinct, DrawDistinct and Compose")
	// errDrawn is returned for a second draw, which would be a second release.
	errDrawn = errors.New("sotto: these texts have already been drawn")
)

// Position is the position of a batch of texts in its run. The zero value is the start of
// a run. It selects the streams of seeded draws: with a seed the draws of a text depend
// only on the seed and on its position, however texts are batched. Without a seed only Of
// matters.
type Position struct {
	Batch uint64 // number of the batch, below 2^32; higher bits are ignored
	Text  uint64 // number of the batch's first text within its batch
	// Of, if not nil, is the document of which the texts are parts, in order. If nil,
	// each text is a document of its own.
	Of *Parts

	key *noise.Key // of the draws of these texts, and of no others: see Stream.Key
}

// Parts counts the tokens of one document whose parts come in several successive batches.
// The zero value is a document of which nothing has been read.
type Parts struct{ tokens int }

// Add counts the tokens of a part and returns those of all parts so far.
func (p *Parts) Add(tokens int) int {
	p.tokens += tokens
	return p.tokens
}

// Tokens returns the number of tokens of all parts so far.
func (p *Parts) Tokens() int { return p.tokens }

// Stream returns the stream number of a text of the batch.
func (p Position) Stream(text int) uint64 { return p.Batch<<32 + p.Text + uint64(text) }

// Key returns the key of the draws of these texts; nil without one. Only streams set it.
func (p Position) Key() *noise.Key { return p.key }

// Apart returns the position for other draws of the same texts, under a key of their own.
func (p Position) Apart(what string) Position {
	if p.key != nil {
		other := p.key.Derive([]byte(what))
		p.key = &other
	}
	return p
}
