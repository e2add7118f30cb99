// Command sotto-beam rewrites files under differential privacy on Apache Beam. By default
// it runs in this process and opens no socket; the same binary runs on Flink, Spark and
// Dataflow (--runner, with Beam's own flags).
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
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // all runners and file systems

	"github.com/sotto-dp/sotto/beam/files"
	"github.com/sotto-dp/sotto/request"
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
	err := unread(flag.Args())
	if err == nil {
		err = run(context.Background())
	}
	if err != nil {
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

// unread refuses words that are not flags: those after the first such word, flags too, would
// have been ignored.
func unread(words []string) error {
	if len(words) == 0 {
		return nil
	}
	return wrong("unexpected word %q: put quotes around a pattern, as in --input 'raw/*.jsonl'; a flag that is true or false takes =, as in --resume=true", words[0])
}

// remedy names the flag for what an error suggests. Errors of workers arrive as text
// only.
func remedy(err error) string {
	switch {
	case strings.Contains(err.Error(), "or replace what is invalid"):
		return " (--invalid replace)"
	case errors.As(err, new(*request.MissingEpsilonError)):
		return " (try --epsilon 8, of whole texts 4: a smaller epsilon protects more and keeps less; sotto explain --epsilon 8 doctor shows what it does to a word, and sotto tune finds one by a risk)"
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
	runner, err := runner(ctx)
	if err != nil {
		return err
	}
	suffix := ""
	if cfg.Of > 0 {
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
	done, err := beam.Run(ctx, runner, p)
	if err != nil {
		if runner == inProcess {
			begun.Undo()
		}
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
