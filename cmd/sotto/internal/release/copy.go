package release

import (
	"context"
	"io"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/fullread"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/text"
)

// copied is one file to be copied through the rewriter, or counted.
type copied struct {
	name   string
	file   *os.File // nil if not yet open
	out    io.Writer
	charge charging.Charger
	alone  bool       // an account of records pays
	key    *noise.Key // of the draws; nil where they cannot be made again
	keyed  bool       // counted: the draws will have a key
}

// input opens one file, and returns how the rewriter reads it.
func (c *RewriteCmd) input(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, one copied) (in *cli.Source, reader io.Reader, s sotto.Stream, err error) {
	if in, err = c.Source(ctx, term, one.name, one.file, term.ReadingBar(c.Output)); err != nil {
		return nil, nil, s, err
	}
	if c.InsecureSeed != nil {
		in.Steady()
	}
	s = sotto.Stream{
		Format: in.Format, Fields: c.Field, Invalid: text.Invalid(c.Invalid), Workers: c.Workers,
		Prompt: prompts(term, one.name, c.InsecureSeed != nil, r.Claim().Unit.HidesLength()), Alone: one.alone, Key: one.key,
	}
	c.texts.stream(&s)
	reader = c.markStream(in.Reader, &s)
	c.faultFlags.stream(&s, in.Shown)
	if c.texts.pool != nil {
		s.Prompt = false
	}
	return in, reader, s, nil
}

// copy streams one file through the rewriter.
func (c *RewriteCmd) copy(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, one copied) (counts sotto.Counts, err error) {
	in, reader, s, err := c.input(ctx, term, r, one)
	if err != nil {
		return counts, err
	}
	defer in.Close()
	s.Charge, s.Counts, s.Content, s.Words = one.charge, &counts, &c.content, &c.words
	if c.kept.Map != nil {
		s.Workers = 1 // so that no value is drawn by two batches
		s.Prompt = false
	}
	if c.texts.pool != nil {
		err = c.texts.pool.Read(ctx, reader, s)
	} else {
		_, err = r.Copy(ctx, one.out, reader, s)
	}
	c.noteTypes(r)
	return counts, in.Fault(err, c.Output)
}

// count counts what a run draws for one file, with its faults and what it would charge. With
// content it counts for the operator too.
func (c *RewriteCmd) count(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, one copied, quote *charging.Quote, content bool) (counts sotto.Counts, err error) {
	in, reader, s, err := c.input(ctx, term, r, one)
	if err != nil {
		return counts, err
	}
	defer in.Close()
	s.Prompt, s.Price = false, quote.Price(ctx)
	if content {
		s.Content, s.Words = &c.content, &c.words
	}
	if one.keyed && !in.Format.Seeks {
		reader = fullread.From(reader) // as for a key
	}
	if c.texts.pool != nil {
		counts, err = c.texts.pool.Count(ctx, reader, s)
	} else {
		counts, err = r.Count(ctx, reader, s)
	}
	return counts, in.Fault(err, c.Output)
}

// padding counts the texts that are added after all files were counted.
func (c *RewriteCmd) padding(ctx context.Context, quote *charging.Quote) (none sotto.Counts, err error) {
	if c.texts.pool == nil {
		return none, nil
	}
	return c.texts.pool.CountPadding(quote.Price(ctx))
}

// afford refuses a run that its account does not cover, or an input that cannot be read as a
// whole, before the first charge: what is charged stays spent. It counts the inputs, which takes
// regular files. An output that is written as it is drawn needs no more than is paid for.
func (c *RewriteCmd) afford(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, todo []copied) error {
	if payer == nil {
		return nil
	}
	for _, one := range todo {
		if !twice(one.name) {
			return nil
		}
	}
	quote := payer.Quote()
	for _, one := range todo {
		one.alone = payer.StreamsAlone()
		if _, err := c.count(ctx, term, r, one, quote, false); err != nil {
			return err
		}
	}
	if _, err := c.padding(ctx, quote); err != nil {
		return err
	}
	if _, err := quote.Affords(ctx); err != nil {
		return err
	}
	return c.beginTexts(r) // the users that were counted are counted again
}
