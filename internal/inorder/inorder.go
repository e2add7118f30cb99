// Package inorder works on parts of a stream at once and hands on the results
// in the order of the parts.
package inorder

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Run calls read once, work on each part that read emits, by so many workers at
// once, and write on each result in the order of emission, from one goroutine.
// About three parts a worker are held. It ends at the first error, of any of
// the three or of ctx, and returns it; an error of emit must be returned by read.
func Run[Part, Result any](ctx context.Context, workers int, read func(emit func(Part) error) error, work func(Part) (Result, error), write func(Result) error) error {
	type result struct {
		value Result
		err   error
	}
	type job struct {
		part Part
		done chan result
	}
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan job)
	order := make(chan chan result, 2*workers)
	group.Go(func() error {
		defer close(jobs)
		defer close(order)
		return read(func(part Part) error {
			j := job{part, make(chan result, 1)}
			select {
			case order <- j.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case jobs <- j:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	for range workers {
		group.Go(func() error {
			for j := range jobs {
				value, err := work(j.part)
				j.done <- result{value, err}
			}
			return nil
		})
	}
	group.Go(func() error {
		for done := range order {
			select {
			case r := <-done:
				if r.err != nil {
					return r.err
				}
				if err := write(r.value); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}
