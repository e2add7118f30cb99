package opening

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/language"
)

// LanguageModel reads a model of train language-model, or an ARPA file, either of
// them compressed too. table is the one whose words the model must have; nil means that
// of the model, and of an ARPA file the embedded one. An ARPA file does not say whether it
// is of public text: public is what the caller declares.
func LanguageModel(ctx context.Context, name string, table *embedding.Table, public bool) (*language.Model, error) {
	return ReadLanguageModel(ctx, name, table, func(r io.Reader) (*language.Model, error) {
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

// ReadLanguageModel reads a model, which must have the words of a table unless that is nil,
// or an ARPA file by a function.
func ReadLanguageModel(ctx context.Context, name string, table *embedding.Table, arpa func(io.Reader) (*language.Model, error)) (*language.Model, error) {
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
	f, err := cli.OpenInput(ctx, name)
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
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	return data, nil
}
