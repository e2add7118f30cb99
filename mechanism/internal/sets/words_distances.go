package sets

import (
	"context"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/progress"
)

// distanceRows keeps memory for squared distances from a block of words.
var distanceRows = sync.Pool{New: func() any { return new([]float64) }}

func (c *Words) MeanDistances(ctx context.Context, report progress.Func) (set, any float64, err error) {
	n := c.Outputs.Table.Len()
	count := report.Counter(n)
	sets, all := make([]float64, n), make([]float64, n) // by word, so that their order of adding is fixed
	// d is symmetric: half of it is enough where all words are outputs and sets
	// are so small that their distances are computed one by one.
	half := c.Outputs.outputs == nil && int(c.size) < n/50
	err = parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		s := distanceRows.Get().(*[]float64)
		defer distanceRows.Put(s)
		from := 0
		if half {
			from = int(xs[0])
		}
		width := n - from
		*s = scratch.Resize(*s, len(xs)*width)
		c.Outputs.Table.SquaredDistances(*s, xs, from, n)
		c.Prepare(ctx, xs)
		for i, x := range xs {
			row := (*s)[i*width : (i+1)*width]
			set := c.set(x)
			for _, y := range set.All() {
				q := 0.0
				if w := c.Outputs.word(y); half {
					q = c.Outputs.Table.SquaredDistance(x, w)
				} else {
					q = row[w]
				}
				sets[x] += math.Sqrt(q)
			}
			if !half {
				for _, q := range narrowTo(row, c.Outputs.outputs) {
					all[x] += math.Sqrt(q)
				}
				continue
			}
			for _, q := range row[int(x)+1-from:] {
				all[x] += 2 * math.Sqrt(q)
			}
		}
		count.Add(len(xs))
	})
	for x := range n {
		set += sets[x]
		any += all[x]
	}
	each := c.Outputs.Table.Step() / float64(n)
	return set / float64(c.size) * each, any / float64(c.Outputs.Len()) * each, err
}
