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
	"github.com/sotto-dp/sotto/text"
)

// list is a repeatable flag.
type list []string

func (l *list) String() string     { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

var (
	inputs, fields, params list

	output      = flag.String("output", "", "Folder of the outputs.")
	format      = flag.String("format", "", strings.Join(formatNames(), ", ")+" (default: by extension, else lines).")
	invalid     = flag.String("invalid", "", "Input that is not UTF-8: fail, or replace it by U+FFFD (default: fail; whole texts are replaced whatever their bytes).")
	epsilon     = flag.Float64("epsilon", 0, "Privacy parameter of each token, or of each whole text with --unit text.")
	unit        = flag.String("unit", "", "What epsilon protects: word (default), each token at its position, or text, a whole text with all its words.")
	language    = flag.String("language", "", "Language of the texts, such as de: a table or corpus that is known to be of another is refused.")
	corpusName  = flag.String("corpus", "", "With --unit text: corpus of public texts, by a name or file that every worker can read (default: english, embedded).")
	encoder     = flag.String("encoder_program", "", "With a corpus built with it: command of the program that makes the vectors of texts, which every worker can run. It sees the texts.")
	mechanism   = flag.String("mechanism", "", "Mechanism of the catalogue (default: neighbours).")
	notion      = flag.String("notion", "", "pure (default) or metric.")
	embeddings  = flag.String("embeddings", "", "Table, by a name or file that every worker can read (default: embedded).")
	words       = flag.Int("words", 0, "Use the first N words of the table (default: all).")
	accept      = flag.String("accept", "", "Accept mechanisms whose standing is below proved: stated or refuted.")
	consistent  = flag.Bool("consistent", false, "One replacement per distinct word of a text.")
	certificate = flag.String("require_certificate", "", "Refuse to run unless this certificate file is for this mechanism and table.")
	account     = flag.String("account", "", "Account of the ledger to charge.")
	ledgerPlace = flag.String("ledger", "", "Ledger: an SQLite file or a postgres:// URL without a password, the same for every worker.")
	resume      = flag.Bool("resume", false, "Continue the run in the folder; finished parts are kept.")
	again       = flag.Bool("again", false, "With --resume: redraw the parts whose outputs are missing. Each is a second release and is charged again.")
	allow       = flag.Bool("allow-failures", false, "Exit with 0 even if records were left out.")
	share       = flag.String("share", "", "I/N: process every Nth part (with many files, every Nth file) from the Ith, 0 to N-1. N processes share one run.")
	seed        = flag.String("insecure_seed", "", "Reproducible draws, for tests only.")
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
	flag.Var(&params, "param", "KEY=VALUE of the mechanism (repeatable).")
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
			Epsilon: *epsilon, Mechanism: *mechanism, Notion: *notion, Unit: *unit, Corpus: *corpusName, EncoderProgram: *encoder, Language: *language, Embeddings: *embeddings, Words: *words, Accept: *accept,
			Consistent: *consistent, Fields: fields, Account: *account, Ledger: *ledgerPlace, Parameters: map[string]string{},
		},
		Output: *output, Format: *format, Invalid: text.Invalid(*invalid), Again: *again,
	}
	if *invalid != "" && *invalid != string(text.FailInvalid) && *invalid != string(text.ReplaceInvalid) {
		return cfg, wrong("--invalid must be fail or replace, got %q", *invalid)
	}
	if *output == "" || len(inputs) == 0 {
		return cfg, wrong("--input and --output are needed")
	}
	if *ledgerPlace != "" {
		if err := open.Check(*ledgerPlace); err != nil {
			return cfg, &usageError{err}
		}
	}
	if *again && !*resume {
		return cfg, wrong("--again needs --resume")
	}
	for _, p := range params {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return cfg, wrong("--param must be KEY=VALUE, got %q", p)
		}
		cfg.Parameters[key] = value
	}
	if *seed != "" {
		n := uint64(0)
		if _, err := fmt.Sscan(*seed, &n); err != nil {
			return cfg, wrong("--insecure_seed must be a number, got %q", *seed)
		}
		cfg.InsecureSeed = &n
	}
	if *certificate != "" {
		data, err := os.ReadFile(*certificate)
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
