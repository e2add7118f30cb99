package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// The members and settings whose draws are compared with their rows: rows with
// and without a head, tails that matter, lists and bitmaps, floors with lifts.
var sampled = []struct {
	name       string
	entry      mechanism.Entry
	epsilon    float64
	parameters map[string]string
	words      int
}{
	{"tem flat", temEntry, 0.4, nil, 700},
	{"tem", temEntry, 2, nil, 700},
	{"exponential", exponentialEntry, 1, nil, 700},
	{"exponential peaked", exponentialEntry, 6, nil, 700},
	{"exponential by angle", exponentialEntry, 2, map[string]string{"metric": "angular"}, 700},
	{"response", responseEntry, 5, nil, 700},
	{"classes", classesEntry, 5, nil, 700},
	{"neighbours listed", neighboursEntry, 4, map[string]string{"neighbours": "20"}, 700},
	{"neighbours bitmap", neighboursEntry, 2, map[string]string{"neighbours": "200"}, 700},
	{"packing", packingEntry, 0.7, nil, 700},
	{"balanced", balancedEntry, 0.7, nil, 200},
}

func TestDrawsFollowTheExactRow(t *testing.T) {
	stage.Unraced(t)
	for i, c := range sampled {
		t.Run(c.name, func(t *testing.T) {
			table := oracle.RandomTable(t, c.words, 8)
			m, err := c.entry.New(t.Context(), table, mechanism.Spec{Epsilon: c.epsilon, Parameters: c.parameters, Published: true})
			if err != nil {
				t.Fatal(err)
			}
			last := embedding.ID(c.words - 1)
			for _, way := range []string{"alone", "prepared", "unseeded"} { // levels for the last word, a head and a tail for others
				prepared := append(slices.Repeat([]embedding.ID{last}, 100), 0)
				replace := m.Replace
				if p, ok := m.(shortcut.Preparer); ok && way == "prepared" {
					p.Prepare(t.Context(), prepared)
				}
				if u, ok := m.(shortcut.Unseeded); ok && way == "unseeded" {
					u.PrepareUnseeded(t.Context(), prepared)
					replace = u.ReplaceUnseeded
				}
				for _, x := range []embedding.ID{0, last} {
					rng := noise.Seeded(uint64(i), uint64(x))
					const draws = 200000
					counts := oracle.DrawCounts(t, table.Len(), draws, x, func(dst, src []embedding.ID) []embedding.ID {
						dst, err := replace(dst, src, rng)
						if err != nil {
							t.Fatal(err)
						}
						return dst
					})
					if p := oracle.ChiSquare(counts, m.(mechanism.Channel).Weights(nil, x), draws); p < oracle.FalseFailure {
						t.Errorf("input %d, %s: draws do not follow the row, p = %g", x, way, p)
					}
				}
			}
		})
	}
}

func TestTwoRunsNeverRepeat(t *testing.T) {
	table := oracle.RandomTable(t, 700, 8)
	m, err := newResponse(t.Context(), table, mechanism.Spec{Epsilon: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// Two sequences of 64 nearly uniform words agree with chance below 1e-150.
	src := make([]embedding.ID, 64)
	a, _ := m.Replace(nil, src, nil)
	b, _ := m.Replace(nil, src, nil)
	if slices.Equal(a, b) {
		t.Error("two calls without a source drew the same words")
	}
	c, _ := m.Replace(nil, src, noise.Seeded(1, 2))
	d, _ := m.Replace(nil, src, noise.Seeded(1, 2))
	e, _ := m.Replace(nil, src, noise.Seeded(1, 3))
	if !slices.Equal(c, d) || slices.Equal(c, e) {
		t.Error("a seeded stream must repeat, and two streams must differ")
	}
}
