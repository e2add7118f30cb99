package models

import (
	"context"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// reveals returns what the figures of a model were computed from. public says that its texts
// were declared public. The measured texts are read as they are, unless they are those of a
// corpus that was declared public.
func (c *trainMeasureCmd) reveals(ctx context.Context, model string, public bool) (provenance.Inputs, error) {
	in := provenance.Inputs{{Kind: provenance.Declared(public), Name: cli.ShownInput(model), What: []string{"texts"}}}
	for _, name := range c.files() {
		kind := provenance.Clear
		if strings.HasSuffix(name, corpus.Extension) || corpus.IsBuiltin(name) {
			book, err := cli.Within(ctx, func() (*corpus.Corpus, error) { return corpus.Find(name) })
			if err != nil {
				return nil, err
			}
			kind = provenance.Declared(book.Card().DeclaredPublic)
		}
		in = append(in, provenance.Input{Kind: kind, Name: cli.ShownInput(name), What: []string{"texts"}})
	}
	return in, nil
}
