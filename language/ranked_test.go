package language_test

import (
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
)

func TestRankedWordsAreTheContinuations(t *testing.T) {
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
	states := []language.State{m.Start(), m.Empty()}
	for w := range embedding.ID(30) {
		_, one := m.Next(m.Empty(), w)
		_, two := m.Next(one, (w*w+1)%30)
		states = append(states, one, two)
	}
	compared := 0
	for _, s := range states {
		r, i := m.Ranked(s), 0
		for w, log := range m.Continuations(s) {
			if i >= r.Len() || r.Word(i) != w || r.Log(i) != log {
				t.Fatalf("state %d: place %d of %d is not word %d", s, i, r.Len(), w)
			}
			if _, next := m.Next(s, w); next != r.Next(i) {
				t.Errorf("state %d, word %d: the next state is %d, want %d", s, w, r.Next(i), next)
			}
			if s != m.Empty() && !m.Saw(s, w) {
				t.Errorf("state %d: word %d was not seen", s, w)
			}
			i++
		}
		if i != r.Len() {
			t.Errorf("state %d: %d words are ranked, want %d", s, r.Len(), i)
		}
		saw := 0
		for w := range embedding.ID(30) {
			if s != m.Empty() && m.Saw(s, w) {
				saw++
			}
		}
		if s != m.Empty() && saw != r.Len() {
			t.Errorf("state %d: %d words were seen, want %d", s, saw, r.Len())
		}
		compared += i
	}
	if compared < 100 {
		t.Errorf("%d words were compared", compared)
	}
}
