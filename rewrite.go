package sotto

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/text"
)

// Rewrite makes a private copy of one text.
func (r *Rewriter) Rewrite(ctx context.Context, input string) (Release, error) {
	if err := ctx.Err(); err != nil {
		return Release{}, err
	}
	var counts Counts
	out, err := r.RewriteAll(nil, [][]byte{[]byte(input)}, 0, &counts)
	if err != nil {
		return Release{}, err
	}
	return Release{Text: string(out[0]), Claim: r.mechanism.Claim(), Statement: r.Statement(counts)}, nil
}

// batch is the working memory of one call of RewriteAll.
type batch struct {
	tokenizer *text.Tokenizer
	rng       rand.Source
	in, out   []embedding.ID
	ends      []int // of each text's tokens in in
	beyond    []int // tokens of each text that lie beyond the cap
}

// RewriteAll appends to dst a private copy of each text, in order, and adds to
// counts what was done. first is the number of the first text among all texts
// of the run: with an insecure seed the draws of a text depend on its number
// and the seed alone, however texts are grouped. Under a cap each text is a
// document. On an error nothing is returned.
func (r *Rewriter) RewriteAll(dst, texts [][]byte, first uint64, counts *Counts) ([][]byte, error) {
	return r.rewrite(dst, texts, first, nil, counts)
}

// RewriteParts is RewriteAll for texts that are parts of one document, one after
// the other; tokens is how many went before and is counted on. A nil tokens
// makes each text a document of its own.
func (r *Rewriter) RewriteParts(dst, texts [][]byte, first uint64, tokens *int, counts *Counts) ([][]byte, error) {
	return r.rewrite(dst, texts, first, tokens, counts)
}

func (r *Rewriter) rewrite(dst, texts [][]byte, first uint64, before *int, counts *Counts) ([][]byte, error) {
	b, _ := r.batches.Get().(*batch)
	if b == nil {
		b = &batch{tokenizer: text.NewTokenizer(r.table), rng: noise.Secure()}
	}
	defer r.batches.Put(b)
	b.in, b.out, b.ends, b.beyond = b.in[:0], b.out[:0], b.ends[:0], b.beyond[:0]
	for _, t := range texts {
		at := len(b.in)
		var unknown int
		b.in, unknown = b.tokenizer.Tokenize(b.in, t)
		tokens := len(b.in) - at
		beyond, err := r.overCap(tokens, before)
		if err != nil {
			return nil, err
		}
		b.in = b.in[:len(b.in)-beyond]
		b.ends, b.beyond = append(b.ends, len(b.in)), append(b.beyond, beyond)
		counts.add(tokens, unknown, beyond)
	}
	var err error
	if r.seed == nil {
		if p, ok := r.mechanism.(mechanism.Preparer); ok {
			p.Prepare(b.in)
		}
		if b.out, err = r.mechanism.Replace(b.out, b.in, b.rng); err != nil {
			return nil, err
		}
	} else {
		at := 0
		for i, end := range b.ends {
			if b.out, err = r.mechanism.Replace(b.out, b.in[at:end], noise.Seeded(*r.seed, first+uint64(i))); err != nil {
				return nil, err
			}
			at = end
		}
	}
	if len(b.out) != len(b.in) {
		return nil, fmt.Errorf("%s: %d words for %d, must be as many", r.entry.Name, len(b.out), len(b.in))
	}
	at := 0
	for i, end := range b.ends {
		words := b.out[at:end]
		if b.beyond[i] > 0 {
			words = r.uniform(slices.Clone(words), b.beyond[i], first+uint64(i), b.rng)
		}
		dst = append(dst, b.tokenizer.Detokenize(nil, words))
		at = end
	}
	return dst, nil
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
			fmt.Sprintf("a text of %s is longer than the %d that its cap is spread over", reads, r.document.Allowed),
			least + " would hold it, at a smaller epsilon for every token, and --over clamp would draw the rest at random",
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
