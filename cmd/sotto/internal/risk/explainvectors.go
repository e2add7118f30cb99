package risk

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/request"
)

// ofVectorsAlone reports whether a member replaces neither words nor texts, and releases
// vectors.
func ofVectorsAlone(entry mechanism.Entry) bool {
	return entry.New == nil && entry.NewRetriever == nil && entry.NewLatent == nil && entry.NewPerturber != nil
}

// vectors explains the release of whole texts' vectors.
func (c *ExplainCmd) vectors(ctx context.Context, term *cli.Terminal) error {
	if c.Exposed != nil {
		return cli.WrongUsage("", "--exposed is for mechanisms that replace words: %s releases vectors of whole texts", c.Mechanism)
	}
	if c.Unit == "word" {
		return cli.WrongUsage("leave it out", "--unit word is not for %s, which releases vectors of whole texts", c.Mechanism)
	}
	asked := request.Embedding{Opening: c.Opening, Vocabulary: c.Vocabulary, Listed: c.Listed, Encoding: c.Encoding, Represented: request.Represented{Corpus: c.Corpus}}
	cfg, err := asked.Config(ctx, "explain", opening.Sources(term.Progress()))
	if err != nil {
		return err
	}
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return err
	}
	var texts []sotto.ExplainedVector
	for _, text := range c.Word {
		x, err := e.Explain(text)
		var noChannel *sotto.NoChannelError
		switch {
		case errors.As(err, &noChannel):
			return cli.WrongUsage("choose a channel, such as neighbours, tem or exponential", "%v", err)
		case err != nil:
			return err
		}
		texts = append(texts, x)
	}
	claim := e.Statement(sotto.Counts{}).Claim
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"vectors": texts, "claim": claim})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	for _, x := range texts {
		fmt.Fprintf(w, "%s\n", x.Text)
		where := "a direction of the cap around its own"
		if x.Codebook > 0 {
			where = fmt.Sprintf("one of its %d nearest of %d public directions", x.Neighbours, x.Codebook)
		}
		fmt.Fprintf(w, "  becomes\t%s with probability %.4f, any other one otherwise\n", where, x.Inside)
		fmt.Fprintf(w, "  dimensions\t%d\n", x.Dimensions)
		fmt.Fprintf(w, "  cosine\t%.4f expected, between the released vector and the text's own\n", x.Cosine)
		fmt.Fprintf(w, "  error\t%.4g expected squared distance of the unbiased vector from the text's own, which has length 1\n", x.SquaredError)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Out, "\n%s\n", claim)
	return err
}
