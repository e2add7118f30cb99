package tune

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/internal/canceltest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
)

// A search and a comparison end with their context at every check, and cache no
// unfinished row.
func TestSearchesAndRowsEndWithTheirContext(t *testing.T) {
	stage.Unraced(t)
	table := english(t, 120)
	for _, name := range []string{"tem", "neighbours", "madlib"} {
		canceltest.Everywhere(t, func(ctx context.Context) error {
			_, err := Search(ctx, find(t, name), table, mechanism.Spec{}, Target{"unchanged", 0.5})
			return err
		})
		canceltest.Everywhere(t, func(ctx context.Context) error {
			_, err := Compare(ctx, find(t, name), table, mechanism.Spec{Epsilon: 2})
			return err
		})
	}
}
