package release

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

const (
	enoughTime = 20 * time.Millisecond // a sample that takes as long tells the rate
	passes     = 4                     // over a sample; the first has words that were not met
	mostWords  = 4096                  // of a sample
	lineWords  = 16                    // words per line of a sample

	// About the size of a batch of a stream.
	wordsPerBatch = 40_000
	textsPerBatch = 256
)

// timing is a run whose time is estimated.
type timing struct {
	asked request.Request
	from  request.Sources
	book  *corpus.Corpus // nil for the embedded one
}

// secondsOf estimates how long a rewriter draws for units of the texts. It draws for a
// fixed public sample, words of the table or texts of the corpus, through the same path.
// The first draws for a word take longer than later ones.
func secondsOf(ctx context.Context, run timing, r *sotto.Rewriter, units, distinct int) (*float64, error) {
	if unit := r.Claim().Unit; unit == privacy.Mark || unit == privacy.DistinctMark {
		return nil, nil // no sample has marks
	}
	if run.asked.Users != (request.Users{}) || run.asked.Marks != (request.Marks{}) { // such a rewriter reads no text of a sample
		run.asked.Users, run.asked.Marks = request.Users{}, request.Marks{}
		cfg, err := run.asked.Config(ctx, "cost", run.from)
		if err == nil {
			r, err = sotto.Open(ctx, cfg)
		}
		if err != nil {
			return nil, err
		}
	}
	sample, err := run.sample(r)
	if err != nil {
		return nil, err
	}
	for n := 64; ; n *= 4 {
		lines, size := sample(n)
		var draws int
		var first, all time.Duration
		again := time.Duration(math.MaxInt64)
		for i := range passes {
			took, of, err := run.timed(ctx, r, lines)
			var long *sotto.BudgetError
			if errors.As(err, &long) {
				return nil, nil // the cap holds no line of the sample
			}
			if err != nil || of == 0 {
				return nil, err
			}
			if draws = of; i == 0 {
				first = took
			} else {
				again = min(again, took)
			}
			all += took
		}
		if all >= enoughTime || n >= mostWords || size < n {
			each, met := again.Seconds()/float64(draws), max(0, first-again).Seconds()/float64(draws)
			seconds := (float64(each*float64(units)) + float64(met*float64(min(units, distinct)))) / float64(processors(r, units))
			return &seconds, nil
		}
	}
}

// processors returns how many processors a run for units keeps busy: each batch has one.
// A sample is one batch.
func processors(r *sotto.Rewriter, units int) int {
	batch := wordsPerBatch
	if r.Claim().Unit.Whole() {
		batch = textsPerBatch
	}
	return max(1, min(runtime.GOMAXPROCS(0), units/batch))
}

// timed returns how long a rewriter takes for lines, and for how many units it drew.
func (t *timing) timed(ctx context.Context, r *sotto.Rewriter, lines []byte) (time.Duration, int, error) {
	start := time.Now()
	if t.book != nil && t.book.Card().Encoder.Kind == corpus.Brought { // of the texts only their number matters
		vectors := make([][]float64, bytes.Count(lines, []byte("\n")))
		for i := range vectors {
			vectors[i] = make([]float64, t.book.Dim())
		}
		p, err := r.ReadVectors(vectors, sotto.Position{})
		if err != nil {
			return 0, 0, err
		}
		_, err = p.Draw(ctx)
		return time.Since(start), int(p.Draws()), err
	}
	var counts sotto.Counts
	_, err := r.Copy(ctx, io.Discard, bytes.NewReader(lines), sotto.Stream{Counts: &counts})
	return time.Since(start), counts.Draws, err
}

// sample returns what makes public samples: lines of about n words of the table, or of
// n texts of the corpus. Samples of different n have different words where the table is
// large enough, so that the first draws are for words that the rewriter has not seen.
func (t *timing) sample(r *sotto.Rewriter) (func(n int) (lines []byte, size int), error) {
	table := r.Table()
	if table != nil && (r.Claim().Unit != privacy.Text || t.asked.Model != "") {
		per := lineWords
		if t.asked.DocumentTokens > 0 {
			per = max(1, min(per, t.asked.DocumentTokens/2)) // an entry of the table may be several tokens
		}
		if t.asked.Model != "" {
			per = 4 // a model is for short texts
		}
		return func(n int) ([]byte, int) { return tableLines(table, n, per) }, nil
	}
	book := t.book
	if book == nil {
		var err error
		if book, err = corpus.English(); err != nil {
			return nil, err
		}
	}
	return func(n int) ([]byte, int) { return corpusLines(book, n) }, nil
}

// tableLines returns n words of a table from the n-th on, in lines.
func tableLines(table *embedding.Table, n, per int) (lines []byte, words int) {
	for id := n % table.Len(); words < min(n, table.Len()); id = (id + 1) % table.Len() {
		lines = append(lines, table.Word(embedding.ID(id))...)
		if words++; words%per == 0 {
			lines = append(lines, '\n')
		} else {
			lines = append(lines, ' ')
		}
	}
	return lines, words
}

// corpusLines returns n texts of a corpus, in lines.
func corpusLines(book *corpus.Corpus, n int) (lines []byte, texts int) {
	for ; texts < min(n, book.Len()); texts++ {
		from := len(lines)
		lines = book.AppendText(lines, texts)
		for i, b := range lines[from:] {
			if b == '\n' || b == '\r' {
				lines[from+i] = ' '
			}
		}
		lines = append(lines, '\n')
	}
	return lines, texts
}

// secondsOfVectors estimates how long an embedder draws for units, as secondsOf does.
func secondsOfVectors(ctx context.Context, e *sotto.Embedder, units int) (*float64, error) {
	book, err := corpus.English()
	if err != nil {
		return nil, err
	}
	for n := 64; ; n *= 4 {
		lines, size := corpusLines(book, n)
		texts := bytes.Split(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n"))
		all, least, draws := time.Duration(0), time.Duration(math.MaxInt64), 0
		for range passes {
			start := time.Now()
			_, counts, err := e.EmbedAll(ctx, texts, sotto.Position{})
			if err != nil || counts.Draws == 0 {
				return nil, err
			}
			took := time.Since(start)
			all, least, draws = all+took, min(least, took), counts.Draws
		}
		if all >= enoughTime || n >= mostWords || size < n {
			seconds := least.Seconds() / float64(draws) * float64(units)
			return &seconds, nil
		}
	}
}
