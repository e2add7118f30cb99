package sotto

import (
	"context"
	"iter"
	"runtime/debug"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// begin makes the draws that are shared by positions, if there are any.
func (b *longBatch) begin(ctx context.Context) (err error) {
	if b.once {
		b.replaced, err = b.plan.replace(ctx, b.distinct, b.upTo, b.at)
	}
	return err
}

// draw returns whole copies. Streams call begin and parts instead.
func (b *longBatch) draw(ctx context.Context) (copies, error) {
	if err := b.begin(ctx); err != nil {
		return copies{}, err
	}
	out := copies{texts: make([][]byte, len(b.texts))}
	for i := range b.texts {
		for part, err := range b.parts(ctx, i) {
			if err != nil {
				return copies{}, err
			}
			out.texts[i] = append(out.texts[i], part...)
		}
	}
	return out, nil
}

// parts returns the private copy of a text in parts, which are drawn when they are called
// for: once, since a second time would be a second release. A part is valid until the next.
func (b *longBatch) parts(ctx context.Context, text int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		tokenizer := b.plan.vocabulary.tokenizer()
		defer b.plan.vocabulary.tokenizers.Put(tokenizer)
		reading, writing := tokenizer.Read(b.texts[text]), tokenizer.Write()
		var part []byte
		var ids, out []embedding.ID
		put := func(err error) bool {
			if err != nil {
				yield(nil, err)
				return false
			}
			part = writing.Append(part[:0], out)
			return yield(part, nil)
		}
		from := b.plan.draws.begin(b.at)
		defer from.end()
		replace, drawn := b.replace(ctx, text, from), manyTokens
		for left := b.lengths[text]; left > 0; left -= len(ids) {
			ids = reading.Next(ids[:0], min(left, tokensAtOnce))
			var err error
			if out, err = replace(out[:0], ids); !put(err) {
				return
			}
			if drawn += len(ids); drawn > manyTokens {
				drawn = 0
				debug.FreeOSMemory()
			}
		}
		rng := from.beyond(text)
		for left := b.beyond[text]; left > 0; left -= len(out) {
			out = out[:0]
			for range min(left, tokensAtOnce) {
				out = append(out, embedding.ID(noise.Below(rng, uint64(b.plan.vocabulary.table.Len()))))
			}
			if !put(ctx.Err()) {
				return
			}
		}
		yield(writing.End(part[:0]), nil)
	}
}

// replace returns how the tokens of a text, part by part, are replaced.
func (b *longBatch) replace(ctx context.Context, text int, from *sources) func(dst, src []embedding.ID) ([]embedding.ID, error) {
	if b.once {
		of := b.replacements(text)
		return func(dst, src []embedding.ID) ([]embedding.ID, error) {
			for _, id := range src {
				dst = append(dst, of[id])
			}
			return dst, ctx.Err()
		}
	}
	rng := from.text(text)
	return func(dst, src []embedding.ID) ([]embedding.ID, error) {
		return b.plan.draw(ctx, dst, src, from.repeat(), rng)
	}
}

// replacements returns the replacement of each distinct word of a text.
func (b *longBatch) replacements(text int) map[embedding.ID]embedding.ID {
	from := 0
	if text > 0 {
		from = b.upTo[text-1]
	}
	of := map[embedding.ID]embedding.ID{}
	for i := from; i < b.upTo[text]; i++ {
		of[b.distinct[i]] = b.replaced[i]
	}
	return of
}
