package experiment

import (
	"maps"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/firstwords"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

func wholeText(mechanism string, epsilon float64, more ...result.Param) result.Params {
	p := result.Params{
		{Name: "set", Value: "topics4"}, {Name: "codebook", Value: "own"}, {Name: "private", Value: 120}, {Name: "public", Value: 150}, {Name: "test", Value: 100},
		{Name: "measured", Value: "test"}, {Name: "encoder", Value: "sif"}, {Name: "table", Value: "builtin:400"}, {Name: "mechanism", Value: mechanism},
	}
	if epsilon > 0 {
		p = append(p, result.Param{Name: "epsilon", Value: epsilon})
	}
	return append(p, more...)
}

func TestWholeTextsTeachAndCannotBeLinkedBeyondTheirLoss(t *testing.T) {
	b := bench(t)
	clear := run(t, b, WholeTexts, wholeText("none", 0), 1).Values
	out := run(t, b, WholeTexts, wholeText("retrieval", 4), 1)
	v := out.Values
	// Guessing among four classes is right for 25 of 100 texts, with deviation 4.3.
	if clear["accuracy"] < 0.6 || v["accuracy"] < 0.45 || v["clear"] != clear["accuracy"] {
		t.Errorf("accuracy is %g, without privacy %g", v["accuracy"], clear["accuracy"])
	}
	if c := out.Evidence.Claim; c == nil || c.Unit != privacy.Text || c.Epsilon != 4 {
		t.Errorf("the claim is %v", c)
	}
	if v["linked"] > v["linked_limit"] || v["linked"] < 1.0/120 {
		t.Errorf("linked is %g, at most %g is possible and 1/120 a guess", v["linked"], v["linked_limit"])
	}
	if again := run(t, b, WholeTexts, wholeText("retrieval", 4), 1); !maps.Equal(again.Values, v) {
		t.Error("one seed gives two results")
	}
	// Sets that hold all texts but one are the same for nearly all: a guess is left.
	m := result.Param{Name: "set_size", Value: int(v["texts"]) - 1}
	if wide := run(t, b, WholeTexts, wholeText("retrieval k="+result.Params{m}.Get("set_size"), 4), 1).Values; wide["linked"] > 1.2/120 {
		t.Errorf("with sets of nearly all texts linked is %g", wide["linked"])
	}
	pair := run(t, b, Pair, wholeText("retrieval", 4, result.Param{Name: "text", Value: 3}), 1).Texts
	if pair["private"] == "" || pair["released"] == "" || pair["private"] == pair["released"] {
		t.Errorf("a pair is %q", pair)
	}
	if none := run(t, b, WholeTexts, wholeText("gaussian", 4), 1); none.LeftOut == "" {
		t.Errorf("a member for words gives %v", none)
	}
}

func TestWordsShareTheLossOfTheLongestText(t *testing.T) {
	p := result.Params{{Name: "set", Value: "topics4"}, {Name: "private", Value: 100}, {Name: "test", Value: 0}, {Name: "table", Value: "builtin:400"},
		{Name: "mechanism", Value: "neighbours"}, {Name: "epsilon", Value: 40.0}}
	v := run(t, bench(t), WordByWord, p, 1).Values
	if total := v["word_epsilon"] * v["longest"]; v["longest"] < 10 || total > 40 || total < 39.9 {
		t.Errorf("%g words of %g lose %g", v["longest"], v["word_epsilon"], total)
	}
}

func TestLatentTextsAreOfAModelOfPublicTexts(t *testing.T) {
	b := bench(t)
	params := func(mechanism string, epsilon float64) result.Params {
		return wholeText(mechanism, epsilon, result.Param{Name: "epochs", Value: 2}, result.Param{Name: "hidden", Value: 8}, result.Param{Name: "latent", Value: 4}, result.Param{Name: "tokens", Value: 30})
	}
	out := run(t, b, LatentTexts, params("adept", 4), 1)
	if c := out.Evidence.Claim; c == nil || c.Unit != privacy.Text || c.Epsilon != 4 {
		t.Errorf("the claim is %v", c)
	}
	if none := run(t, b, LatentTexts, params("none", 0), 1); none.Evidence.Claim != nil || none.Values["rouge1"] == out.Values["rouge1"] {
		t.Errorf("noise changes nothing: %v", none)
	}
}

// A text's first words move it towards texts that begin alike, and the release is drawn
// over vectors of the caller's.
func TestFirstWordsAreAnEncoderOfTheCallers(t *testing.T) {
	b := bench(t)
	p := wholeText("retrieval", 4)
	for i := range p {
		if p[i].Name == "encoder" {
			p[i].Value = "sif" + firstwords.Suffix
		}
	}
	out := run(t, b, WholeTexts, p, 1)
	if c := out.Evidence.Claim; c == nil || c.Epsilon != 4 || c.Assumes&privacy.PublicEncoder == 0 {
		t.Errorf("the claim is %v: it must assume that the encoder is public", c)
	}
	if out.Values["accuracy"] < 0.45 {
		t.Errorf("accuracy is %g", out.Values["accuracy"])
	}
	c, err := b.codebook(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	e := c.encoder.(*firstwords.Encoder)
	if whole, empty := e.Vector(c.private.Texts[0]), e.Vector(""); len(whole) != e.Dim() || math.Abs(length(whole[e.Whole.Dim():])-firstwords.Share) > 1e-9 || length(empty[e.Whole.Dim():]) != 0 {
		t.Errorf("the first words have length %g, those of no text %g", length(whole[e.Whole.Dim():]), length(empty[e.Whole.Dim():]))
	}
}

func length(v []float64) float64 {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	return math.Sqrt(square)
}

// Parts are apart: no text is both public and measured, also where test texts are spare.
func TestSpareTestTextsAreNotMeasured(t *testing.T) {
	b := &Bench{Source: dataset.Generated{Train: 300, Test: keptTests + keptDevelopment + 200, Words: 12}, Opener: &private.Opener{}}
	seen := map[string]string{}
	for _, measured := range []string{"test", "dev"} {
		p := wholeText("none", 0, result.Param{Name: "spare", Value: 150})
		for i := range p {
			if p[i].Name == "measured" {
				p[i].Value = measured
			}
		}
		c, err := b.codebook(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.measured.Texts {
			if was := seen[text]; was != "" && was != measured {
				t.Fatalf("%q is a text of %s and of %s", text, measured, was)
			}
			seen[text] = measured
		}
		for i := range c.corpus.Len() {
			if was := seen[c.corpus.Text(i)]; was == measured {
				t.Fatalf("a public text is one of %s", was)
			}
		}
	}
}
