package tune

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// visitor visits all rows of a channel.
type visitor struct {
	m     mechanism.Channel
	words int
	done  *progress.Counter
}

// visit passes the weights of every input to functions of take, each of which is called by
// one goroutine and must not keep them.
func (v visitor) visit(ctx context.Context, take func() func(x embedding.ID, row []uint64)) error {
	const block = 16 // rows that are computed together
	return parallel.BlockedBy(ctx, v.words, block, func() func(context.Context, int, int) error {
		each := take()
		var xs []embedding.ID
		var weights []uint64
		return func(_ context.Context, from, to int) error {
			xs, weights = xs[:0], weights[:0]
			for x := from; x < to; x++ {
				xs = append(xs, embedding.ID(x))
			}
			weights = shortcut.AppendRows(weights, v.m, xs)
			for i, x := range xs {
				each(x, weights[i*v.words:(i+1)*v.words])
			}
			v.done.Add(len(xs))
			return nil
		}
	})
}
