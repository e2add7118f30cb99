package sotto

import (
	"context"
	"io"

	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// Read reads a batch of texts and draws nothing. It returns a *BudgetError if a text is
// longer than its cap allows.
func (r *Rewriter) Read(texts [][]byte) (*Pending, error) { return r.ReadAt(texts, Position{}) }

// ReadAt is Read for texts at a position of a run. It returns a *ConflictError for parts
// of one document if the claim is for distinct words or whole texts, since it would not
// hold across parts. If Texts.PerUser is not 0, only streams can read texts.
func (r *Rewriter) ReadAt(texts [][]byte, at Position) (*Pending, error) {
	return r.loop.Read(release.Texts{Bytes: texts}, at)
}

// ReadVectors is ReadAt for texts given by their vectors from the caller's encoder, for a
// Corpus whose vectors came from that encoder. A vector that is zero, or has a component
// that is not finite, is that of an unknown text.
func (r *Rewriter) ReadVectors(vectors [][]float64, at Position) (*Pending, error) {
	return r.loop.Read(release.Texts{Vectors: append([][]float64{}, vectors...)}, at)
}

// ReadSpans is ReadAt for Words with Marked, and for Marks: only the tokens inside the spans of each
// text are counted and drawn. A *text.SpanError is returned for spans that overlap, are
// empty, or leave the text.
func (r *Rewriter) ReadSpans(texts [][]byte, spans []text.Spans, at Position) (*Pending, error) {
	return r.loop.Read(release.Texts{Bytes: texts, Spans: append([]text.Spans{}, spans...)}, at)
}

// Copy reads from in, rewrites the texts of the stream and writes to out, in memory that
// does not grow with the input. The statement covers everything drawn. Copy stops at the
// first error. What was written until then is a prefix of the output, and never contains
// a text that was not rewritten. The statement lists what is not protected: the number of
// texts and of their tokens, everything outside the fields, and the time of writing. A
// format that Seeks needs a text.Seekable.
func (r *Rewriter) Copy(ctx context.Context, out io.Writer, in io.Reader, s Stream) (Statement, error) {
	return r.loop.Copy(ctx, out, in, s)
}

// Count reads a stream and counts what Copy would draw. It draws nothing and charges
// nothing.
func (r *Rewriter) Count(ctx context.Context, in io.Reader, s Stream) (Counts, error) {
	return r.loop.Count(ctx, in, s)
}

// Reader returns a reader that rewrites what is read through it, as [Rewriter.Copy] does.
// It must be read to its end or closed.
func (r *Rewriter) Reader(ctx context.Context, in io.Reader, s Stream) *release.Reader {
	return r.loop.Reader(ctx, in, s)
}

// Writer returns a writer that rewrites what is written through it, as [Rewriter.Copy]
// does. The caller must call Close, which writes the rest and returns the first error.
func (r *Rewriter) Writer(ctx context.Context, out io.Writer, s Stream) *release.Writer {
	return r.loop.Writer(ctx, out, s)
}

// Pool returns an empty pool for texts that are replaced by texts of a corpus, and written
// later without the layout of the input.
func (r *Rewriter) Pool(o PoolOptions) (*release.Pool, error) { return r.loop.Pool(o) }

// Users returns the counter of the rows of each user for a run. field is a column (csv, tsv)
// or a path (jsonl). Records in which it is missing, null or empty belong to one user,
// [release.OtherUser]. Users returns nil if Texts.PerUser is 0.
func (r *Rewriter) Users(field string) *release.Users { return r.loop.Users(field) }
