package release

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
)

// Distinct returns the distinct words of all texts of a scoped batch, in order of first
// appearance; nil if the rewriter has no scope. They are words of the originals: do not
// release them, only the results of DrawDistinct.
func (p *Pending) Distinct() []embedding.ID {
	if shared := p.batch.Shared(); shared != nil {
		return shared.Distinct()
	}
	return nil
}

// DrawDistinct draws replacements for distinct words given by their indices in Distinct,
// in that order. Each must have been paid for once and have no replacement yet. It
// succeeds once.
func (p *Pending) DrawDistinct(ctx context.Context, which []int) ([]embedding.ID, error) {
	shared := p.batch.Shared()
	if shared == nil {
		return nil, errScope
	}
	if p.drawn {
		return nil, errDrawn
	}
	p.drawn = true
	distinct, words := shared.Distinct(), make([]embedding.ID, len(which))
	for i, at := range which {
		words[i] = distinct[at]
	}
	return shared.Replace(ctx, words)
}

// Compose returns a private copy of each text from the scope's replacement of each
// distinct word, in the order of Distinct.
func (p *Pending) Compose(replacements []embedding.ID) ([][]byte, error) {
	shared := p.batch.Shared()
	if shared == nil {
		return nil, errScope
	}
	var err error
	p.copies, err = shared.Compose(replacements)
	p.identify(err)
	return p.copies.Texts, err
}
