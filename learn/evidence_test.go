package learn

import (
	"math"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// taught is public knowledge: what labelled texts teach of classes, numbered as names says.
func taught(t *testing.T, public *ring, classes []string, names ...int) *Model {
	t.Helper()
	d := NewFeatures(public, nil, nil).NewData(classes)
	for i, c := range public.class {
		if c < len(names) {
			d.Examples = append(d.Examples, Example{d.Add(Row{Features: grid(nil, public.Vector(nil, i))}), names[c], 1})
		}
	}
	return fit(t, d, Options{})
}

// Releases say little here. Public knowledge that they do not speak against adds to them, to those
// of whole texts with its full weight. What they contradict is left out.
func TestReleasesSayWhatKnowledgeCounts(t *testing.T) {
	stage.Unraced(t)
	codebook, private, tests := newRing(600, 6, 3, 1), newRing(300, 6, 3, 2), newRing(2000, 6, 3, 3)
	classes := []string{"a", "b", "c"}
	whole := codebook.release(private, Channel{Epsilon: 3, Texts: 600, Neighbours: 60}, 4)
	cells := sectors{codebook, 24}.count(private, 0.3, 5)
	whole.Classes, cells.Classes = classes, classes
	right := taught(t, newRing(600, 6, 3, 6), classes, 0, 1, 2)
	turned := taught(t, newRing(600, 6, 3, 6), classes, 1, 2, 0)
	along := cells
	along.Along, along.Epsilon = true, 1
	for name, r := range map[string]Releases{"whole texts": whole, "cells": cells, "cells along the words": along} {
		learnt := func(known *Model) (*Model, float64) {
			m, _, err := FitReleases(t.Context(), r, NewFeatures(codebook, nil, nil), Options{Knowledge: known})
			if err != nil {
				t.Fatal(err)
			}
			return m, accuracy(m, tests)
		}
		most := map[string]float64{"whole texts": 1, "cells": 0.5, "cells along the words": 0.125}[name]
		alone, without := learnt(nil)
		m, with := learnt(right)
		t.Logf("%s: accuracy %.3f, %.3f with public knowledge, %.3f by it alone", name, without, with, accuracy(right, tests))
		if m.Knowledge != most || with < without || slices.Equal(m.Weights, alone.Weights) {
			t.Errorf("%s: accuracy %.3f with knowledge that counts for %g, %.3f without", name, with, m.Knowledge, without)
		}
		if m, with := learnt(turned); m.Knowledge != 0 || with != without {
			t.Errorf("%s: accuracy %.3f with wrong knowledge that counts for %g, %.3f without", name, with, m.Knowledge, without)
		}
	}
}

// Less noise leaves less to add to cells along the words, but not to others.
func TestKnowledgeAddsLessToCellsWithLessNoise(t *testing.T) {
	stage.Unraced(t)
	codebook, private := newRing(600, 6, 3, 1), newRing(300, 6, 3, 2)
	r := sectors{codebook, 24}.count(private, 0.3, 5)
	known := taught(t, newRing(600, 6, 3, 6), r.Classes, 0, 1, 2)
	for epsilon, want := range map[float64]float64{0: 0.5, 0.25: 0.25, 0.5: 0.25, 1: 0.125, 4: 0.03125} {
		r.Along, r.Epsilon = epsilon > 0, epsilon
		m, _, err := FitReleases(t.Context(), r, NewFeatures(codebook, nil, nil), Options{Knowledge: known})
		if err != nil {
			t.Fatal(err)
		}
		if m.Knowledge != want {
			t.Errorf("knowledge counts for %g at epsilon %g (cells along words: %t), want %g", m.Knowledge, epsilon, r.Along, want)
		}
	}
}

// Words may be known for some of the labels only. They say nothing about the others, so that most
// texts with one of these are still found.
func TestKnowledgeOfSomeClassesSaysNothingOfOthers(t *testing.T) {
	stage.Unraced(t)
	codebook, private, tests := newRing(600, 6, 3, 1), newRing(900, 6, 3, 2), newRing(2000, 6, 3, 3)
	r := codebook.release(private, Channel{Epsilon: 5, Texts: 600, Neighbours: 60}, 4)
	r.Classes = []string{"a", "b", "c"}
	known := taught(t, newRing(600, 6, 3, 6), r.Classes, 0, 1)
	third := func(known *Model) (found float64) {
		m, _, err := FitReleases(t.Context(), r, NewFeatures(codebook, nil, nil), Options{Knowledge: known})
		if err != nil {
			t.Fatal(err)
		}
		if known != nil && m.Knowledge == 0 {
			t.Error("the knowledge is left out")
		}
		n := 0.0
		for i, c := range tests.class {
			if c == 2 {
				n++
				if m.Predict(Row{Features: grid(nil, tests.Vector(nil, i))}) == "c" {
					found++
				}
			}
		}
		return found / n
	}
	without, with := third(nil), third(known)
	t.Logf("%.3f of the third class are found, %.3f with knowledge of two", without, with)
	if with < without-0.2 {
		t.Errorf("%.3f of the third class are found with knowledge of two, %.3f without", with, without)
	}
}

// Nine in ten public texts have one class. Evidence for it is what a text adds to that.
func TestSharesOfPublicTextsSayNothing(t *testing.T) {
	d := NewFeatures(newRing(1, 2, 2, 1), nil, nil).NewData([]string{"a", "b"})
	for i := range 400 {
		d.Examples = append(d.Examples, Example{d.Add(Row{Features: []float32{float32(i % 7), 0}}), min(i/7%10, 1), 1})
	}
	m := fit(t, d, Options{Ridge: []float64{0.1}}) // a feature that does not depend on the class
	r := Row{Features: []float32{3, 0}}
	if before := m.score(1, r) - m.score(0, r); before < 1.5 {
		t.Errorf("the commoner class has a score that is %.2f above the other", before)
	}
	if e := m.evidence(); math.Abs(e.score(1, r)-e.score(0, r)) > 0.3 {
		t.Errorf("evidence is %.2f for one class, %.2f for the other", e.score(1, r), e.score(0, r))
	}
}
