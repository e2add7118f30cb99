package provenance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

var pure = json.RawMessage(`{"unit":"text","notion":"pure","epsilon":4,"delta":0}`)

// A result is as private as the most private of its inputs, in whichever order they are.
func TestMixturesAreAsPrivateAsTheirMostPrivatePart(t *testing.T) {
	all := []Input{
		{Kind: Public, Name: "p"}, {Kind: Released, Name: "r", Claim: pure}, {Kind: Clear, Name: "c", What: []string{"labels"}}, {Kind: Unknown},
	}
	for i, most := range all {
		for j, other := range all[:i+1] {
			for _, in := range []Inputs{{most, other}, {other, most}} {
				if in.Kind() != most.Kind {
					t.Errorf("of %s and %s is %s", most.Kind, other.Kind, in.Kind())
				}
				said, warned := in.Of(Model), in.Warning(Model)
				if private := most.Kind == Clear || most.Kind == Unknown; private != (warned == said) || !private != (warned == "") {
					t.Errorf("of %s and %s the warning is %q", most.Kind, other.Kind, warned)
				}
				if spent := strings.Contains(said, "no privacy is spent"); spent != (most.Kind == Released) {
					t.Errorf("of %s and %s: %s", most.Kind, other.Kind, said)
				}
				if names := strings.Contains(said, "as private as c, whose labels were read as they are"); names != (i == 2 || i == 3 && j == 2) {
					t.Errorf("of %s and %s: %s", most.Kind, other.Kind, said)
				}
			}
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		in   Inputs
		want string
	}{
		{nil, "the model is from data that is not recorded: treat it as private"},
		{Inputs{}.Add(Input{Kind: Public}), "the model is from data that is not recorded: treat it as private"},
		{Inputs{{}}, "the model is from data that is not recorded: treat it as private"},
		{Inputs{{Kind: "of another version"}}, "the model is from data that is not recorded: treat it as private"},
		{Inputs{{Kind: Released, Name: "r"}}, "the model is from data that is not recorded: treat it as private"},
		{Inputs{{Kind: Public, Name: "p"}}, "the model is from public data alone: nothing private was read"},
		{Inputs{{Kind: Clear, Name: "t.tsv", What: []string{"texts", "labels"}}}, "the model is as private as t.tsv, whose texts and labels were read as they are"},
		{Inputs{{Kind: Clear, Name: "a", What: []string{"texts"}}, {Kind: Clear, Name: "b", What: []string{"labels"}}, {Kind: Clear, Name: "c", What: []string{"texts"}}, {Kind: Clear, Name: "a", What: []string{"texts"}}},
			"the model is as private as a and c, whose texts were read as they are, and b, whose labels were read as they are"},
		{Inputs{{Kind: Clear}}, "the model is as private as what was given"},
		{Inputs{{Kind: Released, Name: "r.tsv", Claim: pure, NotCovered: []string{"labels"}}},
			"the model is post-processing of r.tsv [(epsilon = 4)-differential privacy for each text]: no privacy is spent beyond what the release spent; the claim does not cover the labels in r.tsv"},
		{Inputs{{Kind: Released, Name: "v.npy", Claim: pure}, {Kind: Clear, Name: "t.tsv", What: []string{"labels"}}},
			"the model is as private as t.tsv, whose labels were read as they are, and otherwise post-processing of v.npy [(epsilon = 4)-differential privacy for each text]"},
		{Inputs{{Kind: Released, Name: "r.tsv", Claim: pure, What: []string{"texts", "labels"}, NotCovered: []string{"labels"}}, {Kind: Clear, Name: "t.tsv", What: []string{"texts"}}},
			"the model is as private as t.tsv, whose texts were read as they are, and otherwise post-processing of r.tsv [(epsilon = 4)-differential privacy for each text]; the claim does not cover the labels in r.tsv"},
		{Inputs{Reported{pure, "seeded"}.Of("v.npy", "vectors"), {Kind: Clear, Name: "t.tsv", What: []string{"labels"}}},
			"the model is as private as v.npy, whose vectors were drawn by a seed that undoes the draws, and t.tsv, whose labels were read as they are"},
		{Inputs{{Kind: Released, Name: "r.tsv", Claim: pure, Seeded: true, What: []string{"texts", "labels"}, NotCovered: []string{"labels"}}, Reported{pure, "secure"}.Of("s.tsv", "texts")},
			"the model is as private as r.tsv, whose texts were drawn by a seed that undoes the draws, and whose labels were read as they are, and otherwise post-processing of s.tsv [(epsilon = 4)-differential privacy for each text]"},
		{Inputs{{Kind: Public, Name: "p"}, {Kind: Public, Name: "w.tsv", Assumed: true}}, "the model is from public data alone: nothing private was read; w.tsv is assumed to be public"},
		{Inputs{{Kind: Released, Name: "r.tsv", Claim: pure}, {Kind: Public, Name: "w.tsv", Assumed: true}, {Kind: Public, Name: "x.tsv", Assumed: true}, {Kind: Public, Name: "w.tsv", Assumed: true}, {Kind: Public, Name: "news"}},
			"the model is post-processing of r.tsv [(epsilon = 4)-differential privacy for each text]: no privacy is spent beyond what the release spent; w.tsv and x.tsv are assumed to be public"},
		{Inputs{{Kind: Clear, Name: "t.tsv", What: []string{"texts"}}, {Kind: Public, Name: "w.tsv", Assumed: true}},
			"the model is as private as t.tsv, whose texts were read as they are; w.tsv is assumed to be public"},
		{Inputs{{Kind: Released, Name: "t.tsv", What: []string{"labels"}, Epsilon: 2}},
			"the model is post-processing of t.tsv [labels randomised at epsilon = 2, as stated by the caller]: no privacy is spent beyond what the release spent"},
	} {
		if got := c.in.Of(Model); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

// Only draws of which the report says that they are no seed's protect anything.
func TestReleasesOfASeedAreClear(t *testing.T) {
	for randomness, want := range map[string]Kind{"secure": Released, "caller": Released, "seeded": Clear, "": Clear, "Secure": Clear} {
		if k := (Inputs{Reported{pure, randomness}.Of("r.tsv", "texts")}).Kind(); k != want {
			t.Errorf("a release whose draws are %q is %s", randomness, k)
		}
	}
}

// A claim that guarantees nothing protects nothing.
func TestReleasesWithoutAGuaranteeAreClear(t *testing.T) {
	none, err := json.Marshal(privacy.Claim{Unit: privacy.Text, Notion: privacy.None})
	if err != nil {
		t.Fatal(err)
	}
	if k := (Inputs{{Kind: Released, Claim: none}}).Kind(); k != Clear {
		t.Errorf("a release that nothing protects is %s", k)
	}
}

func TestInputsSurviveJSON(t *testing.T) {
	in := Inputs{{Kind: Released, Name: "v.npy", What: []string{"vectors"}, Claim: pure}, {Kind: Released, What: []string{"labels"}, Epsilon: 3}}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var again Inputs
	if err := json.Unmarshal(data, &again); err != nil || again.Of(Model) != in.Of(Model) {
		t.Errorf("%v: %s", err, again.Of(Model))
	}
}
