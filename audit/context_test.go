package audit

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/internal/canceltest"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

// An audit ends with its context at every check, and then returns no finding.
func TestAuditEndsWithItsContext(t *testing.T) {
	table := randomTable(t, 40, 3)
	for _, name := range []string{"tem", "neighbours", "madlib", "laplace"} {
		entry, _ := catalog.Find(name)
		canceltest.Everywhere(t, func(ctx context.Context) error {
			f, err := Run(ctx, entry, table, Options{Spec: mechanism.Spec{Epsilon: 1}, Trial: Trial{Draws: 300, Rng: noise.Seeded(1, 1)}})
			if err != nil && f != nil && f.Verdict == Refuted {
				t.Errorf("%s: a verdict beside %v", name, err)
			}
			return err
		})
	}
}
