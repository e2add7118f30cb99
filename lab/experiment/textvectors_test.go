package experiment

import (
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

func TestVectorsOfTextsTeach(t *testing.T) {
	b := bench(t)
	p := result.Params{{Name: "set", Value: "topics4"}, {Name: "private", Value: 150}, {Name: "measured", Value: "test"}, {Name: "test", Value: 0}, {Name: "table", Value: "builtin:400"}, {Name: "mechanism", Value: "privunit"}}
	clear := run(t, b, TextVectors, append(slices.Clone(p), result.Param{Name: "learnt", Value: "clear"}), 1).Values
	out := run(t, b, TextVectors, append(slices.Clone(p), result.Param{Name: "learnt", Value: "release"}, result.Param{Name: "epsilon", Value: 8.0}), 1)
	// Guessing among four classes is right for 25 of 100 texts, with deviation 4.3.
	if clear["accuracy"] < 0.6 || out.Values["accuracy"] < 0.45 || out.Values["accuracy"] > clear["accuracy"]+0.1 {
		t.Errorf("accuracy is %g, without privacy %g", out.Values["accuracy"], clear["accuracy"])
	}
	if c := out.Evidence.Claim; c == nil || c.Unit != privacy.Text || c.Epsilon > 8 {
		t.Errorf("the claim is %v", c)
	}
}

// Tests of a projection are releases too, and a seed gives the same row again.
func TestVectorsOfAProjectionAreMadeAgain(t *testing.T) {
	b := bench(t)
	p := result.Params{{Name: "set", Value: "topics4"}, {Name: "private", Value: 60}, {Name: "measured", Value: "test"}, {Name: "test", Value: 0}, {Name: "table", Value: "builtin:400"},
		{Name: "mechanism", Value: "privemb"}, {Name: "epsilon", Value: 8.0}, {Name: "learnt", Value: "release"}}
	if first, again := testVectors(t, b, p), testVectors(t, b, p); !slices.Equal(first, again) {
		t.Error("the vectors of test texts differ between two runs of a seed")
	}
}

func testVectors(t *testing.T, b *Bench, p result.Params) []float32 {
	t.Helper()
	set, err := b.Set(p.Get("set"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := project(t.Context(), table, p, set.Test.Some(20), 1)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d components, %v", len(rows), err)
	}
	return rows
}
