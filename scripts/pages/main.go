// Command pages runs the commands of Markdown pages, as a reader would who follows a page
// from top to bottom. The tests of this package do so for all pages of docs.
//
//	go run ./scripts/pages README.md
//	go run ./scripts/pages -large -data DIR docs/results/whole-texts.md
//
// Blocks of commands are indented or in a fence named sh. In a fence named console, lines
// that begin with "$ " are commands, each above its output. A comment on a line of its own
// changes the treatment of the next block:
//
//	<!-- large: make TARGET -->  the test leaves it out and the target runs it
//	<!-- shape -->               it shows a form or an output, not a command
//	<!-- example: FILE FUNC -->  it repeats lines of that Go example; of the whole file for FUNC file
//	<!-- postgres -->            it needs a PostgreSQL server, which the test starts
//
// Indented sessions of Python are run by make python. <!-- clone --> means that the
// commands of the page run in a clone of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	large := flag.Bool("large", false, "run the blocks marked with make pages-large, too")
	data := flag.String("data", "", "folder of the data sets")
	server := flag.Bool("postgres", false, "run the blocks that need PostgreSQL, too, on the server of PGHOST")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Args(), *large, *server, *data); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

// run runs the named pages, all of docs if none is named.
func run(ctx context.Context, names []string, large, server bool, data string) (err error) {
	if len(names) == 0 {
		if names, err = pagesOf("."); err != nil {
			return err
		}
	}
	if data != "" {
		if data, err = filepath.Abs(data); err != nil {
			return err
		}
	}
	temp, err := os.MkdirTemp("", "pages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // a folder of this process
	r, err := newRunner(ctx, ".", temp)
	if err != nil {
		return err
	}
	r.large, r.data = large, data
	if server {
		r.postgres = []string{}
	}
	var failed []error
	for _, name := range names {
		markdown, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		p, err := parse(name, string(markdown))
		if err == nil {
			err = r.run(ctx, p)
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		fmt.Println(name, "does what it says")
	}
	return errors.Join(failed...)
}

// pagesOf returns the pages of docs that have commands to follow.
func pagesOf(root string) (names []string, err error) {
	for _, kind := range []string{"howto", "reference", "results"} {
		found, err := filepath.Glob(filepath.Join(root, "docs", kind, "*.md"))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	if len(names) < 20 {
		return nil, fmt.Errorf("only %d pages are in docs", len(names))
	}
	return names, nil
}
