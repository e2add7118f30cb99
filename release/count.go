package release

import (
	"context"
	"io"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Count reads a stream and counts what Copy would draw. It draws nothing and charges
// nothing: what Copy would charge for, the stream's Price gets. Its faults are those of Copy.
func (l *Loop) Count(ctx context.Context, in io.Reader, s Stream) (statement.Counts, error) {
	run := l.run(s)
	err := run.read(ctx, in)
	return run.total(), err
}

// Count is [Loop.Count] for [Pool.Read]. It counts the users of the pool too: a pool that has
// counted does not read.
func (p *Pool) Count(ctx context.Context, in io.Reader, s Stream) (statement.Counts, error) {
	s.Users = p.options.Users
	run := p.loop.run(s)
	run.hold = p.hold
	err := run.read(ctx, in)
	counts := run.total()
	p.counts.Add(counts)
	return counts, err
}

// CountPadding counts what Finish would draw after all streams have been counted. price, if not
// nil, is as in [Stream].
func (p *Pool) CountPadding(price func(*Pending) error) (counts statement.Counts, err error) {
	err = p.padding(func(_ uint64, one *Pending) error {
		counts.Add(one.Counts())
		if price == nil {
			return nil
		}
		return price(one)
	})
	return counts, err
}

// read counts the texts of a stream.
func (c *run) read(ctx context.Context, in io.Reader) error {
	if err := c.loop.takes(c.stream); err != nil {
		return err
	}
	texts, err := c.open(in)
	if err != nil {
		return err
	}
	next := c.portions(texts)
	for {
		b, err := next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		at := Position{Batch: c.stream.First + b.Number()}
		if c.stream.whole() {
			at.Of = &c.parts
		}
		p, err := c.counted(ctx, b, at)
		if err == nil {
			err = c.checkCopied(&b)
		}
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		c.count(p, b)
		if c.stream.Price != nil {
			if err := c.stream.Price(p); err != nil {
				return err
			}
		}
	}
}

// counted is pending for a batch of which nothing is drawn. Where every text has one draw
// whatever it holds, and nobody asks what that is, texts are not encoded.
func (c *run) counted(ctx context.Context, p portion, at Position) (*Pending, error) {
	pooling := c.loop.needs.Pool
	if pooling == nil || c.stream.Content != nil || c.stream.Words != nil || c.stream.Key != nil {
		return c.pending(ctx, p, at)
	}
	texts, err := p.texts, error(nil)
	if !p.told {
		texts, err = p.Texts()
	}
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	b, err := pooling.Empty(len(texts), at)
	if err != nil {
		return nil, err
	}
	return c.alone(c.loop.pending(b, len(texts))), nil
}

// drawsOfRecord returns the largest number of draws for one record of a batch that has several
// texts. A reader of the output sees which texts are of one record, unless a pool writes them.
func (c *run) drawsOfRecord(p *Pending, of portion) (most int) {
	grouped, ok := of.Batch.(text.Grouped)
	unit := c.loop.facts.Claim.Unit
	if !ok || of.told || c.hold != nil || c.stream.whole() || unit != privacy.Text && unit != privacy.Token {
		return 0
	}
	first := 0
	for _, n := range grouped.PerRecord() {
		draws := n
		if unit == privacy.Token {
			draws = 0
			for i := range n {
				draws += p.Length(first + i)
			}
		}
		if first += n; n > 1 {
			most = max(most, draws)
		}
	}
	return most
}
