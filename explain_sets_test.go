package sotto_test

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto"
)

// The set of a word is what its likeliest outputs are together.
func TestExplainSumsTheSet(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Mechanism: "neighbours", Epsilon: 8, Parameters: map[string]string{"neighbours": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Explain("doctor", 5)
	if err != nil || len(words) != 1 {
		t.Fatal(words, err)
	}
	e, sum := words[0], 0.0
	for _, o := range e.Outputs {
		sum += o.Probability
		if o.Probability != e.Outputs[0].Probability {
			t.Errorf("%s has another probability than the first of the set", o.Word)
		}
	}
	if e.Neighbours != 5 || math.Abs(e.Inside-sum) > 1e-12 || math.Abs(e.Inside+e.Rest-1) > 1e-12 || e.Inside < 0.3 {
		t.Errorf("the set of %d has probability %v, its outputs %v and the others %v", e.Neighbours, e.Inside, sum, e.Rest)
	}
	if r, err = sotto.Open(t.Context(), sotto.Config{Mechanism: "tem", Epsilon: 2}); err != nil {
		t.Fatal(err)
	}
	if words, err = r.Explain("doctor", 5); err != nil || words[0].Neighbours != 0 || words[0].Inside != 0 {
		t.Errorf("a channel without sets has %+v, %v", words, err)
	}
}
