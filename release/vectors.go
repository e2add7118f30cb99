package release

import (
	"context"
	"io"
	"strconv"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Embed releases the vectors of a stream and calls write with those of each batch, in order,
// in memory that does not grow with the input. The counts are of everything drawn.
func (l *Loop) Embed(ctx context.Context, write func([]Vectors) error, in io.Reader, s Stream) (statement.Counts, error) {
	var counts statement.Counts
	var content statement.Content
	err := l.embed(ctx, write, in, s, &counts, &content)
	if s.Counts != nil {
		s.Counts.Add(counts)
	}
	if s.Content != nil {
		s.Content.Add(content)
	}
	return counts, err
}

func (l *Loop) embed(ctx context.Context, write func([]Vectors) error, in io.Reader, s Stream, counts *statement.Counts, content *statement.Content) error {
	if s.Charge != nil {
		return privacy.Unwanted("embed", "charge", "here: no ledger counts vectors")
	}
	texts, err := l.openVectors(in, s)
	if err != nil {
		return err
	}
	type drawn struct {
		vectors []Vectors
		counts  statement.Counts
		unread  int
	}
	return parallel.Ordered(ctx, s.workers(), l.numbered(texts, s),
		func(b numbered) (d drawn, err error) {
			read, err := l.clear(ctx, b, s)
			if err != nil {
				return d, err
			}
			if l.needs.Each {
				d.unread = b.Unread()
			}
			p, err := l.read(read, Position{Batch: s.First + b.Number()})
			if err != nil {
				return d, err
			}
			d.vectors, d.counts, err = p.Vectors(ctx)
			return d, err
		},
		func(d drawn) error {
			counts.Add(d.counts)
			content.UnreadTexts += d.unread
			return write(d.vectors)
		})
}

// numbered is a batch with the number of its first text, where texts come with vectors.
type numbered struct {
	text.Batch
	first int
}

// numbered returns an iterator over the batches of a reader, for one goroutine.
func (l *Loop) numbered(r text.Reader, s Stream) func() (numbered, error) {
	if s.Vectors == nil {
		return func() (numbered, error) { b, err := r.Next(); return numbered{Batch: b}, err }
	}
	rows, _ := s.Vectors.Shape()
	read := 0
	return func() (numbered, error) {
		b, err := r.Next()
		if err == io.EOF && read != rows {
			err = badRows("vectors", rows, "row", strconv.Itoa(read))
		}
		if err != nil {
			return numbered{}, err
		}
		n := numbered{b, read}
		texts, err := b.Texts()
		if read += len(texts); err == nil && read > rows {
			err = badRows("vectors", rows, "row", "more")
		}
		return n, err
	}
}

// clear returns the texts of a batch, or their vectors where the unit needs them.
func (l *Loop) clear(ctx context.Context, b numbered, s Stream) (Texts, error) {
	texts, err := b.Texts()
	switch {
	case err != nil:
		return Texts{}, err
	case l.needs.Encode != nil:
		vectors, err := l.encode(ctx, texts)
		return Texts{Vectors: vectors}, err
	case s.Vectors == nil:
		return Texts{Bytes: texts}, nil
	}
	_, dim := s.Vectors.Shape()
	vectors := make([][]float64, len(texts))
	for i := range vectors {
		vectors[i] = make([]float64, dim)
		if err := s.Vectors.Row(vectors[i], b.first+i); err != nil {
			return Texts{}, err
		}
	}
	return Texts{Vectors: vectors}, nil
}

// Vectors draws the vectors of each text, in order, as [Pending.Draw] draws copies.
func (p *Pending) Vectors(ctx context.Context) ([]Vectors, statement.Counts, error) {
	if _, err := p.Draw(ctx); err != nil {
		return nil, statement.Counts{}, err
	}
	return p.copies.Vectors, p.Counts(), nil
}

// CountVectors reads a stream and counts what [Loop.Embed] would draw. It draws nothing.
func (l *Loop) CountVectors(ctx context.Context, in io.Reader, s Stream) (statement.Counts, error) {
	var counts statement.Counts
	texts, err := l.openVectors(in, s)
	if err != nil {
		return counts, err
	}
	err = parallel.Ordered(ctx, s.workers(), texts.Next, func(b text.Batch) (statement.Counts, error) {
		texts, err := b.Texts()
		if err != nil {
			return statement.Counts{}, err
		}
		if l.needs.Each { // one draw for each text, whatever it is
			var all statement.Counts
			for range texts {
				all.Count(0, 0, 1, 1)
			}
			return all, nil
		}
		p, err := l.read(Texts{Bytes: texts}, Position{})
		if err != nil {
			return statement.Counts{}, err
		}
		return p.Counts(), nil
	}, func(c statement.Counts) error { counts.Add(c); return nil })
	return counts, err
}

// openVectors begins to read a stream. If the claim is for whole texts, neither an error nor
// which vectors are written together depends on what a record holds.
func (l *Loop) openVectors(in io.Reader, s Stream) (text.Reader, error) {
	switch {
	case s.Vectors != nil && len(s.Fields) > 1:
		return nil, privacy.Wrong("embed", "vectors", "there are several fields", "name one: a row is for a record")
	case s.Users != nil:
		return nil, privacy.Unwanted("embed", "users", "here: the claim is per vector, not per user")
	case s.Spans != nil:
		return nil, privacy.Unwanted("embed", "spans", "here: a vector is of a whole text or of each of its words, not of marked places")
	}
	if err := l.takes(s); err != nil {
		return nil, err
	}
	if l.needs.Each {
		s = s.entire()
	}
	o := s.options()
	o.Each = l.needs.Each
	if l.needs.Each {
		s.paceWhole(&o) // whatever the unit is called: one vector hides how long its text is
	}
	if l.facts.Claim.Unit == privacy.Text {
		o.Total, o.Alone = s.Invalid != text.FailInvalid, true
	}
	return s.read(in, o)
}
