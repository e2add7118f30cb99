package corpora

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// recordVectors are the vectors of the records: given, made by a program, or of the corpus's
// own encoder.
type recordVectors struct {
	given   *opening.BroughtVectors
	program *program.Program
}

// vectors opens the vectors of the records.
func (c *SynthesizeCmd) vectors(ctx context.Context, plan *synthesis.Plan) (v recordVectors, err error) {
	switch {
	case c.EncoderProgram != "":
		return recordVectors{program: c.program}, nil
	case c.TextVectors == "":
		return v, nil
	}
	if v.given, err = opening.Vectors(ctx, c.TextVectors); err != nil {
		return v, err
	}
	if dim := plan.Dim(); v.given.Cols != dim {
		v.close()
		return v, cli.WrongUsage("", "%s has vectors of %d components, the corpus of %d", c.TextVectors, v.given.Cols, dim)
	}
	return v, nil
}

// rowsDiffer says that there are more or fewer vectors than records. Who sees it learns the
// number of records: that is for the operator, and in no exit code of a release.
func (c *SynthesizeCmd) rowsDiffer(rows, records int) string {
	return fmt.Sprintf("%s has %s for %s", c.TextVectors, cli.Plural(rows, "row"), cli.Plural(records, "record"))
}

func (v recordVectors) close() {
	if v.given != nil {
		_ = v.given.File.Close() // read only
	}
	if v.program != nil {
		v.program.Close()
	}
}

// input returns what is read of records.
func (v recordVectors) input(rows text.Rows, workers int) synthesis.Input {
	in := synthesis.Input{Rows: rows, Workers: workers}
	if v.given != nil {
		in.Vectors = v.given
	}
	if v.program != nil {
		in.Encode = v.program
	}
	return in
}

// warnOfRows warns a person at a terminal of more or fewer vectors than records. A log may be
// kept, so nothing is said there, and no run ends for it: either would reveal the number.
func (c *SynthesizeCmd) warnOfRows(term *cli.Terminal, vectors recordVectors, records int64) {
	if vectors.given != nil && int64(vectors.given.Rows) != records && !c.Quiet && cli.OnTerminal(term.Err) {
		fmt.Fprintf(term.Err, "sotto: warning: %s: give one row per record; see --check\n", c.rowsDiffer(vectors.given.Rows, int(records)))
	}
}

// countedRows counts the rows that were read.
type countedRows struct {
	text.Rows
	n *atomic.Int64
}

func (r countedRows) Next() (text.RowBatch, error) {
	b, err := r.Rows.Next()
	if err != nil {
		return nil, err
	}
	return countedBatch{b, r.n}, nil
}

type countedBatch struct {
	text.RowBatch
	n *atomic.Int64
}

func (b countedBatch) Rows() []text.Row {
	rows := b.RowBatch.Rows()
	b.n.Add(int64(len(rows)))
	return rows
}
