package release

import (
	"context"
	"io"
	"runtime"
	"sync"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// run is the state of one stream. Its methods are safe for concurrent use.
type run struct {
	loop    *Loop
	stream  Stream
	parts   Parts         // of a text of many batches
	records int           // read so far as separate records
	hold    func(portion) // receives the draws; nil if the input is copied

	mu      sync.Mutex
	undrawn int            // batches that were counted and are not drawn
	drawn   identity.Drawn // the copies
	counts  statement.Counts
	content statement.Content
}

// run begins a stream. A claim for whole texts does not hold for parts of them, and marks are
// places in whole texts.
func (l *Loop) run(s Stream) *run {
	if l.facts.Claim.Unit == privacy.Text || s.marks() {
		s = s.entire()
	}
	s.copied = l.needs.Copied
	r := &run{loop: l, stream: s}
	if !s.copied {
		r.drawn = new(identity.Tally).Drawn()
	}
	return r
}

// Copy reads from in, rewrites the texts of the stream and writes to out, in memory that
// does not grow with the input. The statement covers everything drawn. Copy stops at the
// first error. What was written until then is a prefix of the output, and never contains
// a text that was not rewritten. The statement lists what is not protected: the number of
// texts and of their tokens, everything outside the fields, and the time of writing. A
// format that Seeks needs a text.Seekable.
func (l *Loop) Copy(ctx context.Context, out io.Writer, in io.Reader, s Stream) (statement.Statement, error) {
	run := l.run(s)
	err := run.copy(ctx, out, in)
	return l.facts.State(run.total()), err
}

func (c *run) copy(ctx context.Context, out io.Writer, in io.Reader) error {
	workers := c.stream.workers()
	if c.stream.whole() && c.loop.needs.Ordered {
		workers = 1 // its tokens are counted in order
	}
	if c.hold != nil && c.stream.Key != nil {
		return privacy.Unwanted("sotto", "the key of a stream", "here: the order of a pool's texts is drawn once")
	}
	if err := c.loop.takes(c.stream); err != nil {
		return err
	}
	texts, err := c.open(in)
	if err != nil {
		return err
	}
	work := func(p portion) (portion, error) { err := c.rewrite(ctx, &p); return p, err }
	if c.hold != nil {
		return parallel.Ordered(ctx, workers, c.portions(texts), work, func(p portion) error { c.hold(p); return nil })
	}
	if err := texts.Begin(out); err != nil {
		return err
	}
	if err := parallel.Ordered(ctx, workers, c.portions(texts), work, func(p portion) error { return p.Write() }); err != nil {
		return err
	}
	return texts.End()
}

// open begins to read. The output of a pool without users holds nothing but texts.
func (c *run) open(in io.Reader) (text.Reader, error) {
	unit := c.loop.facts.Claim.Unit
	return c.stream.open(in, unit, recordsAtOnce(unit), c.hold != nil && c.stream.Users == nil)
}

// rewrite reads a batch, charges for it, draws, and inserts the private texts.
func (c *run) rewrite(ctx context.Context, b *portion) error {
	at := Position{Batch: c.stream.First + b.Number()}
	if c.stream.whole() {
		at.Of = &c.parts
	}
	p, err := c.pending(ctx, *b, at)
	if err == nil {
		err = c.checkCopied(b)
	}
	if p == nil || err != nil {
		return err
	}
	if c.stream.Charge != nil {
		if err := c.stream.Charge(ctx, at.Batch, p); err != nil {
			return err
		}
	}
	c.count(p, *b)
	private, err := p.Draw(ctx)
	if err != nil {
		return err
	}
	c.drew(p)
	if c.hold != nil {
		b.drawn = p.copies.Indices
		return nil
	}
	if p.Counts().Tokens >= manyTokens {
		p = nil
		runtime.GC()
	}
	return b.Replace(private)
}

// checkCopied refuses a table in another encoding than UTF-8, before anything is charged: whole
// texts are read whatever their bytes, and the output would have two encodings. What is copied is
// not private.
func (c *run) checkCopied(b *portion) error {
	checker, ok := b.Batch.(text.CopyChecker)
	if !ok || c.hold != nil || c.loop.facts.Claim.Unit != privacy.Text || c.stream.Invalid == text.ReplaceInvalid {
		return nil
	}
	return checker.CheckCopied()
}

// manyTokens is the number of tokens, far above that of usual batches, whose memory is
// collected before the output is made, or more of it: they take more than the output.
const manyTokens = 1 << 22

// countUnread counts the texts of a batch that are no texts of the format.
func (c *run) countUnread(b text.Batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.content.UnreadTexts += b.Unread()
}

func (c *run) count(p *Pending, of portion) {
	record := c.drawsOfRecord(p, of)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Add(p.Counts())
	c.undrawn++
	c.counts.LongestRecord = max(c.counts.LongestRecord, record)
	c.content.Add(p.Content())
	if c.stream.Words != nil {
		c.stream.Words.Add(p)
	}
}

// drew adds what identifies the copies of a batch that was counted.
func (c *run) drew(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.undrawn--
	c.drawn = c.drawn.Plus(p.identity)
}

// total returns the counts, and adds them to the stream's Counts and Content.
func (c *run) total() statement.Counts {
	counts := c.counts
	if c.undrawn == 0 {
		counts.Drawn = c.drawn
	}
	if c.stream.whole() {
		counts.Documents, counts.LongestTokens, counts.LongestDraws = 1, counts.Tokens, counts.Draws
		counts.ClampedDocuments = min(1, counts.ClampedDocuments)
	}
	if c.stream.Counts != nil {
		c.stream.Counts.Add(counts)
	}
	if c.stream.Content != nil {
		c.stream.Content.Add(c.content)
	}
	return counts
}
