package sotto

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"sync"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// Stream configures how texts are found in a stream and charged.
type Stream struct {
	Format *text.Format // nil means text.Lines
	// Fields are the columns (csv, tsv, parquet) or paths (jsonl) of the texts.
	// Everything else is copied byte for byte and is not protected.
	Fields []string
	// Invalid is the treatment of input that is not UTF-8. The zero value ends the stream
	// with a *text.InputError.
	Invalid text.Invalid
	// KeepMissing and Fault are the same as in text.Options. They are refused for whole
	// texts, because the output would show which records have a text, and with Spans, which
	// belong to records by number.
	KeepMissing bool
	Fault       func(*text.InputError) error
	// Workers is the number of batches processed in parallel; 0 means the number of CPUs.
	Workers int
	// Vectors, if not nil, are the vectors of the texts: row i is for record i of the
	// stream, counted from 0, whether or not the record holds a text. A record may hold
	// at most one text. They are required if the Corpus was built from given vectors, and
	// refused otherwise. If the numbers of rows and records differ, the stream ends with
	// a *privacy.ParameterError.
	Vectors TextVectors
	// Spans, if not nil, are the marked places of the texts: list i is for record i of the
	// stream, counted from 0, whether or not the record holds a text. A record may hold at
	// most one text. They are required if Config.Marked is set, and refused otherwise. An
	// input whose first record begins with a byte order mark ends with a *text.InputError,
	// because the spans may or may not count the mark. text.ReplaceInvalid is refused,
	// because it is unknown how many characters the spans count for invalid bytes.
	Spans TextSpans
	// Users, if not nil, leaves out the rows of a user beyond the first Config.PerUser.
	// It is required if Config.PerUser is not 0. A record may then hold at most one text.
	Users *Users
	// Alone gives every record exactly one draw, of which nothing else is released: its
	// loss is that of its text, and [Pending.Claim] is per record. A null is drawn for as
	// the empty text. It is for whole texts, in formats that are Bare or into a [Pool]
	// without users. A stream that may hold several texts of a record, or copies more of it,
	// ends with a *text.FieldError before anything is charged. Names of files are the
	// caller's.
	Alone bool
	// Charge, if not nil, is called before each draw with the number of the batch. If it
	// returns an error, the stream ends and nothing of the batch is drawn.
	Charge func(ctx context.Context, batch uint64, p *Pending) error
	// Prompt releases the texts read so far when the input pauses. Otherwise output comes
	// in batches of about 256 KiB of input, or of 256 records if whole texts are
	// replaced. Batches that are charged always have these sizes.
	Prompt bool
	// First is the number of the first batch: its [Position] in the run.
	First uint64
	// Key, if not nil, determines the draws, so that they can be made again: a second Copy
	// of the same input with the same settings gives the same output, which is one release.
	// The draws of a batch follow from the key, the number of the batch, its texts and what
	// comes with them, so that no change of the input meets the same noise. A change is
	// visible, batch by batch, to a reader of both outputs unless the key is another one:
	// derive it from a digest of the whole input, and from all settings. It is as secret as
	// the texts. [Pending.Name] names the draws. A Pool takes no key.
	Key *noise.Key
	// Part is the same as in text.Options.
	Part int
	// Counts and Content, if not nil, are increased by what was read. Content is as
	// private as the texts.
	Counts  *Counts
	Content *Content
	// Words, if not nil, is increased by the words that were drawn or, in [Rewriter.Count],
	// would be drawn. It is as private as the texts.
	Words *WordCounts
}

// open begins to read for a claim for units, in batches of some records; 0 is as many as
// a batch holds. Pooled says that no output holds more than the texts.
func (s Stream) open(in io.Reader, unit privacy.Unit, records int, pooled bool) (text.Reader, error) {
	if err := s.checkAlone(unit, pooled); err != nil {
		return nil, err
	}
	o := s.options()
	o.Records = records
	if s.Spans != nil && (s.KeepMissing || s.Fault != nil) {
		return nil, &text.FieldError{What: "line i of the spans is for record i: no record can be left out"}
	}
	if s.Spans != nil && s.Invalid == text.ReplaceInvalid {
		return nil, &text.FieldError{What: "spans count characters: invalid bytes cannot be replaced, because detectors replace them by other numbers of characters"}
	}
	if unit == privacy.Text && (s.KeepMissing || s.Fault != nil) {
		return nil, &text.FieldError{What: "whole texts are protected: every record is replaced, and none can be kept as it is or left out"}
	}
	if unit == privacy.Text {
		o.Total, o.Single = s.Invalid != text.FailInvalid, s.apart()
		s.lone(&o, pooled)
	}
	if records > 0 && s.Charge != nil {
		o.Prompt = false // the input pauses after bytes, not after records
	}
	if s.Key != nil {
		o.Prompt, in = false, s.steady(in)
	}
	if s.Users != nil {
		o.By, o.Missing = s.Users.field, OtherUser
	}
	return s.read(in, o)
}

// options are what every reader of the stream has.
func (s Stream) options() text.Options {
	return text.Options{Fields: s.Fields, Invalid: s.Invalid, Prompt: s.Prompt, Part: s.Part, KeepMissing: s.KeepMissing, Fault: s.Fault, Places: s.Spans != nil}
}

func (s Stream) read(in io.Reader, o text.Options) (text.Reader, error) {
	return cmp.Or(s.Format, text.Lines).Open(in, o)
}

// textsPerCharge is the number of records of a batch of whole texts.
const textsPerCharge = 256

// recordsAtOnce returns the number of records of a batch; 0 is as many as a batch holds.
// Each batch is charged separately, and whole texts hide their lengths, so the number of
// batches must not depend on them.
func (r *Rewriter) recordsAtOnce() int {
	if r.Claim().Unit == privacy.Text {
		return textsPerCharge
	}
	return 0
}

func (s Stream) whole() bool { return s.Format != nil && s.Format.Whole }

// entire returns the stream with each text in one piece.
func (s Stream) entire() Stream {
	if s.whole() {
		s.Format = text.File
	}
	return s
}

func (s Stream) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// run is the state of one stream. Its methods are safe for concurrent use.
type run struct {
	rewriter *Rewriter
	stream   Stream
	parts    Parts // of a text of many batches
	records  int   // read so far as separate records
	pool     *Pool // receives the draws; nil if the input is copied

	mu      sync.Mutex
	counts  Counts
	content Content
}

// run begins a stream. A claim for whole texts does not hold for parts of them.
func (r *Rewriter) run(s Stream) *run {
	if r.Claim().Unit == privacy.Text {
		s = s.entire()
	}
	return &run{rewriter: r, stream: s}
}

// Copy reads from in, rewrites the texts of the stream and writes to out, in memory that
// does not grow with the input. The statement covers everything drawn. Copy stops at the
// first error. What was written until then is a prefix of the output, and never contains
// a text that was not rewritten. The statement lists what is not protected: the number of
// texts and of their tokens, everything outside the fields, and the time of writing. A
// format that Seeks needs a text.Seekable.
func (r *Rewriter) Copy(ctx context.Context, out io.Writer, in io.Reader, s Stream) (Statement, error) {
	run := r.run(s)
	err := run.copy(ctx, out, in)
	return r.Statement(run.total()), err
}

func (c *run) copy(ctx context.Context, out io.Writer, in io.Reader) error {
	workers := c.stream.workers()
	if c.stream.whole() && c.rewriter.ordered {
		workers = 1 // its tokens are counted in order
	}
	if c.pool != nil && c.stream.Key != nil {
		return privacy.Bad("sotto", "the key of a stream", nil, "left out: the order of a pool's texts is drawn once")
	}
	if err := c.rewriter.takes(c.stream); err != nil {
		return err
	}
	texts, err := c.stream.open(in, c.rewriter.Claim().Unit, c.rewriter.recordsAtOnce(), c.pool != nil && c.stream.Users == nil)
	if err != nil {
		return err
	}
	work := func(p portion) (portion, error) { err := c.rewrite(ctx, &p); return p, err }
	if c.pool != nil {
		return parallel.Ordered(ctx, workers, c.portions(texts), work, func(p portion) error { c.pool.hold(p); return nil })
	}
	if err := texts.Begin(out); err != nil {
		return err
	}
	if err := parallel.Ordered(ctx, workers, c.portions(texts), work, func(p portion) error { return p.Write() }); err != nil {
		return err
	}
	return texts.End()
}

// rewrite reads a batch, charges for it, draws, and inserts the private texts.
func (c *run) rewrite(ctx context.Context, b *portion) error {
	at := Position{Batch: c.stream.First + b.Number()}
	if c.stream.whole() {
		at.Of = &c.parts
	}
	p, err := c.pending(*b, at)
	if p == nil || err != nil {
		return err
	}
	if c.stream.Charge != nil {
		if err := c.stream.Charge(ctx, at.Batch, p); err != nil {
			return err
		}
	}
	c.count(p)
	private, err := p.Draw(ctx)
	if err != nil {
		return err
	}
	if c.pool != nil {
		b.drawn = p.copies.drawn
		return nil
	}
	if p.Counts().Tokens >= manyTokens {
		p = nil
		runtime.GC()
	}
	return b.Replace(private)
}

// manyTokens is the number of tokens, far above that of usual batches, whose memory is
// collected before the output is made, or more of it: they take more than the output.
const manyTokens = 1 << 22

// Count reads a stream and counts what Copy would draw. It draws nothing and charges
// nothing.
func (r *Rewriter) Count(ctx context.Context, in io.Reader, s Stream) (Counts, error) {
	run := r.run(s)
	err := run.read(ctx, in)
	return run.total(), err
}

// read counts the texts of a stream.
func (c *run) read(ctx context.Context, in io.Reader) error {
	if err := c.rewriter.takes(c.stream); err != nil {
		return err
	}
	texts, err := c.stream.open(in, c.rewriter.Claim().Unit, c.rewriter.recordsAtOnce(), c.stream.Users == nil)
	if err != nil {
		return err
	}
	next := c.portions(texts)
	var at Position
	if c.stream.whole() {
		at.Of = &c.parts
	}
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
		p, err := c.pending(b, at)
		if err != nil {
			return err
		}
		if p != nil {
			c.count(p)
		}
	}
}

// countUnread counts the texts of a batch that are no texts of the format.
func (c *run) countUnread(b text.Batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.content.UnreadTexts += b.Unread()
}

func (c *run) count(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Add(p.Counts())
	c.content.Add(p.Content())
	if c.stream.Words != nil {
		c.stream.Words.Add(p)
	}
}

// total returns the counts, and adds them to the stream's Counts and Content.
func (c *run) total() Counts {
	counts := c.counts
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
