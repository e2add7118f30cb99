package experiment

import (
	"context"
	"maps"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/noise"
)

func bench(t *testing.T) *Bench {
	return &Bench{Source: dataset.Generated{Train: 300, Test: 200, Words: 10}, Opener: &private.Opener{Cache: private.Folder(t.TempDir())}}
}

func with(name string, epsilon float64, more ...result.Param) result.Params {
	p := result.Params{{Name: "set", Value: "topics"}, {Name: "table", Value: "builtin:400"}, {Name: "mechanism", Value: name}}
	if epsilon > 0 {
		p = append(p, result.Param{Name: "epsilon", Value: epsilon})
	}
	return append(p, more...)
}

func run(t *testing.T, b *Bench, f Func, p result.Params, seed uint64) result.Outcome {
	t.Helper()
	out, err := f(context.Background(), b, p, seed)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	return out
}

func TestPrivacyCostsAccuracyAndHidesWords(t *testing.T) {
	b := bench(t)
	clear := run(t, b, Classify, with("none", 0), 1)
	strong, weak := run(t, b, Classify, with("response", 0.01), 1), run(t, b, Classify, with("response", 20), 1)
	if a := clear.Values["accuracy"]; a < 0.8 || clear.Values["unchanged"] != 1 || clear.Evidence.Claim != nil {
		t.Errorf("text as it is: %v", clear)
	}
	// Words at random teach nothing: among 200 test texts of two classes an accuracy
	// above 0.75 by chance has probability below 1e-11.
	if a := strong.Values["accuracy"]; a > 0.75 || strong.Values["unchanged"] > 0.05 {
		t.Errorf("words at random: %v", strong.Values)
	}
	if weak.Values["accuracy"] != clear.Values["accuracy"] || weak.Values["unchanged"] != 1 {
		t.Errorf("at epsilon 20 the words are %v, clear %v", weak.Values, clear.Values)
	}
	if weak.Evidence.Certificate == nil || weak.Evidence.Standing == nil {
		t.Errorf("the row lacks its evidence: %+v", weak.Evidence)
	}
	if again := run(t, b, Classify, with("response", 4), 1); !maps.Equal(again.Values, run(t, b, Classify, with("response", 4), 1).Values) {
		t.Error("one seed gives two results")
	}
	if out := run(t, b, Classify, with("gaussian", 2), 1); out.LeftOut == "" {
		t.Errorf("a refused setting gives %v", out)
	}
}

func TestAnAttackerTellsMembersOfAnOverfittedModelOnly(t *testing.T) {
	b := bench(t)
	out := run(t, b, Members, with("none", 0), 1)
	if auc := out.Values["auc"]; auc < 0.3 || auc > 1 {
		t.Errorf("the curve's area is %g", auc)
	}
	// A model of random words knows no member: with 100 of each the area has
	// deviation about 0.041 around 1/2.
	if auc := run(t, b, Members, with("response", 0.01), 1).Values["auc"]; math.Abs(auc-0.5) > 0.2 {
		t.Errorf("a model of random words has area %g", auc)
	}
}

func TestOverlapsOfTheSameTextAreWhole(t *testing.T) {
	b := bench(t)
	same := run(t, b, Overlap, with("response", 25), 1).Values
	for _, name := range []string{"unchanged", "rouge1", "bleu", "token_match"} {
		if math.Abs(same[name]-1) > 1e-5 {
			t.Errorf("%s of the same text is %g", name, same[name])
		}
	}
	low := run(t, b, Overlap, with("response", 0.5), 1).Values
	// The limit is a mean over the distribution; 200 texts of ten words keep within
	// 5 deviations of it: at most 0.5 sqrt(1/1000).
	if low["unchanged"] > low["limit"]+5*0.5*math.Sqrt(1.0/1000) || low["limit"] > 0.5 {
		t.Errorf("unchanged %g, limit %g", low["unchanged"], low["limit"])
	}
}

func TestPrivateVectorsTellDistancesAsEpsilonGrows(t *testing.T) {
	b := bench(t)
	for _, name := range []string{"madlib", "privemb lipschitz=table", "privemb lipschitz=paper"} {
		at := func(epsilon float64) map[string]float64 {
			return run(t, b, Approximate, with(name, epsilon, result.Param{Name: "pairs", Value: 40}, result.Param{Name: "beta", Value: 0.5}), 1).Values
		}
		coarse, fine := at(1), at(1e5)
		if fine["distance_error"] >= coarse["distance_error"] || fine["inner_product_error"] >= coarse["inner_product_error"] {
			t.Errorf("%s: errors %v at epsilon 1, %v at 1e5", name, coarse, fine)
		}
		if name == "madlib" && fine["distance_error"] > 1e-3 {
			t.Errorf("madlib without noise errs by %g", fine["distance_error"])
		}
	}
}

func TestSphericalNoiseHasItsNorm(t *testing.T) {
	s := spherical{epsilon: 2, dim: 50}
	zero, out := make([]float32, 50), make([]float32, 50)
	rng := noise.Seeded(5, 0)
	const draws = 2000
	sum := 0.0
	for range draws {
		if err := s.Perturb(out, zero, rng); err != nil {
			t.Fatal(err)
		}
		sum += math.Sqrt(inner(out, out)) / draws
	}
	// The norm is Gamma(50, 1/2): mean 25, deviation sqrt(50)/2; 5 deviations of the
	// mean of 2,000 leave a chance of 6e-7.
	if math.Abs(sum-25) > 5*math.Sqrt(50)/2/math.Sqrt(draws) {
		t.Errorf("the mean norm is %g, want 25", sum)
	}
	if err := s.Perturb(out[:3], zero, rng); err == nil {
		t.Error("vectors of a wrong length are taken")
	}
}

func TestVectorsOfOpinionWordsTellTheOpinion(t *testing.T) {
	b := bench(t)
	p := result.Params{{Name: "table", Value: "builtin:2000"}, {Name: "lexicon", Value: "hu-liu"}, {Name: "mechanism", Value: "none"}}
	if v := run(t, b, Opinions, p, 1).Values; v["auc"] < 0.8 {
		t.Errorf("vectors as they are: %v", v)
	}
	sentences := with("none", 0, result.Param{Name: "train", Value: 0}, result.Param{Name: "test", Value: 0})
	if v := run(t, b, Sentences, sentences, 1).Values; v["accuracy"] < 0.8 {
		t.Errorf("sentences as they are: %v", v)
	}
}

func TestTheClaimsOfTwoPapersAreRefuted(t *testing.T) {
	b := bench(t)
	at := func(name string, dim int) result.Outcome {
		return run(t, b, VectorDelta, result.Params{{Name: "mechanism", Value: name}, {Name: "dimensions", Value: dim}, {Name: "epsilon", Value: 0.2}, {Name: "draws", Value: 3000}}, 1)
	}
	tr := at("trlaplace-published", 100)
	if v := tr.Values; v["delta_true"] < 0.5 || v["delta_claimed"] > 1e-50 || v["delta_sampled_low"] > v["delta_true"] || v["delta_sampled_low"] < 0.01 || tr.Evidence.Refutation == "" {
		t.Errorf("trlaplace-published: %+v", tr)
	}
	if v := at("trlaplace-published", 1).Values; v["delta_true"] > v["delta_claimed"]*(1+1e-9) {
		t.Errorf("in one dimension the claim holds, but: %v", v)
	}
	if v := at("adept-published", 64).Values; math.Abs(v["epsilon_true"]-8*v["epsilon_claimed"]) > 1e-9 {
		t.Errorf("adept-published: %v", v)
	}
	p := result.Params{{Name: "latents", Value: "normal"}, {Name: "clip", Value: 5.0}, {Name: "vectors", Value: 1000}, {Name: "dimensions", Value: 256}}
	if v := run(t, b, AdeptShare, p, 1).Values; v["epsilon_factor"] != 16 || v["share_beyond"] < 0.99 {
		t.Errorf("ADePT's sensitivity: %v", v)
	}
}

func TestTheFrontierHasItsAttacks(t *testing.T) {
	b := bench(t)
	more := []result.Param{{Name: "prior", Value: "topics"}, {Name: "prior_texts", Value: 100}, {Name: "attacked", Value: 10}}
	low, high := run(t, b, Frontier, with("neighbours", 1, more...), 1).Values, run(t, b, Frontier, with("neighbours", 8, more...), 1).Values
	for _, name := range []string{"bayes_success", "context_recovered"} {
		if !(low[name] < high[name] && low[name] > 0 && high[name] <= 1) {
			t.Errorf("%s is %g at epsilon 1 and %g at 8", name, low[name], high[name])
		}
	}
	if _, ok := run(t, b, Frontier, with("madlib", 2, more...), 1).Values["bayes_success"]; ok {
		t.Error("an additive member has an exact attack figure")
	}
	if v := run(t, b, Learn, with("neighbours k=20", 6), 1); v.Values["set_size"] != 20 || v.Values["best_guess"] <= 0 {
		t.Errorf("learning: %v", v.Values)
	}
	if out := run(t, b, Examples, with("neighbours", 6, result.Param{Name: "text", Value: 1}), 1); out.Texts["text"] == "" {
		t.Error("an example is empty")
	}
	if v := run(t, b, Cost, with("neighbours", 6, result.Param{Name: "texts", Value: 5}), 1).Values; v["tokens_per_second"] <= 0 || v["tokens"] <= 0 {
		t.Errorf("the cost is %v", v)
	}
}
