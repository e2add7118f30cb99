package sotto

import (
	"context"
	"io"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// Copy embeds the texts of a stream and calls write with the vectors of each batch, in
// order, in memory that does not grow with the input. With Documents, each record has one
// vector per field, even if the field is missing: with one field, vector i belongs to
// record i. The statement covers everything drawn. Copy stops at the first error. Charge
// must be nil, because no ledger counts vectors, and Vectors, Users and Spans must be nil
// too.
func (e *Embedder) Copy(ctx context.Context, write func([]Vectors) error, in io.Reader, s Stream) (EmbedStatement, error) {
	var counts Counts
	var content Content
	err := e.copy(ctx, write, in, s, &counts, &content)
	if s.Counts != nil {
		s.Counts.Add(counts)
	}
	if s.Content != nil {
		s.Content.Add(content)
	}
	return e.Statement(counts), err
}

func (e *Embedder) copy(ctx context.Context, write func([]Vectors) error, in io.Reader, s Stream, counts *Counts, content *Content) error {
	if s.Charge != nil {
		return privacy.Bad("embed", "charge", nil, "left out: no ledger counts vectors")
	}
	texts, err := e.open(in, s)
	if err != nil {
		return err
	}
	type drawn struct {
		vectors []Vectors
		counts  Counts
		unread  int
	}
	return parallel.Ordered(ctx, s.workers(), texts.Next,
		func(b text.Batch) (d drawn, err error) {
			texts, err := b.Texts()
			if err == nil {
				if e.of == Documents {
					d.unread = b.Unread()
				}
				d.vectors, d.counts, err = e.EmbedAll(ctx, texts, Position{Batch: s.First + b.Number()})
			}
			return d, err
		},
		func(d drawn) error {
			counts.Add(d.counts)
			content.UnreadTexts += d.unread
			return write(d.vectors)
		})
}

// open begins to read a stream. If the claim is for whole texts, neither an error nor which
// vectors are written together depends on what a record holds.
func (e *Embedder) open(in io.Reader, s Stream) (text.Reader, error) {
	switch {
	case s.Vectors != nil:
		return nil, errNoVectors
	case s.Users != nil:
		return nil, privacy.Bad("embed", "users", nil, "left out: the claim is per vector, not per user")
	case s.Spans != nil:
		return nil, privacy.Bad("embed", "spans", nil, "left out: a vector is of a whole text or of each of its words, not of marked places")
	}
	if e.of == Documents {
		s = s.entire()
	}
	o := s.options()
	o.Each = e.of == Documents
	if e.claim().Unit == privacy.Text {
		o.Total, o.Alone, o.Records = s.Invalid != text.FailInvalid, true, textsPerCharge
	}
	return s.read(in, o)
}
