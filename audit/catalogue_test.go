package audit

import (
	"context"
	"github.com/sotto-dp/sotto/internal/stage"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// accepted returns 0.5, or a quarter above the epsilon that a member needs more than.
func accepted(t *testing.T, entry mechanism.Entry, table *embedding.Table) float64 {
	t.Helper()
	if entry.Above == nil {
		return 0.5
	}
	limit, err := entry.Above(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	return 1.25 * limit
}

// Every member of the catalogue is audited on a small table: a proved member
// that is refuted, or a refuted member that is not, fails. A proved member
// fails on a fresh seed with chance 1e-6.
func TestCatalogueAgreesWithItsAudit(t *testing.T) {
	stage.Unraced(t)
	table := randomTable(t, 60, 3)
	for i, entry := range catalog.All() {
		t.Run(entry.Name, func(t *testing.T) {
			if entry.NewRetriever != nil {
				f, err := RunTexts(context.Background(), entry, stripes{60, 3}, Options{Spec: mechanism.Spec{Epsilon: 0.5}})
				if err != nil || f.Verdict != Certified {
					t.Errorf("whole texts: %+v, %v", f, err)
				}
			}
			if entry.New == nil && entry.NewPerturber == nil {
				return
			}
			f, err := Run(context.Background(), entry, table, Options{Spec: mechanism.Spec{Epsilon: accepted(t, entry, table)},
				Trial: Trial{Draws: 2000, Rng: noise.Seeded(testseed.Of(t, 14), uint64(i))}})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s by %s: %s", f.Verdict, f.Method, f.Why)
			if refuted := entry.Standing == privacy.Refuted; refuted != (f.Verdict == Refuted) {
				t.Errorf("the catalogue says %s, the audit %s: %s", entry.Standing, f.Verdict, f.Why)
			}
			if entry.New == nil || entry.NewPerturber == nil {
				return
			}
			f, err = RunVectors(context.Background(), entry, table, Options{Spec: mechanism.Spec{Epsilon: 0.5},
				Trial: Trial{Draws: 2000, Rng: noise.Seeded(testseed.Of(t, 15), uint64(i))}})
			if err != nil {
				t.Fatal(err)
			}
			if refuted := entry.Standing == privacy.Refuted; refuted != (f.Verdict == Refuted) {
				t.Errorf("vectors: the catalogue says %s, the audit %s: %s", entry.Standing, f.Verdict, f.Why)
			}
		})
	}
}
