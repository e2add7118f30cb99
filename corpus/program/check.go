package program

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
)

// asked is the number of texts that are asked again.
const asked = 8

// begin checks the program, once.
func (p *Program) begin(ctx context.Context, texts [][]byte) error {
	if err := p.take(ctx); err != nil {
		return err
	}
	defer p.leave()
	if p.checked {
		return nil
	}
	err := p.check(texts)
	p.checked = err == nil
	return err
}

// check asks for some texts again: alone, and beside other texts in another order. All
// answers must be the same on the grid, from which everything is computed.
func (p *Program) check(texts [][]byte) error {
	var some [][]byte
	for i := range min(asked, len(texts)) {
		some = append(some, texts[i*len(texts)/min(asked, len(texts))])
	}
	together, err := p.all(append(slices.Clone(some), others...))
	if err != nil {
		return err
	}
	backwards := append(slices.Clone(others), some...)
	slices.Reverse(backwards)
	again, err := p.all(backwards)
	if err != nil {
		return err
	}
	for i, t := range some {
		alone, err := p.all([][]byte{t})
		if err != nil {
			return err
		}
		first := corpus.Quantize(nil, together[i])
		if !slices.Equal(first, corpus.Quantize(nil, alone[0])) || !slices.Equal(first, corpus.Quantize(nil, again[len(some)-1-i])) {
			return ErrOthers
		}
	}
	p.probes = nil
	for _, v := range together[len(some):] {
		p.probes = append(p.probes, corpus.Quantize(nil, v))
	}
	for range others {
		if err := p.alike(p.ask); err != nil {
			return err
		}
	}
	return nil
}
