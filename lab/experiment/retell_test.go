package experiment

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

func small(name string, epsilon float64, more ...result.Param) result.Params {
	p := result.Params{{Name: "set", Value: "requests"}, {Name: "start", Value: random}, {Name: "batch", Value: 16}, {Name: "epochs", Value: 3}, {Name: "hidden", Value: 32}, {Name: "latent", Value: 16}, {Name: "tokens", Value: 12}, {Name: "texts", Value: 10}}
	return append(append(p, result.Param{Name: "mechanism", Value: name}, result.Param{Name: "epsilon", Value: epsilon}), more...)
}

func TestDrawingAgainEveryEpochIsPaidForEveryEpoch(t *testing.T) {
	b := bench(t)
	at := func(name string, epsilon float64, noise string) result.Outcome {
		return run(t, b, Finetuned, with(name, epsilon, result.Param{Name: "noise", Value: noise}, result.Param{Name: "hidden", Value: 6}, result.Param{Name: "epochs", Value: 3}), 1)
	}
	clear := at("none", 0, "once")
	if clear.Evidence.Claim != nil || clear.Values["accuracy"] < 0.8 {
		t.Errorf("vectors as they are: %+v", clear)
	}
	for _, name := range []string{"laplace", "trlaplace", "madlib"} {
		once, again := at(name, 2, "once"), at(name, 2, everyEpoch)
		if c := once.Evidence.Claim; c.Epsilon != 2 || once.Values["releases"] != 1 {
			t.Errorf("%s once: %+v, %v", name, c, once.Values)
		}
		// Three uses cost at most three times the epsilon and the delta; at 2 no better sum
		// comes near one use.
		if c, one := again.Evidence.Claim, once.Evidence.Claim; c.Notion != one.Notion || c.Epsilon > 6*(1+1e-9) || c.Epsilon < 5 || math.Abs(c.Delta-3*one.Delta) > 1e-15 || again.Values["releases"] != 3 {
			t.Errorf("%s every epoch: %+v, %v", name, c, again.Values)
		}
		if !maps.Equal(again.Values, at(name, 2, everyEpoch).Values) {
			t.Errorf("%s: one seed gives two results", name)
		}
	}
	// Its true delta is above a third: three uses of it promise nothing.
	if c := at("trlaplace-published", 1, everyEpoch).Evidence; c.Claim.Notion != privacy.None || c.Published == nil {
		t.Errorf("trlaplace-published every epoch: %+v", c)
	}
	// Almost no noise teaches what clear vectors teach; noise alone teaches nothing: above
	// 0.75 of 200 texts of two classes by chance has probability below 1e-11.
	if weak, strong := at("laplace", 1e6, "once"), at("laplace", 0.01, "once"); weak.Values["accuracy"] < 0.8 || strong.Values["accuracy"] > 0.75 {
		t.Errorf("accuracy %g at epsilon 1e6, %g at 0.01", weak.Values["accuracy"], strong.Values["accuracy"])
	}
}

// The noise is bounded by about four clips a component: a vector of a hundred clips
// shines through it, a clipped one never does, and honest noise has no such bound.
func TestVectorsFarAboveTheClipShineThroughBoundedNoise(t *testing.T) {
	b := bench(t)
	at := func(name, clipped string, ratio float64) result.Outcome {
		return run(t, b, Unclipped, with(name, 0.05, result.Param{Name: "ratio", Value: ratio}, result.Param{Name: "clipped", Value: clipped}, result.Param{Name: "texts", Value: 50}), 1)
	}
	high := at("trlaplace-published", "no", 100)
	if v := high.Values; v["unchanged"] < 0.95 || v["limit"] > 0.5 || v["limit_published"] > 0.5 || math.Abs(v["bound"]-4) > 0.1 || v["delta_true"] < 0.99 {
		t.Errorf("vectors of a hundred clips: %v", v)
	}
	if e := high.Evidence; e.Claim.Notion != privacy.None || *e.Standing != privacy.Refuted || e.Published == nil || e.Published.Epsilon != 0.05 {
		t.Errorf("their claim is %+v", e)
	}
	for what, out := range map[string]result.Outcome{
		"clipped": at("trlaplace-published", "yes", 100), "of one clip": at("trlaplace-published", "no", 1), "unbounded noise": at("laplace", "no", 100),
	} {
		if v := out.Values; v["unchanged"] > 0.5 {
			t.Errorf("%s: %v", what, v)
		}
	}
	if c := at("laplace", "yes", 100).Evidence.Claim; c.Notion != privacy.Pure || c.Epsilon != 0.05 {
		t.Errorf("clipped laplace claims %+v", c)
	}
}

func TestTrainingOnTheTextsThemselvesReadsThemAgain(t *testing.T) {
	b := bench(t)
	at := func(target, noise string) result.Outcome {
		return run(t, b, Reread, small("trlaplace", 0.05, result.Param{Name: "target", Value: target}, result.Param{Name: "noise", Value: noise}, result.Param{Name: "rereads", Value: 200}), 1)
	}
	again, honest := at(original, "once"), at("noised", "once")
	if again.Values["unchanged"] < 2*again.Values["limit"] || again.Evidence.Claim.Notion != privacy.None {
		t.Errorf("trained on the texts: %v, %+v", again.Values, again.Evidence.Claim)
	}
	if honest.Values["unchanged"] > honest.Values["limit"] || honest.Evidence.Claim.Epsilon != 0.05 {
		t.Errorf("trained on what was released: %v, %+v", honest.Values, honest.Evidence.Claim)
	}
	if v := at("noised", everyEpoch); v.Values["releases"] != 201 || !(v.Evidence.Claim.Epsilon > 1 && v.Evidence.Claim.Epsilon < 0.05*201) {
		t.Errorf("drawn every epoch: %v, %+v", v.Values, v.Evidence.Claim)
	}
}

func TestAnEpochIsTimedForBothLearners(t *testing.T) {
	b := bench(t)
	for _, learner := range []string{"classifier", "auto-encoder"} {
		v := run(t, b, Epoch, small("laplace", 1, result.Param{Name: "table", Value: "builtin:400"}, result.Param{Name: "train", Value: 20}, result.Param{Name: "learner", Value: learner}), 1).Values
		if v["vectors"] < 20 || v["noise_seconds"] <= 0 || v["learn_seconds"] <= 0 || math.Abs(v["epoch_seconds"]-v["noise_seconds"]-v["learn_seconds"]) > 1e-9 {
			t.Errorf("%s: %v", learner, v)
		}
	}
}

func TestAModelIsTrainedOnceAndKept(t *testing.T) {
	b := bench(t)
	b.Models = filepath.Join(t.TempDir(), "models")
	p := small("laplace", 1, result.Param{Name: "clipped", Value: "yes"})
	first := run(t, b, Retold, p, 1).Values
	files, err := filepath.Glob(filepath.Join(b.Models, "*.model"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept %v (%v)", files, err)
	}
	again := bench(t)
	again.Models = b.Models
	if v := run(t, again, Retold, p, 1).Values; !maps.Equal(v, first) {
		t.Errorf("the model that was kept gives %v, the one that was made %v", v, first)
	}
	// It is read, not trained: a damaged file is noticed, unless models are made anew.
	if err := os.WriteFile(files[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := bench(t)
	broken.Models = b.Models
	if _, err := Retold(t.Context(), broken, p, 1); err == nil {
		t.Error("a damaged model is taken")
	}
	fresh := bench(t)
	fresh.Models, fresh.Fresh = b.Models, true
	if v := run(t, fresh, Retold, p, 1).Values; !maps.Equal(v, first) {
		t.Errorf("a model made anew gives %v, want %v", v, first)
	}
}
