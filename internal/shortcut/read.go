package shortcut

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// AppendRows appends the weights of every output for each input of xs in turn, together if the
// channel is one of [Rows].
func AppendRows(dst []uint64, c mechanism.Channel, xs []embedding.ID) []uint64 {
	if bulk, ok := c.(Rows); ok {
		return bulk.Rows(dst, xs)
	}
	for _, x := range xs {
		dst = c.Weights(dst, x)
	}
	return dst
}

// SetBlock is the number of inputs whose sets [MarkSets] marks at once: a bit for each.
const SetBlock = 64

// MarkSets sets bit x mod SetBlock in the element of sets of each member of the set of x, for each
// of some inputs.
func MarkSets(ctx context.Context, c Levelled, sets []uint64, xs []embedding.ID) {
	PrepareSets(ctx, c, xs)
	for _, x := range xs {
		c.MarkMembers(sets, x, 1<<(x%SetBlock))
	}
}

// PrepareSets computes the sets of some inputs together, if that is faster than one by one.
func PrepareSets(ctx context.Context, c Levelled, xs []embedding.ID) {
	if p, ok := c.(Preparer); ok {
		p.Prepare(ctx, xs)
	}
}
