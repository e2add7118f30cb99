package measured_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/attack/measured"
)

// row returns the row of a mechanism at an epsilon.
func row(t *testing.T, f measured.Figures, mechanism string, epsilon float64) measured.Row {
	t.Helper()
	for _, r := range f.Rows {
		if r.Mechanism == mechanism && r.Epsilon == epsilon {
			return r
		}
	}
	t.Fatalf("%s was not measured at %g", mechanism, epsilon)
	return measured.Row{}
}

// What pages say of the shipped figures is what ships.
func TestPagesHaveTheShippedFigures(t *testing.T) {
	f, err := measured.All()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	widest := 0.0
	for _, mechanism := range []string{"neighbours", "classes", "response"} {
		words, rare := "| `"+mechanism+"` |", "| `"+mechanism+"`, rare words |"
		for _, epsilon := range []float64{4, 6, 8, 10, 12} {
			r := row(t, f, mechanism, epsilon)
			mark := ""
			if r.Reader == measured.Ngram {
				mark = " (n)"
			}
			words += fmt.Sprintf(" %.1f%s |", 100*r.InContext.Share, mark)
			rare += fmt.Sprintf(" %.1f |", 100*r.Rare.Share)
			for _, s := range []measured.Share{r.InContext, r.Rare} {
				widest = max(widest, s.Share-s.Low, s.High-s.Share)
			}
		}
		lines = append(lines, words, rare)
	}
	at := func(epsilon float64) float64 { return row(t, f, "neighbours", epsilon).InContext.Share }
	for page, said := range map[string][]string{
		"docs/results/attack.md": append(lines,
			fmt.Sprintf("extend at most %.1f points to each side", math.Ceil(1e3*widest-1e-6)/10),
			fmt.Sprintf("the reader of order 3, who recovers %.3f and [%.3f]", at(1), at(4))),
		"docs/howto/choosing-epsilon.md": {fmt.Sprintf("With `neighbours` at epsilon 8 such a reader recovers %.1f %% of the words.", 100*at(8))},
		"docs/howto/prompts.md":          {fmt.Sprintf("recovers %.0f of 100 words of news at epsilon 8 and %.0f at 12", 100*at(8), 100*at(12))},
		"README.md":                      {fmt.Sprintf("at 8: %.2f of the words", at(8))},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range said {
			if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), strings.Join(strings.Fields(s), " ")) {
				t.Errorf("%s does not say: %s", page, s)
			}
		}
	}
}
