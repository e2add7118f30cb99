package main

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/tune"
)

// wholeTexts finds the epsilon of a mechanism for whole texts that meets a target. It
// reads public texts only.
func (c *tuneCmd) wholeTexts(ctx context.Context, term *terminal) error {
	target := tune.Target{Figure: tune.Topic}
	switch {
	case c.Linkage != nil:
		target = tune.Target{Figure: tune.Linkage, Value: *c.Linkage}
	case c.Texts == "":
		return wrongUsage("", "--topic needs --texts, public texts with labels")
	case c.Label == "":
		return wrongUsage("", "--topic needs --label, the column or path of the labels of --texts")
	default:
		target.Value = *c.Topic
	}
	if c.LM != "" || c.Order != 0 {
		return wrongUsage("", "--lm and --order are for attacks on words")
	}
	if c.Embeddings != "" || c.Words != nil || c.Never != "" {
		return wrongUsage("", "--embeddings, --words and --never are for mechanisms that replace words")
	}
	if err := c.choose(mechanism.UseTexts); err != nil {
		return err
	}
	entry, err := admitted(c.Mechanism, c.Accept)
	if err != nil {
		return err
	}
	if entry.NewRetriever == nil && c.Linkage != nil {
		return wrongUsage("give public texts like yours with --texts FILE --public", "--linkage of %s is measured on a sample", c.Mechanism)
	}
	if entry.NewRetriever == nil {
		return wrongUsage("", "--topic is for mechanisms that replace whole texts: %s does not", c.Mechanism)
	}
	texts, book, err := c.texts(ctx, term, c.Corpus)
	if err != nil {
		return err
	}
	spec := newSpec(c.Param, term.progress())
	maps.Copy(spec.Parameters, given(c.sharedFlags))
	found, err := tune.SearchTexts(ctx, entry, texts, spec, target)
	if err != nil {
		return err
	}
	flags := fmt.Sprintf("--mechanism %s --epsilon %v", found.Mechanism, found.Epsilon) + paramFlags(spec.Parameters)
	if c.Corpus != "" {
		flags += " --corpus " + strconv.Quote(c.Corpus)
	}
	if c.Accept != "" {
		flags += " --accept " + c.Accept
	}
	if c.JSON {
		read := provenance.Inputs{publicInput(book)}
		if c.Label != "" {
			read = read.Add(provenance.Input{Kind: provenance.Declared(c.Public), Name: shownInput(c.Texts), What: []string{"texts", "labels"}})
		}
		return printJSON(term, struct {
			tune.TextResult
			Flags      string            `json:"flags"`
			Privacy    string            `json:"privacy"`
			Provenance provenance.Inputs `json:"provenance"`
		}{found, flags, read.Of(provenance.Figures), read})
	}
	if err := printTextRows(term, []tune.TextRow{found.TextRow}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.out, "target %s %g, %s\nsotto rewrite %s\n", found.Figure, found.Wanted, found.Verdict, flags)
	return err
}
