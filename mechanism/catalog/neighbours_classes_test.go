package catalog

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/wordclass"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"pgregory.net/rapid"
)

// The rule in plain words: the word, its class by distance, the rest by distance.
// Some words are not outputs, and some classes have none.
func TestSetsOfClassesFollowTheRule(t *testing.T) {
	stage.Unraced(t)
	table := oracle.EnglishSample(t, 120)
	classes, err := wordclass.English(table)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, table.Len()).Draw(t, "outputs")
		k := rapid.IntRange(1, m).Draw(t, "neighbours")
		made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 2, Parameters: map[string]string{
			"outputs": strconv.Itoa(m), "neighbours": strconv.Itoa(k), "classes": "english"}})
		if err != nil {
			t.Fatal(err)
		}
		setsAre(t, made.(*sets.Words), func(x embedding.ID) []embedding.ID {
			order := make([]embedding.ID, m)
			for y := range order {
				order[y] = embedding.ID(y)
			}
			tier := func(y embedding.ID) float64 {
				switch {
				case y == x:
					return 0
				case classes[y] == classes[x]:
					return 1
				}
				return 2
			}
			slices.SortStableFunc(order, func(a, b embedding.ID) int {
				if d := tier(a) - tier(b); d != 0 {
					return int(d)
				}
				return int(table.SquaredDistance(x, a)) - int(table.SquaredDistance(x, b))
			})
			return order[:k]
		})
	})
}

// Classes are public: they change the members of a set, not the guarantee.
func TestClassesLeaveThePromiseAlone(t *testing.T) {
	stage.Unraced(t)
	table := oracle.EnglishSample(t, 80)
	for _, objective := range []string{"signal", "readable", "distance"} {
		parameters := map[string]string{"objective": objective}
		plain, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: parameters})
		if err != nil {
			t.Fatal(err)
		}
		parameters["classes"] = "english"
		made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: parameters})
		if err != nil {
			t.Fatal(err)
		}
		c := made.(*sets.Words)
		_, pure := tripleLosses(c, table)
		loss, err := c.Certify(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if pure > 3*(1+1e-12) || math.Abs(loss.PureHigh-pure) > 1e-9 {
			t.Errorf("%s: all triples give %g, the certificate %+v", objective, pure, loss)
		}
		differ := false
		for x := range embedding.ID(table.Len()) {
			differ = differ || !slices.Equal(c.Weights(nil, x), plain.(*sets.Words).Weights(nil, x))
		}
		if !differ {
			t.Errorf("%s: classes change no set", objective)
		}
	}
}
