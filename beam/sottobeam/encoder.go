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
