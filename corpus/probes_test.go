package corpus_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
)

// scaled is an encoder whose vectors have a component by the length of a text, and another one.
type scaled struct{ other float64 }

func (scaled) Dim() int { return 2 }

func (s scaled) Vectors(_ context.Context, texts [][]byte) (vectors [][]float64, err error) {
	if s.other < 0 {
		return nil, errors.New("no answer")
	}
	for _, t := range texts {
		vectors = append(vectors, []float64{float64(len(t)), s.other})
	}
	return vectors, nil
}

// Probes tell encoders apart, and are the same for one encoder.
func TestProbesAreOfTheAnswers(t *testing.T) {
	one, err := corpus.Probes(t.Context(), scaled{1})
	if err != nil {
		t.Fatal(err)
	}
	again, _ := corpus.Probes(t.Context(), scaled{1})
	other, _ := corpus.Probes(t.Context(), scaled{20})
	if one != again || one == other {
		t.Errorf("probes %s, again %s, of another encoder %s", one, again, other)
	}
	if _, err := corpus.Probes(t.Context(), scaled{-1}); err == nil {
		t.Error("an encoder without answers has probes")
	}
	if err := corpus.SameProbes(one, again); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"answers otherwise": corpus.SameProbes(one, other), "came with the texts": corpus.SameProbes("", one),
		"not a SHA-256": corpus.CheckProbes(one[1:], true), "is that of the corpus": corpus.CheckProbes(one, false),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if corpus.CheckProbes(one, true) != nil || corpus.CheckProbes("", false) != nil {
		t.Error("true probes, or none, are refused")
	}
}
