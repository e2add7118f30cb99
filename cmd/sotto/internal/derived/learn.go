package derived

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/learn"
)

type LearnCmd struct {
	cli.FormatFlags
	Report     string    `path:"read" placeholder:"FILE" group:"input" help:"Report of the release, which names the channel. Without it, clear texts are read, and the model is as private as they are."`
	Corpus     string    `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"The corpus of the release, whose encoder makes the features (default: english; with --model the corpus that the model names, also a file beside the model)."`
	Vectors    string    `path:"file" placeholder:"FILE" group:"input" help:"Vectors released by embed (.npy, .parquet or .jsonl): vector i is for record i of FILE, of which only the labels are read. Unless --label-epsilon is given, the model is as private as the labels."`
	LabelLoss  float64   `name:"label-epsilon" placeholder:"E" group:"privacy" help:"Epsilon of the randomised response that the labels went through (with --vectors)."`
	Label      string    `placeholder:"PATH" group:"input" help:"Column or JSON path of the labels."`
	Weight     string    `placeholder:"PATH" group:"input" help:"Column or JSON path of weights, as synthesize --weights writes them."`
	Test       string    `path:"file" placeholder:"FILE" group:"input" help:"Labelled texts that were not released, to measure the model on. The figures are as private as these texts."`
	Model      string    `path:"file" placeholder:"FILE" group:"input" help:"Apply this model instead of fitting one: predict, or with --label measure."`
	Ridge      []float64 `placeholder:"R" group:"advanced" help:"Penalties to choose from by cross-validation (repeatable)."`
	Smooth     int       `placeholder:"N" group:"advanced" help:"Average the features of test texts over their N nearest texts of the corpus."`
	Embeddings string    `path:"table" placeholder:"NAME|FILE" group:"input" help:"The table that the corpus was built with (default: by its name in the corpus)."`
	Output     string    `path:"write" short:"o" placeholder:"FILE" group:"output" help:"Write the model here."`
	JSON       bool      `name:"json" group:"output" help:"Print one JSON document."`
	File       []string  `path:"inputs" arg:"" optional:"" help:"Releases to learn from, or with --model texts to predict (default: standard input)."`
}

// learnt is the result of learn in JSON.
type learnt struct {
	*learn.Result
	Trained *trained `json:"trained,omitempty"`
	revealed
}

// trained describes the training of a model.
type trained struct {
	Examples int            `json:"examples"`
	Labels   []string       `json:"labels"`
	Channel  *learn.Channel `json:"channel"` // null for texts that were not randomised
	Ridge    float64        `json:"ridge"`
	Scores   []learn.Score  `json:"scores,omitempty"`
	// Means are those of the classes' unit vectors, of releases that are vectors.
	Means []learn.Mean `json:"means,omitempty"`
}

// Run fits a classifier, or applies one.
func (c *LearnCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	switch {
	case c.Model != "":
		return c.apply(ctx, term)
	case c.Vectors != "":
		return c.fromVectors(ctx, term)
	}
	from, err := c.openReleases(ctx)
	if err != nil {
		return err
	}
	m, scores, examples, err := c.fit(ctx, term, from)
	if err != nil {
		return err
	}
	m.Source = from.Source
	m.Source.Examples, m.Source.Smooth = examples, c.Smooth
	read := c.fitted(from)
	m.Source.Provenance = withoutFolders(read)
	result := &learnt{Trained: &trained{Examples: examples, Labels: m.Classes, Ridge: m.Ridge, Scores: scores}, revealed: revealsModel(read, c.Test)}
	if !m.Channel.IsNone() {
		result.Trained.Channel = &m.Channel
	}
	if c.Test != "" {
		if result.Result, err = c.measure(ctx, term, m, from.Rows(c.Smooth, m.Vocabulary), c.Test); err != nil {
			return err
		}
	}
	if c.Output != "" {
		if err := writeModel(ctx, term, c.Output, m); err != nil {
			return err
		}
	}
	return c.print(term, result)
}

// fit fits a classifier and returns the number of examples.
func (c *LearnCmd) fit(ctx context.Context, term *cli.Terminal, f *opening.Features) (m *learn.Model, scores []learn.Score, examples int, err error) {
	data, releases, err := c.data(ctx, term, f)
	if err != nil {
		return nil, nil, 0, err
	}
	options := learn.Options{Ridge: c.Ridge, Progress: term.Progress().Stage("fitting")}
	if releases != nil {
		m, scores, err = learn.FitReleases(ctx, *releases, f.New(f.Vocabulary(nil)), options)
		return m, scores, len(releases.Texts), err
	}
	m, scores, err = learn.Fit(ctx, data, options)
	return m, scores, len(data.Examples), err
}

func (c *LearnCmd) check() error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	switch {
	case len(c.File) > 1:
		return cli.WrongUsage("join them first", "learn reads one file, got %d", len(c.File))
	case c.Smooth < 0:
		return cli.WrongUsage("", "--smooth must be 0 or more, got %d", c.Smooth)
	case c.Model != "" && (c.Report != "" || c.Test != "" || c.Output != "" || c.Weight != "" || len(c.Ridge) > 0 || c.Smooth > 0):
		return cli.WrongUsage("give the texts as FILE, and --label to measure", "--model cannot be used with --report, --test, --weight, --ridge, --smooth or -o: these fit a model")
	case c.Model == "" && c.Label == "":
		return cli.WrongUsage("", "learn needs --label, the column or path of the labels")
	case c.Model == "" && c.Vectors == "" && c.Test == "" && c.Output == "":
		return cli.WrongUsage("", "learn needs --test FILE, to measure the model, or -o FILE, to write it")
	}
	return c.checkVectors()
}

func writeModel(ctx context.Context, term *cli.Terminal, name string, m *learn.Model) error {
	out, err := cli.CreateOutput(ctx, term, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := m.Write(out); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(name), cli.PlainError(err))
	}
	if err := out.Finish(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(name), cli.PlainError(err))
	}
	if err := out.Commit(); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(name), cli.PlainError(err))
	}
	return nil
}

// print prints the figures, and what they and the model reveal.
func (c *LearnCmd) print(term *cli.Terminal, r *learnt) error {
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
	fmt.Fprintf(term.Out, "accuracy %.3f, macro-F1 %.3f of %d texts\n\n", r.Accuracy, r.MacroF1, r.Examples)
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
