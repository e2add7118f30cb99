package risk

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/tune"
)

// recovered is the target of --recovered.
const recovered = "recovered"

// tunedRisk is the output of tune --json for a risk that is measured on a sample.
type tunedRisk struct {
	attack.Row
	Figure string  `json:"target"`
	Wanted float64 `json:"target_value"`
	Found  float64 `json:"target_found"`
	// AtMost is the bound that was compared with the target, for independent texts. With
	// probability Confidence over samples, the search reaches no epsilon whose risk is above
	// the target. Of the bound at the epsilon that was found, nothing is proved.
	AtMost     float64      `json:"target_high"`
	Reached    bool         `json:"reached"`
	Verdict    string       `json:"verdict"`
	Looks      int          `json:"looks"` // epsilons at which the sample was attacked
	Confidence float64      `json:"confidence"`
	Texts      int          `json:"texts"`
	Known      int          `json:"known_texts"`
	Unknown    *float64     `json:"unknown"`
	Model      *attackModel `json:"model"`
	Seed       uint64       `json:"seed"`
	Flags      string       `json:"flags"`
	// Privacy states what the figures and the epsilon reveal, Provenance what they were
	// computed from.
	Privacy    string            `json:"privacy"`
	Provenance provenance.Inputs `json:"provenance"`
}

// risk finds the largest epsilon at which what an attack on public texts finds is at most
// a target.
func (c *TuneCmd) risk(ctx context.Context, term *cli.Terminal, target tune.Target) error {
	if !(target.Value > 0 && target.Value < 1) {
		return cli.WrongUsage("", "--%s must be above 0 and below 1, got %g", target.Figure, target.Value)
	}
	entry, err := c.attackable(target)
	if err != nil {
		return err
	}
	words := entry.New != nil
	sample, err := c.attacked(c.TableFlags, c.Corpus, words, entry.NewRetriever != nil)
	if err != nil {
		return err
	}
	run, err := sample.begin(ctx, term, words, "")
	if err != nil {
		return err
	}
	if !run.public {
		return cli.WrongUsage("", notPublicModel)
	}
	least := attack.LeastEpsilon
	if entry.Above != nil {
		above, err := entry.Above(ctx, run.table)
		if err != nil {
			return err
		}
		least = max(least, above+0.01)
	}
	spec := c.spec(term.Progress())
	rows := map[float64]attack.Row{} // of the epsilons that were attacked whole
	found, err := attack.Search(ctx, least, target.Value, func(ctx context.Context, epsilon float64) (*attack.Share, error) {
		at := spec
		at.Epsilon = epsilon
		if words && target.Figure != recovered {
			return run.linkedWords(ctx, entry, at)
		}
		row, err := run.attack(ctx, entry, at)
		rows[epsilon] = row
		if target.Figure == recovered {
			return row.Intervals["recovered_in_context"], err
		}
		return row.Intervals["linked"], err
	})
	if err != nil {
		return err
	}
	row, ok := rows[found.Epsilon]
	if !ok {
		at := spec
		at.Epsilon = found.Epsilon
		if row, err = run.attack(ctx, entry, at); err != nil {
			return err
		}
	}
	document := run.document()
	document.Rows = []attack.Row{row}
	run.reveal(&document)
	result := tunedRisk{Row: row, Figure: target.Figure, Wanted: target.Value, Found: found.Share.Share, AtMost: found.AtMost,
		Reached: found.Reached, Verdict: found.String(), Looks: found.Looks, Confidence: attack.Confidence, Texts: len(run.texts), Known: run.known, Unknown: document.Unknown,
		Model: document.Model, Seed: sample.Seed, Flags: c.riskFlags(entry, found.Epsilon, spec), Privacy: document.Privacy, Provenance: document.Provenance}
	if c.JSON {
		return cli.PrintJSON(term, result)
	}
	if err := printAttacked(term, &document); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(term.Out, "target %s %g, %s; %s searched\n", target.Figure, target.Value, result.Verdict, cli.Plural(result.Looks, "epsilon")); err != nil || !result.Reached {
		return err
	}
	if _, err := fmt.Fprintf(term.Out, "With confidence %g over samples, this search ends at no epsilon whose risk is above %g.\n", attack.Confidence, target.Value); err != nil {
		return err
	}
	command := "rewrite"
	if !words && entry.NewRetriever == nil {
		command = "embed"
	}
	_, err = fmt.Fprintf(term.Out, "sotto %s %s\n", command, result.Flags)
	return err
}

// attackable returns the mechanism to tune.
func (c *TuneCmd) attackable(target tune.Target) (mechanism.Entry, error) {
	switch {
	case c.Texts == "":
		return mechanism.Entry{}, cli.WrongUsage("give public texts like yours: --texts FILE --public, with --corpus or --lm", "--%s is measured on a sample", target.Figure)
	case c.Label != "":
		return mechanism.Entry{}, cli.WrongUsage("", "--label is for --topic")
	}
	use := mechanism.UseTexts
	if target.Figure == recovered {
		use = mechanism.UseWords
	}
	entry, err := c.entry(use)
	switch {
	case err != nil:
		return entry, err
	case entry.New == nil && target.Figure == recovered:
		return entry, cli.WrongUsage("use --linkage", "--recovered is for mechanisms that replace words: %s does not", entry.Name)
	case entry.New == nil && entry.NewRetriever == nil && entry.NewPerturber == nil:
		return entry, cli.WrongUsage("", "--%s is for mechanisms that release words, texts or vectors of texts: %s releases none of them", target.Figure, entry.Name)
	case wholeOnly(entry) && (c.Embeddings != "" || c.Words != nil):
		return entry, cli.WrongUsage("", "--embeddings and --words are for mechanisms that replace words")
	}
	return entry, nil
}

// riskFlags returns the command line that opens the result.
func (c *TuneCmd) riskFlags(entry mechanism.Entry, epsilon float64, spec mechanism.Spec) string {
	flags := c.flags(tune.Result{Row: tune.Row{Mechanism: entry.Name, Epsilon: epsilon}}, spec)
	if entry.NewRetriever != nil && c.Corpus != "" {
		flags += " --corpus " + strconv.Quote(c.Corpus)
	}
	return flags
}
