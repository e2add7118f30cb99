package risk

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/tune"
)

// wholeTexts finds the epsilon of a mechanism for whole texts that meets a target. It
// reads public texts only.
func (c *TuneCmd) wholeTexts(ctx context.Context, term *cli.Terminal) error {
	target := tune.Target{Figure: tune.Topic}
	switch {
	case c.Linkage != nil:
		target = tune.Target{Figure: tune.Linkage, Value: *c.Linkage}
	case c.Texts == "":
		return cli.WrongUsage("", "--topic needs --texts, public texts with labels")
	case c.Label == "":
		return cli.WrongUsage("", "--topic needs --label, the column or path of the labels of --texts")
	default:
		target.Value = *c.Topic
	}
	if c.LM != "" || c.Order != 0 {
		return cli.WrongUsage("", "--lm and --order are for attacks on words")
	}
	if c.Embeddings != "" || c.Words != nil || c.Never != "" {
		return cli.WrongUsage("", "--embeddings, --words and --never are for mechanisms that replace words")
	}
	entry, err := c.entry(mechanism.UseTexts)
	if err != nil {
		return err
	}
	if entry.NewRetriever == nil && c.Linkage != nil {
		return cli.WrongUsage("give public texts like yours with --texts FILE --public", "--linkage of %s is measured on a sample", entry.Name)
	}
	if entry.NewRetriever == nil {
		return cli.WrongUsage("", "--topic is for mechanisms that replace whole texts: %s does not", entry.Name)
	}
	texts, book, err := c.texts(ctx, term, c.Corpus)
	if err != nil {
		return err
	}
	words, err := c.AboutWords(ctx)
	if err != nil {
		return err
	}
	known, err := c.knowledge(ctx, term, c.Corpus, words)
	if err != nil {
		return err
	}
	spec := c.spec(term.Progress())
	found, err := tune.SearchTexts(ctx, entry, texts, spec, target)
	if err != nil {
		return err
	}
	flags := c.textFlags(found, spec, book)
	if c.JSON {
		read := append(provenance.Inputs{opening.PublicInput(book)}, c.AboutFlag.Inputs()...)
		if c.Label != "" {
			read = read.Add(provenance.Input{Kind: provenance.Declared(c.Public), Name: cli.ShownInput(c.Texts), What: []string{"texts", "labels"}})
		}
		return cli.PrintJSON(term, struct {
			tune.TextResult
			// PublicKnowledge is the accuracy of what words for labels teach alone.
			PublicKnowledge *float64          `json:"public_knowledge,omitempty"`
			Flags           string            `json:"flags"`
			Privacy         string            `json:"privacy"`
			Provenance      provenance.Inputs `json:"provenance"`
		}{found, known, flags, read.Of(provenance.Figures), read})
	}
	if err := printTextRows(term, []tune.TextRow{found.TextRow}); err != nil {
		return err
	}
	if known != nil {
		fmt.Fprintf(term.Out, "public knowledge, the words for labels alone: %.3f of the texts\n", *known)
	}
	_, err = fmt.Fprintf(term.Out, "target %s %g, %s\nsotto rewrite %s\n", found.Figure, found.Wanted, found.Verdict, flags)
	if err == nil && brought(book) {
		_, err = fmt.Fprintln(term.Out, "CMD is the program that made the vectors of the corpus; --text-vectors FILE.npy gives those of the texts instead")
	}
	return err
}

// textFlags are the flags of rewrite for what was found.
func (c *TuneCmd) textFlags(found tune.TextResult, spec mechanism.Spec, book *corpus.Corpus) string {
	flags := fmt.Sprintf("--mechanism %s --epsilon %v", found.Mechanism, found.Epsilon) + paramFlags(spec.Parameters)
	if c.Corpus != "" {
		flags += " --corpus " + strconv.Quote(c.Corpus)
	}
	if brought(book) { // its file does not have the command
		flags += " --encoder-program CMD"
	}
	if c.Accept != "" {
		flags += " --accept " + c.Accept
	}
	return flags
}

// brought reports whether the vectors of a corpus are those of the user's own encoder.
func brought(book *corpus.Corpus) bool { return book.Card().Encoder.Kind == corpus.Brought }
