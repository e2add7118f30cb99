package experiment

import (
	"maps"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

func linkageAt(mechanism string, among int, epsilon float64) result.Params {
	return wholeText(mechanism, epsilon, result.Param{Name: "words", Value: "builtin:400"}, result.Param{Name: "texts", Value: 100}, result.Param{Name: "among", Value: among})
}

func TestReleasesOfEachUnitAreLinked(t *testing.T) {
	b := bench(t)
	for _, at := range []struct {
		mechanism string
		among     int
		epsilon   float64
		unit      privacy.Unit
	}{
		{"neighbours", 20, 6, privacy.Token},
		{"retrieval", 20, 6, privacy.Text},
		{"privunit", 20, 6, privacy.Text},
		{"synthesize", 2, 1, privacy.Record},
	} {
		p := linkageAt(at.mechanism, at.among, at.epsilon)
		out := run(t, b, Linkage, p, 1)
		v := out.Values
		// Draws are from a fixed seed. Attacks do better than a guess.
		if v["linked"] < 1.5/float64(at.among) && at.among > 2 || v["linked"] < 0.6 && at.among == 2 || v["linked"] > 1 {
			t.Errorf("%s: linked is %g among %d", at.mechanism, v["linked"], at.among)
		}
		if limit, ok := v["limit"]; ok && v["linked"] > limit+0.15 || ok == (at.mechanism == "neighbours") {
			t.Errorf("%s: linked is %g, at most %g is possible", at.mechanism, v["linked"], limit)
		}
		if c := out.Evidence.Claim; c == nil || c.Unit != at.unit || c.Epsilon != at.epsilon || out.Evidence.Standing == nil {
			t.Errorf("%s: the claim is %v", at.mechanism, c)
		}
		if again := run(t, b, Linkage, p, 1); !maps.Equal(again.Values, v) {
			t.Errorf("%s: one seed gives two results", at.mechanism)
		}
	}
	v := run(t, b, Linkage, linkageAt("neighbours", 20, 6), 1).Values
	if v["pair"] > v["linked"] || v["pair_low"] > v["pair_limit"] {
		t.Errorf("pairs are linked at %g, at most %g is possible, texts at %g", v["pair"], v["pair_limit"], v["linked"])
	}
	few, many := run(t, b, Linkage, linkageAt("retrieval", 10, 4), 1).Values, run(t, b, Linkage, linkageAt("retrieval", 50, 4), 1).Values
	if few["linked"] <= many["linked"] || few["limit"] <= many["limit"] || many["linked"] > many["limit"] {
		t.Errorf("among 10 candidates linked is %g (at most %g), among 50 %g (%g)", few["linked"], few["limit"], many["linked"], many["limit"])
	}
}
