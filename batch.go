package sotto

import (
	"context"
	"errors"
	"iter"

	"github.com/sotto-dp/sotto/privacy"
)

// Pending is a batch of texts that has been read and counted but not yet drawn: its cost
// is known, and nothing is released. It is for one goroutine.
type Pending struct {
	batch  batch
	texts  int
	claim  privacy.Claim
	name   string // of the draws, if the stream has a key
	drawn  bool
	copies copies // once drawn
}

// errDrawn is returned for a second draw, which would be a second release.
var errDrawn = errors.New("sotto: these texts have already been drawn")

// Read reads a batch of texts and draws nothing. It returns a *BudgetError if a text is
// longer than its cap allows.
func (r *Rewriter) Read(texts [][]byte) (*Pending, error) { return r.ReadAt(texts, Position{}) }

// ReadAt is Read for texts at a position of a run. It returns a *ConflictError for parts
// of one document if the claim is for distinct words or whole texts, since it would not
// hold across parts. If Config.PerUser is not 0, only streams can read texts.
func (r *Rewriter) ReadAt(texts [][]byte, at Position) (*Pending, error) {
	if r.perUser() > 0 {
		return nil, errNeedsUsers
	}
	return r.readAt(texts, at)
}

func (r *Rewriter) readAt(texts [][]byte, at Position) (*Pending, error) {
	if at.Of != nil && r.noParts != nil {
		return nil, r.noParts
	}
	b, err := r.plan.read(texts, at)
	if err != nil {
		return nil, err
	}
	return r.pending(b, len(texts)), nil
}

// ReadVectors is ReadAt for texts given by their vectors from the caller's encoder, for a
// Corpus whose vectors came from that encoder. A vector that is zero, or has a component
// that is not finite, is that of an unknown text.
func (r *Rewriter) ReadVectors(vectors [][]float64, at Position) (*Pending, error) {
	if r.perUser() > 0 {
		return nil, errNeedsUsers
	}
	return r.readVectors(vectors, at)
}

func (r *Rewriter) readVectors(vectors [][]float64, at Position) (*Pending, error) {
	p, ok := r.plan.(*retrieved)
	if !ok {
		return nil, errNoVectors
	}
	if at.Of != nil { // a whole text has no parts
		return nil, r.noParts
	}
	b, err := p.readVectors(vectors, at)
	if err != nil {
		return nil, err
	}
	return r.pending(b, len(vectors)), nil
}

// pending returns a batch that was read. It is charged for by the rewriter's claim unless a
// stream that is Alone says otherwise.
func (r *Rewriter) pending(b batch, texts int) *Pending {
	return &Pending{batch: b, texts: texts, claim: r.Claim()}
}

// Counts returns the counts that a statement may publish.
func (p *Pending) Counts() Counts { counts, _ := p.batch.counted(); return counts }

// Content returns counts that depend on the words. They are as private as the texts.
func (p *Pending) Content() Content { _, content := p.batch.counted(); return content }

// Draws returns the number of times that drawing spends the claim: the tokens within
// their cap, the distinct words of each text (in a scope, those new to it), or the texts,
// by the unit of [Rewriter.Claim].
func (p *Pending) Draws() int64 { return int64(p.Counts().Draws) }

// Draw returns a private copy of each text, in order, from the units that were counted.
// It succeeds once, since a second draw would be a second release. If ctx ends, Draw
// returns its error and no text, and the price of the draw stays spent. Use
// [Pending.DrawDistinct] for a scoped batch.
func (p *Pending) Draw(ctx context.Context) ([][]byte, error) {
	if p.drawn {
		return nil, errDrawn
	}
	var err error
	p.copies, err = p.batch.draw(ctx)
	p.drawn = err != errScope // errScope means that nothing was drawn
	return p.copies.texts, err
}

// Pieces returns the drawn copies in pieces that concatenate to the copy: one piece per
// token of the text, or of the copy if the claim is for whole texts. They reveal no more
// than the words of the copies.
func (p *Pending) Pieces() [][]string {
	if p.copies.pieces == nil {
		return nil
	}
	return p.copies.pieces()
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
func (p *Pending) Words(text int) iter.Seq[ReadWord] { return p.batch.words(text) }

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
func (p *Pending) Length(text int) int { return p.batch.length(text) }
