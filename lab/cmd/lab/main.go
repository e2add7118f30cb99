// Command lab runs the papers' experiments on real data and reports what was
// found.
//
//	go run ./cmd/lab list
//	go run ./cmd/lab list --stale --size full
//	go run ./cmd/lab run quick
//	go run ./cmd/lab run tem-accuracy --size full
//	go run ./cmd/lab report --size quick
//	go run ./cmd/lab document ../docs/results/whole-texts.md
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type cli struct {
	List   listCmd   `cmd:"" help:"List the plans: trials, those done, time left."`
	Run    runCmd    `cmd:"" help:"Run plans by name, or all of them by size: smoke, quick or full."`
	Report reportCmd `cmd:"" help:"Write a page, plots and CSV files of the rows."`

	Document documentCmd `cmd:"" help:"Write the tables and figures of Markdown documents from rows."`
}

// terminal is where a command writes.
type terminal struct{ out, err io.Writer }

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the program and returns its exit code: 1 failed, 2 wrong usage.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	term := &terminal{out, errs}
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("lab"),
		kong.Description("Runs the papers' experiments on real data and reports what was found."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(out, errs),
		kong.Exit(func(code int) { exited = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(term),
	)
	if err != nil {
		fmt.Fprintf(errs, "lab: %v\n", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited >= 0:
		return exited
	case err != nil:
		fmt.Fprintf(errs, "lab: %v\n", err)
		return 2
	}
	switch err := parsed.Run(); {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "lab: stopped; the same command continues from here")
		return 1
	case err != nil:
		fmt.Fprintf(errs, "lab: %v\n", err)
		return 1
	}
	return 0
}
