// Command sotto rewrites text under differential privacy, checks the guarantees of such
// mechanisms, and computes what no mechanism can do.
//
// Rules for output: only data goes to standard output. A message is one line in lower
// case that begins with "sotto: ". A hint follows on a line of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/privacy"
)

// Exit codes, part of the documented interface.
const (
	exitFailed  = 1
	exitUsage   = 2
	exitRefuted = 3
	exitBudget  = 4
)

// allCommands is the command line; each command has a file.
type allCommands struct {
	Rewrite    rewriteCmd    `cmd:"" help:"Make a private copy of text."`
	Cost       costCmd       `cmd:"" help:"Show what a run would spend and keep; nothing is drawn."`
	Embed      embedCmd      `cmd:"" help:"Release private vectors of texts or words."`
	Estimate   estimateCmd   `cmd:"" help:"Count words of private text, corrected for the public channel."`
	Restore    restoreCmd    `cmd:"" help:"Make a release of words readable, by a public language model."`
	Synthesize synthesizeCmd `cmd:"" help:"Make a private copy of a whole corpus of records."`
	Learn      learnCmd      `cmd:"" help:"Fit a classifier to released text, corrected for the channel."`
	Explain    explainCmd    `cmd:"" help:"Show the exact output distribution of a word."`
	Mechanisms mechanismsCmd `cmd:"" help:"List the catalogue: guarantee, standing, paper."`
	Embeddings embeddingsCmd `cmd:"" help:"Import and inspect vector files."`
	Corpus     corpusCmd     `cmd:"" help:"Build and search codebooks of public texts."`
	Compare    compareCmd    `cmd:"" help:"Compare mechanisms: exact losses, unchanged rate, attack success."`
	Tune       tuneCmd       `cmd:"" help:"Find the epsilon that meets a target."`
	Compile    compileCmd    `cmd:"" help:"Compute a channel file of packing or balanced for a table and an epsilon."`
	Attack     attackCmd     `cmd:"" help:"Measure what a reader with a language model recovers from releases."`
	Audit      auditCmd      `cmd:"" help:"Certify or refute one configured mechanism."`
	Limits     limitsCmd     `cmd:"" help:"Compute what no mechanism can do, and check a claimed figure."`
	Train      trainCmd      `cmd:"" help:"Train a language model, an autoencoder or a table of words on public text."`
	Serve      serveCmd      `cmd:"" help:"Serve HTTP, with budgets that cannot be overdrawn."`
	Health     healthCmd     `cmd:"" help:"Check whether a running service is ready: exit code 0 or 1."`
	Key        keyCmd        `cmd:"" help:"Make, list and revoke API keys for serve."`
	Ledger     ledgerCmd     `cmd:"" help:"Grant and show budgets, verify and back up the ledger."`
	Worker     workerCmd     `cmd:"" hidden:"" help:"Serve the program that started this one, over pipes (package sotto of Python)."`
	Help       helpCmd       `cmd:"" help:"Describe a command, a topic or a mechanism."`
	Version    versionCmd    `cmd:"" help:"Print the version, the commit, and digests of what is embedded."`
	Completion completionCmd `cmd:"" help:"Print the script that completes command lines in a shell."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Complete a command line, for the scripts of completion."`
	Manual     manualCmd     `cmd:"" hidden:"" help:"Print manual pages, for packages."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and exit."`
}

// terminal is where a command reads and writes.
type terminal struct {
	in       *os.File
	out, err io.Writer
	data     io.Writer       // standard output, for an output flag with value -
	writable map[string]bool // the files that the command line declares as written
}

func init() { define(reflect.TypeFor[allCommands](), variables) }

func main() { os.Exit(run(os.Args[1:])) }

// run runs the program and returns the exit code.
func run(args []string) int {
	// A closed pipe is reported as a write error, not by a signal.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := untilSignal(context.Background())
	defer stop()
	term := &terminal{in: os.Stdin, out: waiting(ctx, os.Stdout), err: os.Stderr}

	code, err := invoke(ctx, term, args)
	if code >= 0 {
		return code
	}
	return report(term.err, err)
}

// invoke runs one command line. It returns the exit code if help or the version was
// printed, and otherwise -1 and the error of the command.
func invoke(ctx context.Context, term *terminal, args []string) (code int, err error) {
	l, err := parse(ctx, term, args)
	if err != nil {
		return -1, err
	}
	if l.exited >= 0 {
		return l.exited, nil
	}
	return -1, l.run(ctx)
}

// variables are the values of placeholders in help texts.
func variables() kong.Vars {
	compiled := compiledMembers()
	vars := kong.Vars{"version": "sotto " + sotto.Version, "formats": formatList(), "compiled_member": compiled[0], "compiled_members": strings.Join(compiled, ", ")}
	gap := packing.GapParameter
	vars["gap"], vars["gap_help"], vars["gap_must"] = gap.Default, strings.ToUpper(gap.Help[:1])+gap.Help[1:], gap.Must()
	for _, use := range []mechanism.Use{mechanism.UseWords, mechanism.UseLatent, mechanism.UseTexts} {
		vars[string(use)+"_member"] = defaultMember(use)
	}
	return vars
}

// defaultMember returns the name of the default mechanism for a use.
func defaultMember(use mechanism.Use) string {
	entry, _ := catalog.Default(use, "")
	return entry.Name
}

// report prints an error as one line, with its hint, and returns the exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var configured *configuredError
	if errors.As(err, &configured) {
		code := report(w, configured.err)
		configured.note(w)
		return code
	}
	var usage *usageError
	var interrupted *interruptedError
	var exit *exitError
	var parameter *privacy.ParameterError
	var standing *privacy.StandingError
	var exhausted *ledger.ExhaustedError
	var account *ledger.UnknownAccountError
	var basis *ledger.BasisError
	var unit *ledger.UnitError
	var budget *sotto.BudgetError
	var conflict *sotto.ConflictError
	var table *corpus.TableError
	switch {
	case errors.As(err, &interrupted):
		complain(w, "interrupted")
		return interrupted.code()
	case errors.As(err, &exit):
		if exit.err != nil {
			complain(w, exit.err.Error())
		}
		return exit.code
	case errors.As(err, &usage):
		complain(w, usage.err.Error())
		if usage.hint != "" {
			fmt.Fprintf(w, "       %s\n", usage.hint)
		}
		return exitUsage
	case errors.As(err, &exhausted):
		complain(w, fmt.Sprintf("%v\n       sotto cost shows what a whole run needs", err))
		return exitBudget
	case errors.As(err, &budget):
		complain(w, fmt.Sprintf("%v; %s", err, capRemedy(budget)))
		return exitBudget
	case errors.As(err, &conflict):
		complain(w, conflictText(conflict))
		return exitUsage
	case errors.As(err, &table):
		complain(w, fmt.Sprintf("%v\n       give the table that the corpus was built with: --embeddings NAME|FILE", err))
		return exitUsage
	case errors.As(err, &standing):
		complain(w, fmt.Sprintf("%v\n       use --accept %s for this call", err, standing.Standing))
		return exitUsage
	case errors.As(err, &parameter), errors.As(err, &account), errors.As(err, &basis), errors.As(err, &unit):
		complain(w, err.Error())
		return exitUsage
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // whoever closed the pipe has read enough
	}
	complain(w, err.Error())
	return exitFailed
}

// complain prints an error after the program's name, which errors of the package with
// that name already have.
func complain(w io.Writer, fault string) {
	fmt.Fprintf(w, "sotto: %s\n", strings.TrimPrefix(fault, "sotto: "))
}

// usageError is an error in the command line; hint suggests what to do instead.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// exitError ends the program with its exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }

// wrongUsage returns a usageError.
func wrongUsage(hint, format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...), hint: hint}
}
