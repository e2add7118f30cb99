package models

import (
	"slices"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
)

type CompileCmd struct {
	Mechanism string   `short:"m" default:"${compiled_member}" placeholder:"NAME" group:"privacy" help:"One of ${compiled_members}."`
	Epsilon   *float64 `short:"e" placeholder:"E" group:"privacy" help:"Certified metric epsilon, per unit of distance."`
	opening.TableFlags
	Gap            float64       `default:"${gap}" group:"advanced" help:"${gap_help} (${gap_must})."`
	Time           time.Duration `placeholder:"D" group:"advanced" help:"Longest time for the computation, certificate included, as in 10m: the best channel certified by then is written. It is an error if there is none."`
	DistanceWeight float64       `placeholder:"L" group:"privacy" help:"How much the expected distance counts against the unchanged rate, from 0 (the default) to 1; it matters at small epsilon."`
	Prior          string        `path:"read" placeholder:"FILE" group:"input" help:"How likely words are: lines of a word and a count, or zipf for the table's order. Public data only."`
	Least          float64       `placeholder:"P" group:"privacy" help:"Least probability that a word stays unchanged, for every word, so that every word can be an output."`
	State          string        `path:"update" placeholder:"FILE" group:"advanced" help:"Save the progress of the search in this file, and resume from it if it exists."`
	Output         string        `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Channel file to write."`
	JSON           bool          `name:"json" group:"output" help:"Print one JSON document."`
}

// corpusFlags give public texts, each one sentence.
type corpusFlags struct {
	Corpus []string `path:"read" required:"" placeholder:"FILE" sep:"none" group:"input" help:"Public text, one sentence per line or field (repeatable)."`
	cli.FormatFlags
	More []string `path:"read" arg:"" optional:"" name:"file" help:"More files of the corpus."`
}

// files returns all files of the corpus.
func (c *corpusFlags) files() []string { return slices.Concat(c.Corpus, c.More) }

type trainMeasureCmd struct {
	corpusFlags
	Model        string            `path:"read" placeholder:"FILE" group:"input" help:"Model of train autoencoder."`
	LM           string            `name:"lm" path:"read" placeholder:"FILE" group:"input" help:"Model of train language-model, or an ARPA file: measure its perplexity."`
	Embeddings   string            `path:"table" placeholder:"NAME|FILE" group:"input" help:"With --lm: table whose words the model has (default: the model's own words)."`
	Beam         int               `default:"1" placeholder:"N" group:"advanced" help:"Beam width of the decoder; 1 is greedy."`
	Mechanism    string            `short:"m" default:"${latent_member}" placeholder:"NAME" group:"privacy" help:"With --epsilon: mechanism of the noise, adept or adept-published."`
	Epsilon      *float64          `short:"e" placeholder:"E" group:"privacy" help:"Measure with noise on the latent vectors (default: without)."`
	Param        map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"Parameter of the mechanism (repeatable)."`
	InsecureSeed *uint64           `placeholder:"N" group:"advanced" help:"Reproducible noise."`
	JSON         bool              `name:"json" group:"output" help:"Print one JSON document."`
}
