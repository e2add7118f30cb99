// Command mutants shows that the tests detect faults: it puts one fault at a time
// into a copy of the sources and requires that the named tests fail.
//
//	go run ./scripts/mutants              # all, as `make mutants`
//	go run ./scripts/mutants ID ...       # some
//	go run ./scripts/mutants -list        # what they are; nothing is tested
//
// A fault is an entry of a file in list; list.go gives the format.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	jobs := flag.Int("jobs", runtime.GOMAXPROCS(0), "mutants tested at once")
	list := flag.Bool("list", false, "print the faults and test nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := do(ctx, *jobs, *list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func do(ctx context.Context, jobs int, list bool, ids []string) error {
	areas, err := load(lists)
	if err != nil {
		return err
	}
	if list {
		_, err = os.Stdout.WriteString(table(areas))
		return err
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	var chosen []mutant
	for _, a := range areas {
		for _, m := range a.mutants {
			if len(ids) == 0 || slices.Contains(ids, m.id) {
				chosen = append(chosen, m)
			}
		}
	}
	if len(chosen) < len(ids) || len(chosen) == 0 {
		return fmt.Errorf("%d of the %d mutants named are in the lists", len(chosen), len(ids))
	}
	// The references that some tests need are beside the checkout.
	if shared := filepath.Join(filepath.Dir(root), "shared"); os.Getenv("SOTTO_SHARED") == "" {
		if err := os.Setenv("SOTTO_SHARED", shared); err != nil {
			return err
		}
	}
	folder, remove, err := copyTree(ctx, root)
	if err != nil {
		return err
	}
	defer remove()
	results, err := runAll(ctx, folder, chosen, jobs, os.Stderr)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "mutant\tcaught by\tseconds")
	survived, skipped := 0, 0
	for i, r := range results {
		by := strings.Join(chosen[i].names(), ", ")
		switch {
		case r.problem != "":
			survived++
			by = r.String()
		case r.skipped != "":
			skipped++
			by = r.String()
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\n", chosen[i].id, by, r.seconds)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("%d caught, %d not caught, %d skipped\n", len(chosen)-survived-skipped, survived, skipped)
	if survived > 0 {
		return fmt.Errorf("%d of %d mutants are not caught", survived, len(chosen))
	}
	return nil
}

// moduleRoot returns the folder of the main module.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output() // go list -m names all modules of go.work
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}
