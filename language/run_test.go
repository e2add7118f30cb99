package language_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
)

// thirty trains a model on texts of the first thirty words of the embedded table.
func thirty(t *testing.T) *language.Model {
	t.Helper()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(30)
	if err != nil {
		t.Fatal(err)
	}
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for i := range 40 {
			text := make([]embedding.ID, 9)
			for j := range text {
				text[j] = embedding.ID((i*i + j*j*(1+i%3)) % 30)
			}
			if !yield(text, nil) {
				return
			}
		}
	}, language.Options{Order: 3, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSeenWordsFollowAsNextSays(t *testing.T) {
	m := thirty(t)
	states := []language.State{m.Start()}
	known := map[language.State]bool{m.Start(): true, m.Empty(): true}
	seen := 0
	for len(states) > 0 {
		s := states[0]
		states = states[1:]
		run := m.Seen(s)
		if !slices.IsSorted(run.Words) {
			t.Errorf("state %d: the words do not ascend", s)
		}
		for i, w := range run.Words {
			seen++
			if int(w) == m.Vocabulary().Len() {
				if got := m.End(s); got != run.LogProbs[i] {
					t.Errorf("state %d: the end has %g, want %g", s, run.LogProbs[i], got)
				}
				continue
			}
			p, next := m.Next(s, embedding.ID(w))
			if p != run.LogProbs[i] || next != run.Next(i) {
				t.Errorf("state %d, word %d: %g and %d, want %g and %d", s, w, run.LogProbs[i], run.Next(i), p, next)
			}
			if !known[next] {
				known[next] = true
				states = append(states, next)
			}
		}
		weight, shorter, _ := m.Backoff(s)
		for w := range uint32(30) {
			if _, ok := slices.BinarySearch(run.Words, w); ok {
				continue
			}
			p, next := m.Next(s, embedding.ID(w))
			short, after := m.Next(shorter, embedding.ID(w))
			if math.Abs(p-weight-short) > 1e-12 || next != after {
				t.Errorf("state %d, word %d that it has not seen: %g and %d, want %g and %d", s, w, p, next, weight+short, after)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d words were compared", seen)
	}
}
