package risk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

func (c *ExplainCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Top < 0 {
		return cli.WrongUsage("", "--top must be 0 or more, got %d", c.Top)
	}
	if err := c.exposedFlag.check(); err != nil {
		return err
	}
	asked := request.Request{Opening: c.Opening, Vocabulary: c.Vocabulary, Listed: c.Listed, Protected: c.Protected, Encoding: c.Encoding}
	if len(c.Word) == 0 && asked.Whole() {
		return cli.WrongUsage("try sotto explain --unit text --epsilon 4 'My order is late.'", "explain --unit text needs a text")
	}
	if len(c.Word) == 0 && c.Exposed == nil {
		return cli.WrongUsage("try sotto explain --epsilon 8 doctor", "explain needs a WORD or --exposed")
	}
	if entry, ok := catalog.Find(c.Mechanism); ok && ofVectorsAlone(entry) {
		return c.vectors(ctx, term)
	}
	cfg, err := asked.Config(ctx, "explain", opening.Sources(term.Progress()))
	if err != nil {
		return err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	if r.Claim().Unit == privacy.Text {
		if c.Exposed != nil {
			return cli.WrongUsage("", "--exposed is for mechanisms that replace words: a whole text is in no table")
		}
		return c.texts(term, r)
	}
	words, err := ExplainWords(r, c.Word, c.Top)
	if err != nil {
		return err
	}
	exposed, err := c.exposed(ctx, term, r)
	if err != nil {
		return err
	}
	claim, reader := r.Mechanism().Claim(), r.Statement(sotto.Counts{}).Reader()
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"words": words, "claim": claim, "reader": reader, "most_exposed": exposed})
	}
	if err := printExplained(term, words, claim, r.Table()); err != nil {
		return err
	}
	if err := cli.PrintPieces(term, r.Table(), claim.Unit); err != nil {
		return err
	}
	if reader != "" {
		if _, err := fmt.Fprintln(term.Out, reader); err != nil {
			return err
		}
	}
	return printExposed(term, exposed, r.Table().Len())
}

// ExplainWords explains each token of the words.
func ExplainWords(r *sotto.Rewriter, list []string, top int) (words []sotto.Explained, err error) {
	words = []sotto.Explained{} // null is no list
	for i, word := range list {
		all, err := r.Explain(word, top)
		var noChannel *sotto.NoChannelError
		var empty *privacy.ParameterError
		switch {
		case errors.As(err, &noChannel):
			return nil, cli.WrongUsage("choose a channel, such as neighbours, tem or exponential", "%v", err)
		case errors.As(err, &empty):
			return nil, cli.WrongUsage("", "word %d contains no token", i+1)
		case err != nil:
			return nil, err
		}
		words = append(words, all...)
	}
	return words, nil
}

func printExplained(term *cli.Terminal, words []sotto.Explained, claim privacy.Claim, table *embedding.Table) error {
	w := cli.NewCellWriter(term.Out)
	for _, e := range words {
		switch {
		case e.Given != "":
			fmt.Fprintf(w, "%s (on the list of --never: read as %s)\n", e.Given, e.Word)
		case e.Known:
			fmt.Fprintf(w, "%s\n", e.Word)
		default:
			fmt.Fprintf(w, "%s\t(every word that the table lacks)\n", e.Word)
		}
		fmt.Fprintf(w, "  stays\t%.4f\n  moves\t%.2f on average\n", e.Unchanged, e.ExpectedDistance)
		if e.Neighbours > 0 {
			fmt.Fprintf(w, "  set\t%.4f\ttogether, for %s with equal probability\n", e.Inside, cli.Plural(e.Neighbours, "output"))
		}
		shown, largest := 0.0, 0.0
		for _, o := range e.Outputs {
			shown, largest = shown+o.Probability, max(largest, o.Probability)
		}
		for _, o := range e.Outputs {
			fmt.Fprintf(w, "  %s\t%.6f\t%s\n", w.Cell(o.Word), o.Probability, strings.Repeat("#", int(math.Round(24*o.Probability/largest))))
		}
		if rest := table.Len() - len(e.Outputs); rest > 0 {
			fmt.Fprintf(w, "  %d others\t%.6f\ttogether\n", rest, max(0, 1-shown))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(words) > 0 {
		fmt.Fprintln(term.Out) // the next line reports what fails
	}
	_, err := fmt.Fprintln(term.Out, claim)
	return err
}

// texts explains whole texts: the set of each, with probabilities.
func (c *ExplainCmd) texts(term *cli.Terminal, r *sotto.Rewriter) error {
	texts, err := ExplainTexts(r, c.Word, c.Top)
	if err != nil {
		return err
	}
	book := r.Statement(sotto.Counts{}).Corpus
	if c.JSON {
		return cli.PrintJSON(term, TextsDocument(r, texts))
	}
	set := "its %d nearest public texts"
	if slices.ContainsFunc(r.Settings(), func(s mechanism.Setting) bool { return s.Name == "compared" }) {
		set = "the %d public texts that the index finds nearest"
	}
	for _, e := range texts {
		others := ""
		switch n := book.Texts - e.Neighbours; n {
		case 0:
		case 1:
			others = ", the other one otherwise"
		default:
			others = fmt.Sprintf(", one of the %d others otherwise", n)
		}
		fmt.Fprintf(term.Out, "%s\n  becomes one of "+set+" with probability %.4f%s\n", e.Text, e.Neighbours, e.Inside, others)
		shown := 0.0
		for _, o := range e.Outputs {
			shown += o.Probability
			fmt.Fprintf(term.Out, "  %.6f  %s\n", o.Probability, o.Text)
		}
		if rest := book.Texts - len(e.Outputs); rest > 0 {
			fmt.Fprintf(term.Out, "  %.6f  (%d others together)\n", max(0, 1-shown), rest)
		}
	}
	_, err = fmt.Fprintf(term.Out, "\n%s\n", r.Claim())
	return err
}

func ExplainTexts(r *sotto.Rewriter, list []string, top int) (texts []sotto.ExplainedText, err error) {
	for _, text := range list {
		e, err := r.ExplainText(text, top)
		if err != nil {
			return nil, err
		}
		texts = append(texts, e)
	}
	return texts, nil
}

// TextsDocument returns the JSON document of explained texts.
func TextsDocument(r *sotto.Rewriter, texts []sotto.ExplainedText) map[string]any {
	return map[string]any{"texts": texts, "codebook": r.Statement(sotto.Counts{}).Corpus, "claim": r.Claim()}
}
