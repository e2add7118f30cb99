package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// leftOut counts the records that could not be read.
var leftOut = beam.NewCounter("sotto", "failures")

// partJob rewrites one part.
type partJob struct {
	worker *sottobeam.Worker
	cfg    Config
	part   part
	failed func(sottobeam.Failure)
}

// run rewrites the part into its output unless that stands, and returns what the
// output holds.
func (j *partJob) run(ctx context.Context) (sotto.Counts, error) {
	name := j.cfg.name(j.part)
	done, err := exists(ctx, name)
	if err != nil {
		return sotto.Counts{}, err
	}
	format := j.cfg.formatOf(j.part.File)
	batches := &sotto.Batches{Rewriter: j.worker.Rewriter}
	if done {
		// Counted again from the input, and not drawn.
		err := j.copy(ctx, io.Discard, format, func(texts [][]byte, _ uint64) ([][]byte, error) {
			return texts, batches.Count(texts)
		})
		return batches.Counts(), err
	}
	batches.Charge = func(ctx context.Context, batch uint64, p *sotto.Pending) error {
		return j.worker.Charge(ctx, fmt.Sprintf("%s\x00%d\x00%d", path.Base(j.part.File), j.part.Number, batch), p)
	}
	var out bytes.Buffer
	err = j.copy(ctx, &out, format, func(texts [][]byte, batch uint64) ([][]byte, error) {
		// In a seeded run the batches of a file are told apart by its parts.
		return batches.Rewrite(ctx, texts, uint64(j.part.Number)<<12+batch)
	})
	if err != nil {
		return sotto.Counts{}, err
	}
	return batches.Counts(), writeOnce(ctx, name, out.Bytes())
}

// copy sends the texts of the part through rewrite, the records that can be read.
func (j *partJob) copy(ctx context.Context, out io.Writer, format text.Format, rewrite text.Rewriter) error {
	if format == text.Parquet {
		data, err := readAll(ctx, j.part.File)
		if err != nil {
			return err
		}
		return parquet.Copy(ctx, out, bytes.NewReader(data), int64(len(data)), parquet.Options{
			Fields: j.cfg.Fields, Rewrite: rewrite, Workers: 1, Part: j.part.Number + 1,
		})
	}
	data, err := j.readable(ctx, format)
	if err != nil {
		return err
	}
	return text.Copy(ctx, out, bytes.NewReader(append(bytes.Clone(j.part.Header), data...)), text.Options{
		Format: format, Fields: j.cfg.Fields, Rewrite: rewrite, Workers: 1,
	})
}

// readable is the part without the records that cannot be read, which it
// reports. Of CSV, whose records have no line of their own, a part goes as a
// whole.
func (j *partJob) readable(ctx context.Context, format text.Format) ([]byte, error) {
	data, gone := j.part.Data, 0
	for {
		err := text.Scan(bytes.NewReader(append(bytes.Clone(j.part.Header), data...)), text.ScanOptions{Format: format, Fields: j.cfg.Fields},
			func(string, [][]byte) error { return nil })
		var fault *text.InputError
		if !errors.As(err, &fault) {
			return data, err
		}
		leftOut.Inc(ctx, 1)
		line := fault.Line - bytes.Count(j.part.Header, []byte("\n")) // within data, from 1
		j.failed(sottobeam.Failure{Key: fmt.Sprintf("%s:%d", j.part.File, j.part.Line+line-1+gone), What: fault.What})
		if format == text.CSV {
			return nil, nil
		}
		data, gone = without(data, line), gone+1
	}
}

// without is data without one line, from 1.
func without(data []byte, line int) []byte {
	from := 0
	for range line - 1 {
		from += bytes.IndexByte(data[from:], '\n') + 1
	}
	to := len(data)
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		to = from + i + 1
	}
	return append(bytes.Clone(data[:from]), data[to:]...)
}
