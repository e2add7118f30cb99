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
