package sotto

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// Rewrite makes a private copy of one text.
func (r *Rewriter) Rewrite(ctx context.Context, input string) (Release, error) {
	if err := ctx.Err(); err != nil {
		return Release{}, err
	}
	var counts Counts
	out, err := r.RewriteAll(ctx, nil, [][]byte{[]byte(input)}, 0, &counts)
	if err != nil {
		return Release{}, err
	}
	return Release{Text: string(out[0]), Claim: r.Claim(), Statement: r.Statement(counts)}, nil
}

// RewriteAll appends to dst a private copy of each text, in order, and adds to
// counts what was done. first is the number of the first text among all texts
// of the run: with an insecure seed the draws of a text depend on its number
// and the seed alone, however texts are grouped. Under a cap each text is a
// document. On an error nothing is returned. It is [Rewriter.Read] and
// [Pending.Draw] in one; where a ledger is charged, the charge belongs between.
func (r *Rewriter) RewriteAll(ctx context.Context, dst, texts [][]byte, first uint64, counts *Counts) ([][]byte, error) {
	return r.RewriteParts(ctx, dst, texts, first, nil, counts)
}

// RewriteParts is RewriteAll for texts that are parts of one document, one after
// the other; tokens is how many went before and is counted on. A nil tokens
// makes each text a document of its own.
func (r *Rewriter) RewriteParts(ctx context.Context, dst, texts [][]byte, first uint64, tokens *int, counts *Counts) ([][]byte, error) {
	p, err := r.ReadParts(texts, tokens)
	if err != nil {
		return nil, err
	}
	counts.Add(p.Counts())
	return p.Draw(ctx, dst, first)
}

// overCap tells how many of a text's tokens lie beyond the cap of its document.
func (r *Rewriter) overCap(tokens int, before *int) (int, error) {
	if r.document == nil {
		return 0, nil
	}
	length := tokens
	if before != nil {
		*before += tokens
		length = *before
	}
	beyond := min(tokens, max(0, length-r.document.Allowed))
	if beyond > 0 && r.document.Over != Clamp {
		reads, least := fmt.Sprintf("%d tokens", length), fmt.Sprintf("--document-tokens %d", length)
		if before != nil { // more parts may follow
			reads, least = fmt.Sprintf("%d tokens or more", length), "a larger --document-tokens"
		}
		return 0, &BudgetError{
			Reason:   fmt.Sprintf("a text of %s is longer than the %d that its cap is spread over", reads, r.document.Allowed),
			Possible: least + " would hold it, at a smaller epsilon for every token, and --over clamp would draw the rest at random",
			Tokens:   length, Allowed: r.document.Allowed,
		}
	}
	return beyond, nil
}

// uniform appends n words drawn from the whole table. With an insecure seed they
// have a stream of their own, far from those of the texts' numbers.
func (r *Rewriter) uniform(dst []embedding.ID, n int, number uint64, rng rand.Source) []embedding.ID {
	if r.seed != nil {
		rng = noise.Seeded(*r.seed, ^number)
	}
	for range n {
		dst = append(dst, embedding.ID(noise.Below(rng, uint64(r.table.Len()))))
	}
	return dst
}
