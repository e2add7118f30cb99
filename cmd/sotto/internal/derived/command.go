package derived

import (
	"context"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/request"
)

type EstimateCmd struct {
	opening.ReportFlags
	Confidence  float64  `default:"0.95" placeholder:"P" group:"output" help:"Probability that an interval covers the true count (default: 0.95)."`
	Top         int      `default:"100" placeholder:"N" group:"output" help:"Show the N most frequent words by estimate; 0 shows all (default: 100)."`
	Word        []string `placeholder:"WORD" sep:"none" group:"input" help:"Count this word instead of the most frequent ones (repeatable)."`
	By          string   `placeholder:"FIELD" group:"input" help:"Count separately per value of this column or JSON path too."`
	Nonnegative bool     `group:"advanced" help:"Least squares with counts of 0 or more: biased, for channels that allow no unbiased counts."`
	cli.FormatFlags
	Output string   `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output."`
	JSON   bool     `name:"json" group:"output" help:"Print one JSON document."`
	CSV    bool     `name:"csv" group:"output" help:"Print comma-separated values."`
	Plot   []string `path:"write" placeholder:"FILE" group:"output" help:"Draw counts and intervals: a .svg or .png file (repeatable)."`
	File   []string `path:"inputs" arg:"" optional:"" help:"Private text written by rewrite (default: standard input)."`
}

type LearnCmd struct {
	cli.FormatFlags
	Report string `path:"read" placeholder:"FILE" group:"input" help:"Report of the release, which names the channel. Without it, clear texts are read, and the model is as private as they are."`
	Corpus string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"The corpus of the release, whose encoder makes the features (default: english; with --model the corpus that the model names, also a file beside the model)."`
	request.Encoding
	opening.AboutFlag
	Vectors    string    `path:"file" placeholder:"FILE" group:"input" help:"Vectors released by embed (.npy, .parquet or .jsonl): vector i is for record i of FILE, of which only the labels are read. Unless --label-epsilon is given, the model is as private as the labels."`
	LabelLoss  float64   `name:"label-epsilon" placeholder:"E" group:"privacy" help:"Epsilon of the randomised response that the labels went through (with --vectors)."`
	Labels     string    `placeholder:"FILE|V1,V2" group:"input" help:"The public set of labels that the randomised response of --label-epsilon was over, a list or a file of lines (default: those of FILE, which may lack some)."`
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

	fail    context.CancelCauseFunc // ends a run whose --encoder-program failed
	program *program.Program        // that it started, nil for none
}
