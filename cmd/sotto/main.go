// Command sotto rewrites text under differential privacy, checks the guarantees of such
// mechanisms, and computes what no mechanism can do.
//
// Rules for output: only data goes to standard output. A message is one line in lower
// case that begins with "sotto: ". A hint follows on a line of its own.
package main

import (
	"context"
	"os"
	"os/signal"
	"reflect"
	"syscall"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
)

func init() { grammar.Define(reflect.TypeFor[allCommands](), variables) }

func main() { os.Exit(run(os.Args[1:])) }

// run runs the program and returns the exit code.
func run(args []string) int {
	// A closed pipe is reported as a write error, not by a signal.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := cli.UntilSignal(context.Background())
	defer stop()
	term := &cli.Terminal{In: os.Stdin, Out: cli.Waiting(ctx, os.Stdout), Err: os.Stderr}

	code, err := grammar.Invoke(ctx, term, args)
	if code >= 0 {
		return code
	}
	return grammar.Report(term.Err, err)
}
