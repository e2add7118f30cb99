package mechanism

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"golang.org/x/sync/errgroup"
)

// inBlocks calls work for consecutive blocks of the n words, on all processors.
func inBlocks(ctx context.Context, n int, work func(xs []embedding.ID, s *rowScratch)) error {
	return inBlocksOf(ctx, 32, 0, n, work)
}

// inBlocksOf is inBlocks for the words from (included) to to (excluded), so many
// at a time.
func inBlocksOf(ctx context.Context, block, from, to int, work func(xs []embedding.ID, s *rowScratch)) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	next.Store(int64(from))
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			s := scratches.Get().(*rowScratch)
			defer scratches.Put(s)
			var xs []embedding.ID
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				from := int(next.Add(int64(block))) - block
				if from >= to {
					return nil
				}
				xs = xs[:0]
				for x := from; x < min(to, from+block); x++ {
					xs = append(xs, embedding.ID(x))
				}
				work(xs, s)
			}
		})
	}
	return group.Wait()
}

// counter reports progress from many goroutines, one at a time.
type counter struct {
	mu          sync.Mutex
	done, total int
	report      func(done, total int)
}

func newCounter(total int, report func(done, total int)) *counter {
	return &counter{total: total, report: report}
}

func (c *counter) add(n int) {
	if c.report == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	c.report(c.done, c.total)
}
