package sottobeam

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Counters, in the namespace sotto. Like all counters of a runner they may include an
// attempt that was discarded. epsilon_nano is the charged loss, or without a ledger the
// drawn one, in billionths.
var (
	elements = beam.NewCounter("sotto", "elements")
	failures = beam.NewCounter("sotto", "failures")
	tokens   = beam.NewCounter("sotto", "tokens")
	texts    = beam.NewCounter("sotto", "texts") // whole texts
	spent    = beam.NewCounter("sotto", "epsilon_nano")
)

// count adds an element to the counters, and if uncharged its loss too.
func (w *Worker) count(ctx context.Context, p *sotto.Pending, uncharged bool) {
	elements.Inc(ctx, 1)
	w.countTexts(ctx, p, uncharged)
}

// countBatch is count for a batch of a file. It skips batches of whole texts: how many
// texts a batch has depends on their lengths.
func (w *Worker) countBatch(ctx context.Context, p *sotto.Pending, uncharged bool) {
	if !w.whole() {
		elements.Inc(ctx, 1)
	}
	w.countTexts(ctx, p, uncharged)
}

func (w *Worker) countTexts(ctx context.Context, p *sotto.Pending, uncharged bool) {
	if w.whole() {
		texts.Inc(ctx, p.Draws())
	} else {
		tokens.Inc(ctx, int64(p.Counts().Tokens))
	}
	if uncharged {
		if cost, err := ledger.Cost(w.Rewriter.Claim(), p.Draws()); err == nil {
			spent.Inc(ctx, cost.Epsilon)
		}
	}
}

func (w *Worker) whole() bool { return w.Rewriter.Claim().Unit == privacy.Text }

var errAnswer = errors.New("the stored answer is for another number of texts: two elements have the same key")

// fault reports whether an error concerns one element, which is then left out, or all. what
// quotes nothing of a text.
func fault(err error) (what string, ofElement bool) {
	var budget *sotto.BudgetError
	var marks *marksError
	switch {
	case errors.Is(err, ledger.ErrKeyReused), errors.Is(err, errAnswer):
		return sharedKey, true
	case errors.Is(err, ledger.ErrForgotten):
		return "its stored answer has expired", true
	case errors.As(err, &budget):
		return budget.Error(), true
	case errors.As(err, &marks):
		return marks.Error(), true
	}
	return "", false
}

// rewriteFn rewrites element by element.
type rewriteFn struct {
	Config Config
	Type   beam.EncodedType

	fields *fields
}

func (f *rewriteFn) Setup() (err error) {
	if f.fields, err = f.Config.markedFields(f.Type.T); err != nil {
		return err
	}
	_, err = Open(f.Config)
	return err
}

func (f *rewriteFn) ProcessElement(ctx context.Context, x beam.X, emit func(beam.X), failed func(Failure), tally func(Tally)) error {
	w, err := Open(f.Config)
	if err != nil {
		return err
	}
	private, key, texts := f.fields.copyOf(x)
	out, counts, err := w.rewrite(ctx, key, texts, f.fields.given(x, len(texts)))
	if err != nil {
		what, ofElement := fault(err)
		if !ofElement {
			return err
		}
		failures.Inc(ctx, 1)
		failed(Failure{key, what})
		return nil
	}
	emit(private(out))
	tally(Tally{counts})
	return nil
}

func (f *rewriteFn) FinishBundle(_ context.Context, _ func(beam.X), _ func(Failure), _ func(Tally)) error {
	return confirm(f.Config.EncoderProgram)
}

func (f *rewriteFn) Teardown() error { return finish(f.Config.EncoderProgram) }

// groupFn rewrites groups of elements. Elements that are charged together share one write
// of the ledger.
type groupFn struct {
	Config Config
	Type   beam.EncodedType

	fields *fields
	dec    beam.ElementDecoder
}

func (f *groupFn) Setup() (err error) {
	if f.fields, err = fieldsOf(f.Type.T, f.Config.Fields); err != nil {
		return err
	}
	f.dec = beam.NewElementDecoder(f.Type.T)
	_, err = Open(f.Config)
	return err
}

// atOnce is the number of elements of a group that are charged together.
const atOnce = 128

// ProcessElement gets all elements of a key, unless a trigger cuts the group. A key has one
// answer, so of elements that share it all but the first are left out.
func (f *groupFn) ProcessElement(ctx context.Context, _ int64, next func(*element) bool, emit func(beam.X), failed func(Failure), tally func(Tally)) error {
	w, err := Open(f.Config)
	if err != nil {
		return err
	}
	seen := keys{}
	for more := true; more; {
		var batch []element
		for len(batch) < atOnce && more {
			var e element
			if more = next(&e); !more {
				break
			}
			if !seen.add(e.Key) {
				failures.Inc(ctx, 1)
				failed(Failure{e.Key, sharedKey})
				continue
			}
			batch = append(batch, e)
		}
		if err := f.batch(ctx, w, batch, emit, failed, tally); err != nil {
			return err
		}
	}
	return nil
}

func (f *groupFn) FinishBundle(_ context.Context, _ func(beam.X), _ func(Failure), _ func(Tally)) error {
	return confirm(f.Config.EncoderProgram)
}

func (f *groupFn) Teardown() error { return finish(f.Config.EncoderProgram) }

// sharedKey is the reason for elements that share a key.
const sharedKey = "its key is that of another element"

func (f *groupFn) batch(ctx context.Context, w *Worker, batch []element, emit func(beam.X), failed func(Failure), tally func(Tally)) error {
	type done struct {
		private any
		counts  sotto.Counts
		err     error
	}
	results := make([]done, len(batch))
	var wait sync.WaitGroup
	for i, e := range batch {
		wait.Go(func() {
			x, err := f.dec.Decode(bytes.NewReader(e.Data))
			if err != nil {
				results[i].err = errors.New("sottobeam: an element cannot be decoded")
				return
			}
			private, _, texts := f.fields.copyOf(x)
			out, counts, err := w.rewrite(ctx, e.Key, texts, nil)
			if results[i].counts, results[i].err = counts, err; err == nil {
				results[i].private = private(out)
			}
		})
	}
	wait.Wait()
	for i, r := range results {
		if r.err == nil {
			emit(r.private)
			tally(Tally{r.counts})
			continue
		}
		what, ofElement := fault(r.err)
		if !ofElement {
			return r.err
		}
		failures.Inc(ctx, 1)
		key := ""
		if batch[i].Own {
			key = batch[i].Key
		}
		failed(Failure{key, what})
	}
	return nil
}
