// Package models has the commands that make models and tables of public text: train, compile
// and embeddings.
package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

type TrainCmd struct {
	Autoencoder   trainAutoencoderCmd   `cmd:"" help:"Train an autoencoder for adept on public text."`
	LanguageModel trainLanguageModelCmd `cmd:"" help:"Train a language model on public text."`
	Vectors       trainVectorsCmd       `cmd:"" help:"Train a table of word vectors on public text."`
	Measure       trainMeasureCmd       `cmd:"" help:"Measure how well an autoencoder reconstructs texts, or a language model predicts them."`
}

type trainAutoencoderCmd struct {
	corpusFlags
	Public      bool          `group:"privacy" help:"Declare that the corpus is public. Claims through the model depend on it, and serve requires it."`
	Output      string        `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Model file to write."`
	Embeddings  string        `path:"table" placeholder:"NAME|FILE" group:"input" help:"Table for the initial vectors of the words (default: random)."`
	State       string        `path:"update" placeholder:"FILE" group:"advanced" help:"Save the progress of the training in this file, and resume from it if it exists."`
	Words       int           `placeholder:"N" group:"advanced" help:"Largest size of the vocabulary (default: 10000)."`
	Least       int           `placeholder:"N" group:"advanced" help:"Least number of occurrences of a word in the vocabulary (default: 2)."`
	Tokens      int           `placeholder:"N" group:"advanced" help:"Tokens of the longest sentence; longer ones are left out (default: 40)."`
	Dimensions  int           `placeholder:"N" group:"advanced" help:"Dimensions of a word vector, without --embeddings (default: 100)."`
	Hidden      int           `placeholder:"N" group:"advanced" help:"Units of each direction of the encoder and of the decoder (default: 256)."`
	Latent      int           `placeholder:"N" group:"advanced" help:"Dimensions of a sentence's vector (default: 256)."`
	Batch       int           `placeholder:"N" group:"advanced" help:"Sentences per step (default: 32)."`
	Epochs      int           `placeholder:"N" group:"advanced" help:"Largest number of epochs (default: 30)."`
	Patience    int           `placeholder:"N" group:"advanced" help:"Stop after this many epochs without a better loss on the held-out sentences (default: 3)."`
	Rate        float64       `placeholder:"R" group:"advanced" help:"Learning rate of Adam, which falls to a twentieth over the epochs (default: 0.002)."`
	Dropout     float64       `placeholder:"P" group:"advanced" help:"Dropout rate; negative for none (default: 0.1)."`
	WordDropout float64       `placeholder:"P" group:"advanced" help:"Rate of words hidden from the decoder; negative for none (default: 0.1)."`
	Swap        float64       `placeholder:"P" group:"advanced" help:"Rate of words replaced by random ones in training; negative for none (default: 0.1)."`
	Seed        uint64        `placeholder:"N" default:"1" group:"advanced" help:"Seed of all draws; it may be public, since training protects nothing."`
	Threads     int           `placeholder:"N" group:"advanced" help:"Threads (default: number of CPUs); the model does not depend on it."`
	Time        time.Duration `placeholder:"D" group:"advanced" help:"Stop after this time, as in 10m, and keep the best model so far."`
	JSON        bool          `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *trainAutoencoderCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Output == "" {
		return cli.WrongUsage("", "train needs -o FILE, the model file to write")
	}
	if c.Threads < 0 || c.Time < 0 {
		return cli.WrongUsage("", "--threads and --time must be positive")
	}
	lesson := autoencoder.Lesson{
		Options: autoencoder.Options{
			Words: c.Words, Least: c.Least, Tokens: c.Tokens, Embed: c.Dimensions, Hidden: c.Hidden, Latent: c.Latent,
			Batch: c.Batch, Epochs: c.Epochs, Patience: c.Patience, Rate: c.Rate, Dropout: c.Dropout, WordDropout: c.WordDropout, Swap: c.Swap, Seed: c.Seed,
		},
		Public: c.Public, Threads: c.Threads, Time: c.Time,
	}
	if c.Threads == 0 {
		lesson.Threads = runtime.GOMAXPROCS(0)
	}
	texts, err := c.texts(ctx, term)
	if err != nil {
		return err
	}
	if c.Embeddings != "" {
		if lesson.Table, err = opening.Table(ctx, c.Embeddings); err != nil {
			return err
		}
	}
	if c.State != "" {
		if lesson.Resume, err = os.ReadFile(c.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", c.State, cli.PlainError(err))
		}
		lesson.Save = func(state []byte) error { return cli.WriteWhole(ctx, term, c.State, state) }
	}
	if cli.OnTerminal(term.Err) {
		lesson.Progress = training(term)
	}
	start := time.Now()
	m, err := autoencoder.Train(ctx, texts, lesson)
	if lesson.Progress != nil {
		fmt.Fprintln(term.Err)
	}
	if err != nil {
		return err
	}
	if err := cli.WriteWhole(ctx, term, c.Output, m.Marshal()); err != nil {
		return err
	}
	card := m.Card()
	if c.JSON {
		return cli.PrintJSON(term, struct {
			autoencoder.Card
			Seconds float64 `json:"seconds"`
		}{card, time.Since(start).Seconds()})
	}
	public := "declared public"
	if !card.Public {
		public = "not declared public: serve will refuse it"
	}
	_, err = fmt.Fprintf(term.Out, "%d words, %d dimensions, %d steps in %d epochs over %d sentences (%s)\n"+
		"on %d held-out sentences, without noise: ROUGE-1 %.4f, word for word %.4f, %.4f nats per token\nuse it with --mechanism adept --model %s\n",
		card.Shape.Words, card.Shape.Latent, card.Training.Steps, card.Training.Epochs, card.Corpus.Sentences, public,
		card.Corpus.Held, card.Metrics.Rouge1, card.Metrics.Exact, card.Metrics.Loss, c.Output)
	return err
}

// training returns a reporter that updates one line of the terminal.
func training(term *cli.Terminal) func(autoencoder.Progress) {
	var last time.Time
	return func(p autoencoder.Progress) {
		if time.Since(last) < 500*time.Millisecond && p.Step < p.Steps {
			return
		}
		last = time.Now()
		fmt.Fprintf(term.Err, "\repoch %d of %d, step %d of %d: loss %.3f, held out %.3f, %.1f steps/s, %s left   ",
			p.Epoch, p.Epochs, p.Step, p.Steps, p.Loss, p.Held, p.PerSecond, p.Left.Round(time.Second))
	}
}

func (c *trainMeasureCmd) Run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case c.Model == "" && c.LM == "":
		return cli.WrongUsage("", "train measure needs --model or --lm")
	case c.Model != "" && c.LM != "":
		return cli.WrongUsage("", "train measure needs --model or --lm, not both")
	case c.LM != "":
		return c.predict(ctx, term)
	case c.Embeddings != "":
		return cli.WrongUsage("", "--embeddings needs --lm")
	case c.Beam < 1 || c.Beam > sotto.MostBeam:
		return cli.WrongUsage("", "--beam must be 1 to %d, got %d", sotto.MostBeam, c.Beam)
	}
	m, err := opening.Model(ctx, c.Model)
	if err != nil {
		return err
	}
	noisy, err := c.noise(ctx, m)
	if err != nil {
		return err
	}
	texts, err := c.texts(ctx, term)
	if err != nil {
		return err
	}
	var change func(latent []float32) error
	rng, how := noise.Secure(), "without noise"
	if c.InsecureSeed != nil {
		rng = noise.Seeded(*c.InsecureSeed, 0)
	}
	if noisy != nil {
		change = func(latent []float32) error { return noisy.Perturb(latent, latent, rng) }
		how = fmt.Sprintf("%s at epsilon %g, certified %.6g", c.Mechanism, *c.Epsilon, noisy.Claim().Epsilon)
	}
	metrics, measured, err := m.Measure(texts, c.Beam, change)
	if err != nil {
		return err
	}
	if measured == 0 {
		return fmt.Errorf("no text has 1 to %d tokens", m.Tokens())
	}
	read, err := c.reveals(ctx, c.Model, m.Card().Public)
	if err != nil {
		return err
	}
	if c.JSON {
		out := map[string]any{"metrics": metrics, "texts": measured, "left_out": len(texts) - measured, "card": m.Card(), "privacy": read.Of(provenance.Figures), "provenance": read}
		if noisy != nil {
			out["claim"], out["parameters"] = noisy.Claim(), audit.ParametersOf(noisy.Settings())
		}
		return cli.PrintJSON(term, out)
	}
	_, err = fmt.Fprintf(term.Out, "%d texts (%d left out), %s: ROUGE-1 %.4f, word for word %.4f, %.4f nats per token\n%s\n",
		measured, len(texts)-measured, how, metrics.Rouge1, metrics.Exact, metrics.Loss, read.Of(provenance.Figures))
	return err
}

// noise returns the mechanism to measure, nil for none. Nothing private is released, so
// it opens a refuted one too.
func (c *trainMeasureCmd) noise(ctx context.Context, m *autoencoder.Model) (mechanism.Perturber, error) {
	if c.Epsilon == nil {
		return nil, nil
	}
	entry, ok := catalog.Find(c.Mechanism)
	if !ok {
		return nil, opening.UnknownMechanism(c.Mechanism)
	}
	if entry.NewLatent == nil {
		return nil, cli.WrongUsage("", "--mechanism must be adept or adept-published, got %q", c.Mechanism)
	}
	norms := m.Card().Latent
	return entry.NewLatent(ctx, mechanism.Latent{Dim: m.Dimensions(), MedianL1: norms.MedianL1, MedianL2: norms.MedianL2}, mechanism.Spec{Epsilon: *c.Epsilon, Parameters: c.Param})
}
