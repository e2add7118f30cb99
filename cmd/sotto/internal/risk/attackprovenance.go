package risk

import (
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

func codebookOf(c *corpus.Corpus) *attackCodebook {
	return &attackCodebook{c.Name(), c.Len(), c.Digest(), c.Card().DeclaredPublic}
}

// read returns what the figures of the attacks so far were computed from.
func (r *attackRun) read() provenance.Inputs {
	what := []string{"texts"}
	if r.labels != nil {
		what = append(what, "labels")
	}
	c := r.sample
	in := provenance.Inputs{{Kind: provenance.Declared(c.Public), Name: cli.ShownInput(c.Texts), What: what}}
	names := c.Corpus
	if c.LM != "" {
		names, what = []string{c.LM}, []string{"texts"}
	}
	public := c.Public
	if r.model != nil {
		public = r.model.Card().Public
	}
	for _, name := range names {
		in = append(in, provenance.Input{Kind: provenance.Declared(public), Name: cli.ShownInput(name), What: what})
	}
	if r.codebook != nil {
		in = append(in, provenance.Input{Kind: provenance.Declared(r.codebook.declared), Name: r.codebook.Name, What: []string{"texts"}})
	}
	return in
}
