package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// openLanguageModel reads a model of train language-model, or an ARPA file, either of
// them compressed too. table is the one whose words the model must have; nil means that
// of the model, and of an ARPA file the embedded one. An ARPA file does not say whether it
// is of public text: public is what the caller declares.
func openLanguageModel(ctx context.Context, name string, table *embedding.Table, public bool) (*language.Model, error) {
	return readLanguageModel(ctx, name, table, func(r io.Reader) (*language.Model, error) {
		words := table
		if words == nil {
			var err error
			if words, err = builtin.English(); err != nil {
				return nil, err
			}
		}
		return language.ReadARPA(ctx, r, words, public)
	})
}

// readLanguageModel reads a model, which must have the words of a table unless that is nil,
// or an ARPA file by a function.
func readLanguageModel(ctx context.Context, name string, table *embedding.Table, arpa func(io.Reader) (*language.Model, error)) (*language.Model, error) {
	data, err := readPlain(ctx, name)
	if err != nil {
		return nil, err
	}
	var m *language.Model
	if language.IsModel(data) {
		if m, err = language.Read(ctx, data); err == nil && table != nil {
			err = m.Check(table)
		}
	} else {
		m, err = arpa(bytes.NewReader(data))
	}
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, err
}

// readPlain reads a file that may be compressed.
func readPlain(ctx context.Context, name string) ([]byte, error) {
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, err := compress.NewReader(name, f)
	var data []byte
	if err == nil {
		data, err = io.ReadAll(plain)
		err = errors.Join(err, plain.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainError(err))
	}
	return data, nil
}

// model opens the model to measure. An ARPA file has its own words unless a table is given.
func (c *trainMeasureCmd) model(ctx context.Context) (*language.Model, error) {
	if c.Embeddings != "" {
		table, err := openTable(ctx, c.Embeddings)
		if err != nil {
			return nil, err
		}
		return openLanguageModel(ctx, c.LM, table, false)
	}
	return readLanguageModel(ctx, c.LM, nil, func(r io.Reader) (*language.Model, error) {
		return language.ReadARPAAlone(ctx, r, false)
	})
}

// predict measures how well a language model predicts texts.
func (c *trainMeasureCmd) predict(ctx context.Context, term *terminal) error {
	if c.Beam != 1 || c.Epsilon != nil || len(c.Param) > 0 || c.InsecureSeed != nil {
		return wrongUsage("", "--beam, --epsilon, --param and --insecure-seed cannot be used with --lm")
	}
	if err := c.checkFormat(); err != nil {
		return err
	}
	m, err := c.model(ctx)
	if err != nil {
		return err
	}
	unknown := 0
	measured, err := m.Measure(c.tokens(ctx, term, c.files(), tokenize.NewTokenizer(m.Vocabulary()), &unknown))
	if err != nil {
		return err
	}
	if measured.Tokens == 0 {
		return errors.New("the corpus has no texts")
	}
	if c.JSON {
		return printJSON(term, struct {
			language.Measured
			Unknown int    `json:"unknown_tokens"`
			SHA256  string `json:"sha256"`
		}{measured, unknown, m.Digest()})
	}
	_, err = fmt.Fprintf(term.out, "perplexity %.4f over %s, the ends of texts included (%d unknown)\n", measured.Perplexity, plural(measured.Tokens, "token"), unknown)
	return err
}
