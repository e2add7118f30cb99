package program

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
)

// others are public texts that stand beside the asked ones.
var others = [][]byte{[]byte("The train leaves in the morning."), []byte("no"), []byte("A much longer sentence, with many words about nothing in particular, fills the line beside the others.")}

// stretch is after how many texts a public one is asked for, where the lines are shorter and the
// program lives that long. An answer too many gives a text the vector of the one before, and the
// public text that of another.
const stretch = 64

// confirmed returns the vectors of the first texts, a stretch of them, when its turn has come.
func (p *Program) confirmed(ctx context.Context, texts [][]byte) ([][]float64, error) {
	if err := p.take(ctx); err != nil {
		return nil, err
	}
	defer p.leave()
	return p.sure(ctx, texts[:min(len(texts), cmp.Or(p.short, max(stretch, p.most())))])
}

// sure returns the vectors of texts, in the turn of the caller. Those of a stretch are answers of
// one process, which then knew a public text: what a process wrote that died before that is not
// trusted, and the whole stretch is asked again. Where it dies again, shorter ones are asked, now
// and from then on.
func (p *Program) sure(ctx context.Context, texts [][]byte) ([][]float64, error) {
	vectors, err := again(func() ([][]float64, error) { return p.confirm(ctx, texts) })
	switch {
	case !errors.Is(err, errEnded):
		return vectors, err
	case len(texts) == 1:
		return nil, errDies
	}
	p.short = (len(texts) + 1) / 2
	vectors = nil
	for some := range slices.Chunk(texts, p.short) {
		found, err := p.sure(ctx, some)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, found...)
	}
	return vectors, nil
}

// confirm asks for texts in lines and for a public text, in the turn of the caller.
func (p *Program) confirm(ctx context.Context, texts [][]byte) (vectors [][]float64, err error) {
	for some := range slices.Chunk(texts, p.most()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answers, err := p.once(some)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, answers...)
	}
	return vectors, p.probe()
}

// probe asks the process for a public text.
func (p *Program) probe() error { return p.alike(p.once) }

// alike asks for a public text, each time another one, so that an answer that is repeated is not
// that of the next. A program that gives it another vector is ended.
func (p *Program) alike(ask func([][]byte) ([][]float64, error)) error {
	i := p.next
	p.next = (i + 1) % len(others)
	v, err := ask(others[i : i+1])
	if err == nil && !slices.Equal(p.probes[i], corpus.Quantize(nil, v[0])) {
		_ = p.end()
		err = ErrOthers
	}
	return err
}

// settle confirms the vectors that were given out.
func (p *Program) settle() error {
	if len(p.open) == 0 {
		return nil
	}
	before := p.process
	if err := p.alike(p.ask); err != nil {
		return err
	}
	if p.process != before {
		return p.repeat()
	}
	p.open = nil
	return nil
}

// repeat asks for the texts again whose vectors were given out by a process that died, and
// compares: it may have written more than answers.
func (p *Program) repeat() error {
	texts := make([][]byte, len(p.open))
	for i, a := range p.open {
		texts[i] = a.text
	}
	vectors, err := p.sure(p.ctx, texts)
	if err != nil {
		return err
	}
	for i, a := range p.open {
		if !slices.Equal(a.vector, corpus.Quantize(nil, vectors[i])) {
			_ = p.end()
			return ErrOthers
		}
	}
	p.open = nil
	return nil
}

// ErrOthers reports a program that does not read one text at a time.
var ErrOthers = &Error{"a text has another vector beside other texts, or when it is asked again; it must read one text at a time, and state \"batch\": 1 if a batch changes its rounding"}
