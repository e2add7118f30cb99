package derived

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/learn"
)

// apply predicts with an existing model, or measures it.
func (c *LearnCmd) apply(ctx context.Context, term *cli.Terminal) error {
	in, err := cli.OpenInput(ctx, c.Model)
	if err != nil {
		return err
	}
	defer in.Close()
	m, err := learn.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Model, err)
	}
	f, err := c.featuresOf(ctx, m)
	if err != nil {
		return err
	}
	if c.Label != "" {
		result, err := c.measure(ctx, term, m, f, c.input())
		if err == nil {
			err = opening.FinishEncoder(c.program)
		}
		if err != nil {
			return err
		}
		return c.print(term, &Learnt{Result: result, revealed: revealsModel(m.Source.Provenance, c.input())})
	}
	rows, err := c.Labelled(ctx, term, c.input(), "")
	if err != nil {
		return err
	}
	predictions, err := predict(ctx, m, f, rows)
	if err == nil {
		err = opening.FinishEncoder(c.program)
	}
	if err != nil {
		return err
	}
	reveals := revealsPredictions(m.Source.Provenance, c.input())
	reveals.warn(term)
	if c.JSON {
		return cli.PrintJSON(term, struct {
			Classes     []string `json:"classes"`
			Predictions []string `json:"predictions"`
			revealed
		}{m.Classes, predictions, reveals})
	}
	for _, p := range predictions {
		if _, err := fmt.Fprintln(term.Out, p); err != nil {
			return err
		}
	}
	return nil
}

// featuresOf opens the features of a model that was written.
func (c *LearnCmd) featuresOf(ctx context.Context, m *learn.Model) (opening.RowMaker, error) {
	if m.Source.Vectors != nil {
		return c.unitsOf(ctx, c.Model, m.Source.Vectors)
	}
	name := c.Corpus
	if name == "" {
		name = opening.BesideFile(c.Model, m.Source.Name)
	}
	f, err := c.features(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.Source.About != m.Source.About {
		return nil, fmt.Errorf("%s: the model needs the same --about as when it was learnt (sha256 %.12s, not %.12s)", c.Model, cmp.Or(m.Source.About, "none"), cmp.Or(f.Source.About, "none"))
	}
	if f.Source.Corpus != m.Source.Corpus || f.Source.Table != m.Source.Table {
		return nil, fmt.Errorf("%s: the model is for another corpus (sha256 %.12s, not %.12s) or table: choose them with --corpus and --embeddings", c.Model, m.Source.Corpus, f.Source.Corpus)
	}
	return f.Rows(m.Source.Smooth, m.Vocabulary), nil
}

// measure compares a model's predictions with the labels of a file.
func (c *LearnCmd) measure(ctx context.Context, term *cli.Terminal, m *learn.Model, f opening.RowMaker, name string) (*learn.Result, error) {
	rows, err := c.Labelled(ctx, term, name, c.Label)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: contains no text", cli.ShownInput(name))
	}
	predictions, err := predict(ctx, m, f, rows)
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(rows))
	for i, r := range rows {
		labels[i] = r.By
	}
	result := learn.Compare(labels, predictions)
	return &result, nil
}

// predict returns the class of each text.
func predict(ctx context.Context, m *learn.Model, f opening.RowMaker, rows []cli.LabelledText) ([]string, error) {
	if f.Dim() != m.Dim {
		return nil, errors.New("the number of features of the model is not that of its corpus")
	}
	classes := make([]string, len(rows))
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row, err := f.Row(r.Text)
		if err != nil {
			return nil, err
		}
		classes[i] = m.Predict(row)
	}
	return classes, nil
}

// Learnt is the result of learn in JSON.
type Learnt struct {
	*learn.Result
	// PublicKnowledge is the accuracy of what the words for labels teach alone.
	PublicKnowledge *float64 `json:"public_knowledge,omitempty"`
	Trained         *trained `json:"trained,omitempty"`
	revealed
}

// print prints the figures, and what they and the model reveal.
func (c *LearnCmd) print(term *cli.Terminal, r *Learnt) error {
	r.warn(term)
	if c.JSON {
		return cli.PrintJSON(term, r)
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if t := r.Trained; t != nil {
		fmt.Fprintf(term.Out, "learnt %d classes from %d texts, ridge %g\n", len(t.Labels), t.Examples, t.Ridge)
	}
	if r.Result == nil {
		fmt.Fprintln(term.Out, r.Privacy)
		return nil
	}
	fmt.Fprintf(term.Out, "accuracy %.3f, macro-F1 %.3f of %d texts\n", r.Accuracy, r.MacroF1, r.Examples)
	if r.PublicKnowledge != nil {
		fmt.Fprintf(term.Out, "public knowledge, the words for labels alone: accuracy %.3f\n", *r.PublicKnowledge)
	}
	fmt.Fprintln(term.Out)
	fmt.Fprintf(w, "is \\ predicted\t%s\t\n", strings.Join(r.Classes, "\t"))
	for i, class := range r.Classes {
		fmt.Fprint(w, class)
		for _, n := range r.Confusion[i] {
			fmt.Fprintf(w, "\t%d", n)
		}
		fmt.Fprint(w, "\t\n")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(term.Out, "\n%s\n", r.Privacy)
	return err
}

// Knowledge measures what the words for labels teach alone.
func (c *LearnCmd) Knowledge(ctx context.Context, term *cli.Terminal, classes []string) (*learn.Result, error) {
	f, err := c.features(ctx, c.Corpus)
	if err != nil {
		return nil, err
	}
	known, err := f.Knowledge(ctx, f.Vocabulary(nil), classes)
	if err != nil {
		return nil, err
	}
	return c.measure(ctx, term, known, f.Rows(c.Smooth, known.Vocabulary), c.Test)
}
