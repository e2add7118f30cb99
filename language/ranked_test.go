package language_test

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

func TestRankedWordsAreTheContinuations(t *testing.T) {
	m := thirty(t)
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
			if most := r.Most(i); most < log || most > log+1e-6*math.Abs(log) {
				t.Errorf("state %d, word %d: %v is no close bound of %v", s, w, most, log)
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
		if goesOn := 1 - math.Exp(m.End(s)); m.GoesOn(s) != goesOn {
			t.Errorf("state %d goes on with a chance of %v, want %v", s, m.GoesOn(s), goesOn)
		}
		compared += i
	}
	if compared < 100 {
		t.Errorf("%d words were compared", compared)
	}
}
