package sottobeam

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// programs are the encoders of this process, by their commands: one for all configurations, until
// the process ends.
var programs once[*program.Program]

// encode returns the encoder of a corpus that was built with given vectors; nil for one with an
// encoder of its own.
func encode(ctx context.Context, c *corpus.Corpus, command string) (corpus.TextEncoder, error) {
	brought := c.Card().Encoder.Kind == corpus.Brought
	switch {
	case brought && command == "":
		return nil, privacy.Wrong("sottobeam", "corpus", "it has vectors of another program's encoder, and elements hold texts", "set EncoderProgram to that program")
	case !brought && command == "":
		return nil, nil
	case !brought:
		return nil, privacy.Unwanted("sottobeam", "encoder program", "with a corpus that has its own encoder")
	}
	p, err := programs.get(command, func() (*program.Program, error) { return program.Start(context.Background(), command) })
	if err != nil {
		return nil, err
	}
	return p, p.Fits(ctx, c)
}

// encoded gives records the vectors of their texts, where the program makes them.
func (m *maker) encoded(records []synthesis.Record) error {
	if m.encode == nil || len(records) == 0 {
		return nil
	}
	texts := make([][]byte, len(records))
	for i := range records {
		texts[i] = records[i].Text
	}
	vectors, err := m.encode.Vectors(context.Background(), texts)
	for i, v := range vectors {
		records[i].Vector = v
	}
	return err
}

// confirm asks the program of a command for a public text once more, before what was made of its
// vectors is kept: a runner repeats a bundle that fails.
func confirm(command string) error { return ofProgram(command, (*program.Program).Confirm) }

// finish ends the program of a command, which begins again if another bundle needs it.
func finish(command string) error { return ofProgram(command, (*program.Program).Finish) }

// ofProgram calls a method of the program of a command, if it was started.
func ofProgram(command string, do func(*program.Program) error) error {
	opened, ok := programs.Load(command)
	if !ok {
		return nil
	}
	p, err := opened.(func() (*program.Program, error))()
	if err != nil {
		return nil // which whoever started it knows
	}
	return do(p)
}

// Confirm returns an error if the vectors of texts so far may be those of other texts. Whoever
// uses the Rewriter calls it before the output appears.
func (w *Worker) Confirm() error { return confirm(w.cfg.EncoderProgram) }

// Finish is Confirm, and ends the program that makes the vectors, until it is needed again.
func (w *Worker) Finish() error { return finish(w.cfg.EncoderProgram) }
