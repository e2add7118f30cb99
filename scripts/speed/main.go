//go:build linux

// Command speed measures what docs/results/speed.md reports, in one run, and writes the
// page's tables:
//
//	go run ./scripts/speed -data FOLDER [-write] [-rounds N] [TABLE ...]
//
// A table is what is between the lines "<!-- table: NAME -->" and "<!-- end -->" of the
// page. Without names all tables are made, without -write none is changed. Every
// measurement is also a line for benchstat on standard output. FOLDER has the data sets
// of docs/howto/data.md. The tables "stages" and "peers" need perf, python3-numpy,
// python3-faiss and libopenblas0-pthread of Debian.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
)

const document = "docs/results/speed.md"

func main() {
	data := flag.String("data", "", "folder of the data sets")
	write := flag.Bool("write", false, "write the tables into "+document)
	rounds := flag.Int("rounds", 3, "rounds of each measurement of a program, in turns; the fastest counts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *data, *write, *rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, write bool, rounds int, names []string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("run it in the root of the repository: %w", err)
	}
	for _, name := range names {
		if !slices.ContainsFunc(tables, func(t table) bool { return t.name == name }) {
			return fmt.Errorf("no table is called %q", name)
		}
	}
	if info, err := os.Stat(data); data == "" || err != nil || !info.IsDir() {
		return fmt.Errorf("-data %q: must be the folder of the data sets", data)
	}
	if data, err = filepath.Abs(data); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m := &meter{ctx: ctx, data: data, work: work, program: filepath.Join(work, "sotto"), rounds: rounds, lines: os.Stdout}
	if err := m.build(); err != nil {
		return err
	}
	fmt.Printf("goos: %s\ngoarch: %s\npkg: github.com/sotto-dp/sotto\n", runtime.GOOS, runtime.GOARCH)
	page := string(text)
	for _, t := range tables {
		if len(names) > 0 && !slices.Contains(names, t.name) {
			continue
		}
		rows, err := t.measure(m)
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		if page, err = replace(page, t.name, markdown(t.head, rows)); err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, markdown(t.head, rows))
		if write { // after each table: an error in a later one loses nothing
			if err := os.WriteFile(document, []byte(page), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// number returns a figure with three digits, and commas between thousands.
func number(x float64) string {
	places := 2 - int(math.Floor(math.Log10(x)))
	if places >= 0 {
		return strconv.FormatFloat(x, 'f', places, 64)
	}
	unit := math.Pow10(-places)
	digits := strconv.Itoa(int(math.Round(x/unit) * unit))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
