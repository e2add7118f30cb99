// Command sotto-beam rewrites files under differential privacy on Apache Beam. By default
// it runs on Prism in this process; the same binary runs on Flink, Spark and Dataflow
// (--runner, with Beam's own flags).
//
//	sotto-beam --input 'raw/*.jsonl' --field text --epsilon 8 --output private
//
// The output folder gets NAME-000000.jsonl and so on, the privacy statement in
// sotto-report.json, and the places of records that could not be read in sotto-failures.
// If there are any, the exit code is 1 unless --allow-failures is given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/sotto-dp/sotto/beam/files"
	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

// list is a repeatable flag.
type list []string

func (l *list) String() string     { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// asked is what a run asks for, in the words of all front ends.
var asked struct {
	request.Opening
	request.Vocabulary
	request.InLanguage
	request.Protected
	request.Encoding
	request.Distinct
	request.Certified
	request.Seeded
	request.Payment
}

var (
	inputs, fields list

	output  = flag.String("output", "", "Folder of the outputs.")
	format  = flag.String("format", "", strings.Join(formatNames(), ", ")+" (default: by extension, else lines).")
	invalid = flag.String("invalid", "", "Input that is not UTF-8: fail, or replace it by U+FFFD (default: fail; whole texts are replaced whatever their bytes).")
	resume  = flag.Bool("resume", false, "Continue the run in the folder; finished parts are kept.")
	again   = flag.Bool("again", false, "With --resume: redraw the parts whose outputs are missing. Each is a second release and is charged again.")
	allow   = flag.Bool("allow-failures", false, "Exit with 0 even if records were left out.")
	share   = flag.String("share", "", "I/N: process every Nth part (with many files, every Nth file) from the Ith, 0 to N-1. N processes share one run.")
)

// formatNames returns the formats whose files can be cut into parts.
func formatNames() (names []string) {
	for _, f := range files.Formats {
		if !f.Whole {
			names = append(names, f.Name)
		}
	}
	return names
}

func init() {
	flag.Var(&inputs, "input", "File or pattern to read (repeatable).")
	flag.Var(&fields, "field", "Column or path of the texts (repeatable).")
	request.AddFlags(flag.CommandLine, &asked)
	beam.RegisterFunction(failureLine)
}

// exitBudget is the exit code for an exhausted budget, the same as sotto's.
const exitBudget = 4

func main() {
	flag.Parse()
	beam.Init() // the process of a worker does not return from this
	if err := run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "sotto-beam: %s%s\n", cause(err), remedy(err))
		switch {
		case wrongUsage(err):
			os.Exit(2)
		case strings.Contains(err.Error(), "ledger: the budget of account"):
			os.Exit(exitBudget)
		}
		os.Exit(1)
	}
}

// remedy names the flag for what an error suggests. Errors of workers arrive as text
// only.
func remedy(err error) string {
	switch {
	case strings.Contains(err.Error(), "or replace what is invalid"):
		return " (--invalid replace)"
	}
	return ""
}

// cause returns the cause below the runner's own messages, which it has logged.
func cause(err error) string {
	s := err.Error()
	if i := strings.LastIndex(s, "caused by:\n"); i >= 0 {
		s = s[i+len("caused by:\n"):]
	}
	if first, rest, ok := strings.Cut(s, "\n"); ok && strings.HasPrefix(first, "DoFn[") {
		s = rest
	}
	return s
}

func run(ctx context.Context) error {
	cfg, err := config(ctx)
	if err != nil {
		return err
	}
	suffix := ""
	if *share != "" {
		if _, err := fmt.Sscanf(*share, "%d/%d", &cfg.Take, &cfg.Of); err != nil || cfg.Of < 1 {
			return wrong("--share must be I/N, got %q", *share)
		}
		suffix = fmt.Sprintf("-%d-of-%d", cfg.Take, cfg.Of)
	}
	if err := checkPaths(cfg, suffix); err != nil {
		return err
	}
	if cfg.Config, err = cfg.Checked(); err != nil {
		return err
	}
	if err := files.Check(ctx, cfg); err != nil {
		return err
	}
	begun, err := files.Begin(ctx, cfg, *resume || *share != "")
	if err != nil {
		return err
	}
	defer begun.Close()
	cfg = begun.Config
	failures := join("sotto-failures" + suffix)
	if err := files.RemoveIfThere(ctx, failures); err != nil { // a list is written only if there are failures
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	result, err := files.Rewrite(s, cfg)
	if err != nil {
		return err
	}
	textio.Write(s, join("sotto-report"+suffix+".json"), result.Statement)
	textio.Write(s, failures, beam.ParDo(s, failureLine, result.Failed))
	done, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return err
	}
	for _, c := range done.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "sotto" }).Counters() {
		fmt.Fprintf(os.Stderr, "%s: %d\n", c.Name(), c.Result())
	}
	if err := errors.Join(files.Clean(cfg), begun.End()); err != nil {
		return err
	}
	return leftOut(ctx, failures)
}

func join(name string) string { return strings.TrimSuffix(*output, "/") + "/" + name }

// config converts the flags.
func config(ctx context.Context) (files.Config, error) {
	cfg := files.Config{
		Config: sottobeam.Config{
			Mechanism: asked.Mechanism, Notion: asked.Notion, Parameters: asked.Values(), Calibrate: asked.Calibrate, Unit: asked.Unit, Corpus: asked.Corpus, EncoderProgram: asked.EncoderProgram,
			Language: asked.Language, Embeddings: asked.Embeddings, Accept: asked.Accept, Consistent: asked.Consistent, Fields: fields, Account: asked.Account, Ledger: asked.Ledger, InsecureSeed: asked.InsecureSeed,
		},
		Output: *output, Format: *format, Invalid: text.Invalid(*invalid), Again: *again,
	}
	if *invalid != "" && *invalid != string(text.FailInvalid) && *invalid != string(text.ReplaceInvalid) {
		return cfg, wrong("--invalid must be fail or replace, got %q", *invalid)
	}
	if *output == "" || len(inputs) == 0 {
		return cfg, wrong("--input and --output are needed")
	}
	if asked.Epsilon != nil {
		cfg.Epsilon = *asked.Epsilon
	}
	if asked.Words != nil {
		cfg.Words = *asked.Words
	}
	if asked.Ledger != "" {
		if err := open.Check(asked.Ledger); err != nil {
			return cfg, &usageError{err}
		}
	}
	if *again && !*resume {
		return cfg, wrong("--again needs --resume")
	}
	if asked.RequireCertificate != "" {
		data, err := os.ReadFile(asked.RequireCertificate)
		if err != nil {
			return cfg, err
		}
		cfg.Certificate = data
	}
	for _, pattern := range inputs {
		found, err := expand(ctx, pattern)
		if err != nil {
			return cfg, err
		}
		if len(found) == 0 {
			return cfg, wrong("no file matches %s", pattern)
		}
		cfg.Inputs = append(cfg.Inputs, found...)
	}
	return cfg, nil
}
