package sotto

import (
	"context"

	"github.com/sotto-dp/sotto/privacy/identity"
)

// RewriteAll reads and draws a batch in one call, without a charge in between.
func RewriteAll(ctx context.Context, r *Rewriter, texts [][]byte, at Position) ([][]byte, Counts, error) {
	p, err := r.ReadAt(texts, at)
	if err != nil {
		return nil, Counts{}, err
	}
	out, err := p.Draw(ctx)
	return out, p.Counts(), err
}

// Identified returns what identifies some texts.
func Identified(texts ...string) identity.Drawn {
	var tally identity.Tally
	for _, one := range texts {
		tally.AddText([]byte(one))
	}
	return tally.Drawn()
}
