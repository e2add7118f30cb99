// Command documents prints, for a total epsilon and texts of several lengths,
// the epsilon per token by the best composition, and the exact effect of the mechanism on
// words. It prints the table of docs/results/documents.md.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/tune"
)

var members = []struct {
	name, objective string
}{{"neighbours", "signal"}, {"neighbours", "readable"}, {"response", ""}}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "documents:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	table, err := builtin.English()
	if err != nil {
		return err
	}
	fmt.Println("| total | delta | words | mechanism | epsilon of a word | k | stays | moved | near | best guess |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, total := range []float64{50, 100} {
		for _, delta := range []float64{0, 1e-6} {
			for _, words := range []int{10, 100, 1000} {
				for _, m := range members {
					cfg := sotto.Words{Table: table, Mechanism: m.name, Cap: sotto.Cap{Epsilon: total, Delta: delta, Tokens: words}}
					if m.objective != "" {
						cfg.Parameters = mechanism.Values{"objective": m.objective}
					}
					r, err := sotto.Open(ctx, cfg)
					if err != nil {
						return err
					}
					channel := r.Mechanism().(mechanism.Channel)
					f, err := tune.Measure(ctx, channel, table, nil)
					if err != nil {
						return err
					}
					l := channel.(shortcut.Levelled).Levels()
					fmt.Printf("| %g | %g | %d | %s %s | %.3g | %d | %.3g | %.2f | %.3g | %.2g |\n", total, delta, words, m.name, m.objective,
						channel.Claim().Epsilon, l.Size, f.Unchanged, f.ExpectedDistance, l.Inside*float64(l.Size), f.AttackSuccess)
				}
			}
		}
	}
	return nil
}
