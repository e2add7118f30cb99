package program

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
)

// Vectors returns the vectors of texts. The first call also checks, with some of the texts,
// that the program reads one text at a time; every call ends with a public text, and returns
// nothing unless that has the vector it always had. If ctx ends, the line that was asked is
// answered first: nobody who leaves ends a program that others use.
func (p *Program) Vectors(ctx context.Context, texts [][]byte) (vectors [][]float64, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if err := p.begin(ctx, texts); err != nil {
		return nil, err
	}
	for len(vectors) < len(texts) {
		found, err := p.confirmed(ctx, texts[len(vectors):])
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, found...)
	}
	return vectors, nil
}

// single returns the vector of one text. Those of a stretch are confirmed together, after they
// were given out: settle is the last to do so.
func (p *Program) single(ctx context.Context, text []byte) ([]int8, error) {
	if err := p.begin(ctx, [][]byte{text}); err != nil {
		return nil, err
	}
	if err := p.take(ctx); err != nil {
		return nil, err
	}
	defer p.leave()
	before := p.process
	vectors, err := p.ask([][]byte{text})
	if err != nil {
		return nil, err
	}
	v := corpus.Quantize(nil, vectors[0])
	p.open = append(p.open, answered{slices.Clone(text), v})
	switch {
	case p.process != before:
		err = p.repeat()
	case len(p.open) >= cmp.Or(p.short, stretch):
		err = p.settle()
	}
	return v, err
}

// Finish is Confirm, and ends the program: one that then writes more than it was asked for is
// found too.
func (p *Program) Finish() error {
	p.turn <- struct{}{}
	defer p.leave()
	if err := p.last(); err != nil || p.process == nil {
		return err
	}
	return p.end()
}

// Confirm asks for a public text once more, for whoever used vectors and has not yet shown what
// came of them: the error says that they may be those of other texts.
func (p *Program) Confirm() error {
	p.turn <- struct{}{}
	defer p.leave()
	return p.last()
}

// last asks for a public text after all others.
func (p *Program) last() error {
	if err := p.settle(); err != nil || p.process == nil {
		return err
	}
	if err := p.probe(); !errors.Is(err, errEnded) {
		return err
	}
	return nil
}
