package synthesis

import (
	"context"
	"runtime"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/text"
)

// Vectors are vectors from the caller: row i belongs to record i, counted from 0.
type Vectors interface {
	Shape() (rows, cols int)
	Row(v []float64, i int) error
}

// Input is a file of records.
type Input struct {
	// Rows have the text, then a value for each column of the plan and, if the claim is for
	// users, the user.
	Rows    text.Rows
	Vectors Vectors // nil unless the plan is for brought vectors
	// Encode, if not nil, makes the vectors of the texts in place of Vectors.
	Encode  corpus.TextEncoder
	Workers int // batches that are encoded at once; 0 is one per processor
}

// recordsAtOnce is the number of records that a worker votes for together.
const recordsAtOnce = 256

// Read counts the records of an input. Its memory does not grow with their number, except
// for one entry per user if the claim is for users. It returns an error only if the input
// or the vectors cannot be read.
func (p *Plan) Read(ctx context.Context, c *Counts, in Input) error {
	return batches(ctx, p, in, p.Vote, c.Add)
}

// batches calls work for every recordsAtOnce records of an input, in several goroutines,
// and take with the results in order.
func batches[T any](ctx context.Context, p *Plan, in Input, work func([]Record) T, take func(T)) error {
	workers := in.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	next := func() (text.RowBatch, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return in.Rows.Next()
	}
	each := func(b text.RowBatch) (results []T, err error) {
		rows := b.Rows()
		for from := 0; from < len(rows); from += recordsAtOnce {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			records, err := p.records(ctx, rows[from:min(from+recordsAtOnce, len(rows))], b.First()+from, in)
			if err != nil {
				return nil, err
			}
			results = append(results, work(records))
		}
		return results, nil
	}
	return parallel.Ordered(ctx, workers, next, each, func(results []T) error {
		for _, r := range results {
			take(r)
		}
		return nil
	})
}

// records makes records of rows, the first of which has the number first.
func (p *Plan) records(ctx context.Context, rows []text.Row, first int, in Input) ([]Record, error) {
	records := make([]Record, len(rows))
	texts := make([][]byte, len(rows))
	for i, row := range rows {
		r := &records[i]
		r.Text, r.Labels = row[0], row[1:1+len(p.o.Columns)]
		if p.ByUser() {
			r.User = row[1+len(p.o.Columns)]
		}
		if texts[i] = r.Text; p.o.Brought && in.Encode == nil {
			var err error
			if r.Vector, err = vectorOf(in.Vectors, first+i); err != nil {
				return nil, err
			}
		}
	}
	if p.o.Brought && in.Encode != nil {
		vectors, err := in.Encode.Vectors(ctx, texts)
		if err != nil {
			return nil, err
		}
		for i, v := range vectors {
			records[i].Vector = v
		}
	}
	return records, nil
}

// vectorOf returns the vector of a record; nil if there is none. It must not reveal whether
// there are as many vectors as records.
func vectorOf(vectors Vectors, i int) ([]float64, error) {
	if vectors == nil {
		return nil, nil
	}
	rows, cols := vectors.Shape()
	if i >= rows {
		return nil, nil
	}
	v := make([]float64, cols)
	return v, vectors.Row(v, i)
}
