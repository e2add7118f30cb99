package unit

import (
	"context"
	"math"
	"math/big"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// mask reads all tokens of each text, and which of them spans have. Each part of a text is
// tokenized by itself, so that the tokens of a span do not depend on what is beside it. The
// output is written from the drawn tokens alone, so it does not show where a span began within
// a word.
func (b *words) mask(t release.Texts) error {
	var parts [][]byte
	for i, one := range t.Bytes {
		kept, inside, err := text.Cut(one, t.Spans[i])
		if err != nil {
			return err
		}
		for k, part := range inside {
			parts = append(parts, kept[k], part)
		}
		parts = append(parts, kept[len(inside)])
	}
	b.tokenized = b.unit.Vocabulary.tokenize(parts)
	b.inside = make([]bool, len(b.tokens))
	ends, part, token := make([]int, len(t.Bytes)), 0, 0
	for i := range t.Bytes {
		first, marks := token, 0
		for k := range 2*len(t.Spans[i]) + 1 {
			for ; token < b.ends[part]; token++ {
				if b.inside[token] = k%2 == 1; b.inside[token] {
					marks++
				}
			}
			part++
		}
		ends[i] = token
		b.counts.Spans += len(t.Spans[i])
		b.counts.RestTokens += token - first - marks
		b.counts.LongestLoss = max(b.counts.LongestLoss, statement.Loss(b.unit.loss(marks, token-first-marks)))
	}
	b.ends = ends
	return nil
}

// loss returns the loss of a text with these numbers of tokens inside and outside its spans, rounded
// up; infinite if no finite pure loss holds. For texts that differ in more tokens losses add up.
func (w *Words) loss(marks, rest int) float64 {
	sum := new(big.Float).SetPrec(256)
	for _, of := range []struct {
		claim privacy.Claim
		times int
	}{{w.Mechanism.Claim(), marks}, {w.Rest.Claim(), rest}} {
		if of.times == 0 {
			continue
		}
		if of.claim.Notion != privacy.Pure || math.IsInf(of.claim.Epsilon, 0) {
			return math.Inf(1)
		}
		each := new(big.Float).SetPrec(256).SetFloat64(of.claim.Epsilon)
		sum.Add(sum, each.Mul(each, new(big.Float).SetInt64(int64(of.times))))
	}
	total, accuracy := sum.Float64()
	if accuracy == big.Below {
		total = math.Nextafter(total, math.Inf(1))
	}
	return total
}

// drawMasked draws the tokens inside spans by one mechanism and the others by the second.
func (b *words) drawMasked(ctx context.Context) ([]embedding.ID, error) {
	out := make([]embedding.ID, len(b.ids))
	for _, of := range []struct {
		by     *replacer
		inside bool
		at     release.Position
	}{{&b.unit.draw, true, b.at}, {&b.unit.rest, false, b.at.Apart("rest")}} {
		var ids []embedding.ID
		upTo, next := make([]int, len(b.upTo)), 0
		for i, end := range b.upTo {
			for ; next < end; next++ {
				if b.inside[next] == of.inside {
					ids = append(ids, b.ids[next])
				}
			}
			upTo[i] = len(ids)
		}
		drawn, err := of.by.replace(ctx, ids, upTo, of.at)
		if err != nil {
			return nil, err
		}
		for i := range out {
			if b.inside[i] == of.inside {
				out[i], drawn = drawn[0], drawn[1:]
			}
		}
	}
	return out, nil
}
