package experiment

import (
	"maps"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/shuffle"
)

func TestSyntheticCorporaTeach(t *testing.T) {
	b := bench(t)
	clear := run(t, b, Synthetic, wholeText("none", 0), 1).Values
	out := run(t, b, Synthetic, wholeText("synthesize", 4), 1)
	v := out.Values
	// Guessing among four classes is right for 25 of 100 texts, with deviation 4.3.
	if v["accuracy"] < 0.45 || v["drawn_accuracy"] < 0.45 || v["clear"] != clear["accuracy"] {
		t.Errorf("accuracy is %g and %g, without privacy %g", v["accuracy"], v["drawn_accuracy"], clear["accuracy"])
	}
	if c := out.Evidence.Claim; c == nil || c.Unit != privacy.Record || c.Epsilon > 4 || c.Epsilon < 3.99 {
		t.Errorf("the claim is %v", c)
	}
	if again := run(t, b, Synthetic, wholeText("synthesize", 4), 1); !maps.Equal(again.Values, v) {
		t.Error("one seed gives two results")
	}
	row := run(t, b, SyntheticRow, wholeText("synthesize", 4, result.Param{Name: "text", Value: 2}), 1).Texts
	if row["label"] == "" || row["row"] == "" {
		t.Errorf("a row is %q", row)
	}
}

func TestShuffledReleasesHaveTheCentralEpsilonOfTheTrial(t *testing.T) {
	const n, epsilon = 5000, 0.5
	delta := shuffle.DefaultDelta(n)
	local, err := localEpsilon(n, epsilon, delta)
	if err != nil {
		t.Fatal(err)
	}
	for add, within := range map[float64]bool{0: true, 0.05: false} {
		bound, err := shuffle.Release{Records: n, Epsilon: local + add}.AtDelta(delta)
		if err != nil || bound.Epsilon <= epsilon != within {
			t.Errorf("at local epsilon %g the bound is %g (%v)", local+add, bound.Epsilon, err)
		}
	}
	out := run(t, bench(t), Shuffled, wholeText("retrieval", 1), 1)
	if v := out.Values; v["local_epsilon"] < 1 || out.Evidence.Claim.Epsilon != v["local_epsilon"] {
		t.Errorf("the local epsilon is %g, the claim %v", v["local_epsilon"], out.Evidence.Claim)
	}
}

func TestWrittenCorporaTeach(t *testing.T) {
	b := bench(t)
	out := run(t, b, SyntheticWritten, wholeText("synthesize", 4), 1)
	v := out.Values
	// Guessing among four classes is right for 25 of 100 texts, with deviation 4.3.
	if v["accuracy"] < 0.45 || v["public_accuracy"] < 0.45 || v["clear"] < 0.6 {
		t.Errorf("accuracy is %g, from public texts %g, without privacy %g", v["accuracy"], v["public_accuracy"], v["clear"])
	}
	if c := out.Evidence.Claim; c == nil || c.Unit != privacy.Record || c.Epsilon > 4 {
		t.Errorf("the claim is %v", c)
	}
	if again := run(t, b, SyntheticWritten, wholeText("synthesize", 4), 1); !maps.Equal(again.Values, v) {
		t.Error("one seed gives two results")
	}
}
