package opening

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/request"
)

// Corpus opens the embedded corpus, one of the library, or a file.
func Corpus(ctx context.Context, name string) (*corpus.Corpus, error) {
	if name == "" {
		name = corpus.EnglishName
	}
	if !corpus.IsMade(name) && cli.OnTerminal(os.Stderr) {
		fmt.Fprintf(os.Stderr, "sotto: making the corpus %s, which happens once and takes a few seconds\n", name)
	}
	c, err := cli.Within(ctx, func() (*corpus.Corpus, error) { return corpus.Find(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.WrongUsage("see sotto corpus list", "there is no corpus and no file %s", strconv.Quote(name))
	}
	var other *corpus.FileError
	if errors.As(err, &other) && other.IsOther() {
		return nil, fmt.Errorf("%w; sotto corpus build makes one of public texts", err)
	}
	return c, err
}

// NoteDefaultCorpus prints that no corpus was named, so that texts of no field come out. It
// depends on the flags alone: a hint that depended on the private texts would reveal
// something of them.
func NoteDefaultCorpus(w io.Writer, named string) {
	if named == "" {
		fmt.Fprintln(w, "sotto: note: the corpus is general English; --corpus support fits tickets, and so on: see sotto corpus list")
	}
}

// Encoder returns the encoder of a corpus. table names the table of its word vectors;
// if empty, the table is found by its name in the corpus.
func Encoder(ctx context.Context, c *corpus.Corpus, table string) (*corpus.Encoder, error) {
	var words *embedding.Table
	if table != "" {
		var err error
		if words, err = Table(ctx, table); err != nil {
			return nil, err
		}
	}
	e, err := c.Encoder(words)
	if err == nil && e == nil {
		return nil, &cli.UsageError{Err: fmt.Errorf("%s was built with --vectors: %w", c.Name(), ErrNoEncoder)}
	}
	return e, err
}

// ErrNoEncoder is that of a corpus with vectors of another program's encoder.
var ErrNoEncoder = errors.New("it has no encoder for other texts")

// BroughtVectors are the vectors of --vectors.
type BroughtVectors struct {
	*npy.Matrix
	File *os.File
}

// Vectors opens a NumPy file. Rows are read on demand, so it must be a regular file.
func Vectors(ctx context.Context, name string) (*BroughtVectors, error) {
	f, err := cli.OpenFile(ctx, name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file: vectors cannot be read from a pipe")
	}
	var m *npy.Matrix
	if err == nil {
		m, err = npy.Open(f, info.Size())
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	return &BroughtVectors{m, f}, nil
}

// PublicInput is a corpus, whose texts were read for the features.
func PublicInput(c *corpus.Corpus) provenance.Input {
	return provenance.Input{Kind: provenance.Declared(c.Card().DeclaredPublic), Name: c.Name(), What: []string{"texts"}}
}

// OrTextVectors returns sources for a command that takes the vectors of texts too.
func OrTextVectors(from request.Sources) request.Sources {
	encode := from.Encode
	from.Encode = func(ctx context.Context, c *corpus.Corpus, command string) (corpus.TextEncoder, error) {
		if command == "" {
			return nil, lacksEncoder(c, ", or vectors with --text-vectors FILE.npy, row i for record i")
		}
		return encode(ctx, c, command)
	}
	return from
}

func lacksEncoder(c *corpus.Corpus, or string) error {
	return cli.WrongUsage("give its program with --encoder-program"+or, "corpus %s has vectors of another program's encoder: the texts need theirs", c.Name())
}

// Encode starts the encoder of a corpus that was built with given vectors; ctx ends it.
func Encode(ctx context.Context, c *corpus.Corpus, command string) (corpus.TextEncoder, error) {
	if command == "" {
		return nil, lacksEncoder(c, "")
	}
	p, err := EncoderProgram(ctx, command, c)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, p.Close)
	return p, nil
}

// FinishEncoder ends an encoder that is a program, before what was made of its vectors appears. It
// may only then show that they were those of other texts.
func FinishEncoder(e corpus.TextEncoder) error {
	if p, ok := e.(*program.Program); ok && p != nil {
		return p.Finish()
	}
	return nil
}

// EncoderProgram starts an encoder and refuses a corpus with vectors of another one.
func EncoderProgram(ctx context.Context, command string, c *corpus.Corpus) (*program.Program, error) {
	if c.Card().Encoder.Kind != corpus.Brought {
		return nil, cli.WrongUsage("", "--encoder-program needs a corpus built with it: %s has its own encoder", c.Name())
	}
	p, err := program.Start(ctx, command)
	if err != nil {
		return nil, err
	}
	if err := p.Fits(ctx, c); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}
