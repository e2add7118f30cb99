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

// Releases say little here, and public knowledge that their labels agree with adds to them.
// Beside counts of cells, scores that are three times as large count for a third: they say the
// same with three times the certainty. Beside whole texts these count in full, which few labels
// do not contradict. What the labels contradict is left out.
func TestReleasesSayWhatKnowledgeCounts(t *testing.T) {
	stage.Unraced(t)
	codebook, private, tests := newRing(600, 6, 3, 1), newRing(300, 6, 3, 2), newRing(2000, 6, 3, 3)
	classes := []string{"a", "b", "c"}
	whole := codebook.release(private, Channel{Epsilon: 3, Texts: 600, Neighbours: 60}, 4)
	cells := sectors{codebook, 24}.count(private, 0.3, 5)
	whole.Classes, cells.Classes = classes, classes
	right := taught(t, newRing(600, 6, 3, 6), classes, 0, 1, 2)
	turned := taught(t, newRing(600, 6, 3, 6), classes, 1, 2, 0)
	for name, r := range map[string]Releases{"whole texts": whole, "cells": cells} {
		learnt := func(known *Model) (*Model, float64) {
			m, _, err := FitReleases(t.Context(), r, NewFeatures(codebook, nil, nil), Options{Knowledge: known})
			if err != nil {
				t.Fatal(err)
			}
			return m, accuracy(m, tests)
		}
		alone, without := learnt(nil)
		m, with := learnt(right)
		t.Logf("%s: accuracy %.3f, %.3f with public knowledge, %.3f by it alone", name, without, with, accuracy(right, tests))
		if m.Knowledge == 0 || with < without || slices.Equal(m.Weights, alone.Weights) {
			t.Errorf("%s: accuracy %.3f with knowledge that counts for %g, %.3f without", name, with, m.Knowledge, without)
		}
		sure := *right
		sure.Weights = sum(right.Weights, right.Weights, 2)
		if s, _ := learnt(&sure); r.Cells != nil && math.Abs(s.Knowledge-m.Knowledge/3) > 1.0/hearings || r.Cells == nil && m.Knowledge != 1 {
			t.Errorf("%s: knowledge counts for %g, and for %g if it is three times as sure", name, m.Knowledge, s.Knowledge)
		}
		if m, with := learnt(turned); m.Knowledge != 0 || with != without {
			t.Errorf("%s: accuracy %.3f with wrong knowledge that counts for %g, %.3f without", name, with, m.Knowledge, without)
		}
	}
}

// Of whole texts a model is the mean of two: one that begins with public knowledge, and one that
// it is added to.
func TestFitsToWholeTextsHaveKnowledgeTwice(t *testing.T) {
	codebook, private, classes := newRing(600, 6, 3, 1), newRing(300, 6, 3, 2), []string{"a", "b", "c"}
	r := codebook.release(private, Channel{Epsilon: 3, Texts: 600, Neighbours: 60}, 4)
	r.Classes = classes
	d, err := r.Data(t.Context(), NewFeatures(codebook, nil, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	known := taught(t, newRing(600, 6, 3, 6), classes, 0, 1, 2)
	alone, m := fit(t, d, Options{}), fit(t, d, Options{Knowledge: known})
	f, begun, _, err := fitted(t.Context(), d, Options{Knowledge: known})
	if err != nil || f.trust == 0 || m.Knowledge != f.trust {
		t.Fatalf("%v: knowledge counts for %g, and %g", err, m.Knowledge, f.trust)
	}
	evidence := known.evidence()
	for k, w := range m.Weights {
		added := float64(alone.Weights[k]) + float64(f.trust*float64(evidence.Weights[k]))
		if mean := (float64(begun.Weights[k]) + added) / 2; math.Abs(mean-float64(w)) > 1e-4*(1+math.Abs(added)) {
			t.Fatalf("weight %d is %g, and the mean of both fits %g", k, w, mean)
		}
	}
}

// Cells have the labels that public knowledge gives their texts. Nothing is left to learn.
func TestFitsAddWhatKnowledgeLacks(t *testing.T) {
	codebook, classes := newRing(600, 6, 3, 1), []string{"a", "b", "c"}
	known := taught(t, newRing(600, 6, 3, 6), classes, 0, 1, 2)
	r := Releases{Codebook: codebook, Classes: classes, Cells: sectors{codebook, 24}}
	for i := range codebook.Len() {
		for y, chance := range known.Chances(nil, Row{Features: grid(nil, codebook.Vector(nil, i))}) {
			r.Texts, r.Class, r.Weights = append(r.Texts, i), append(r.Class, y), append(r.Weights, chance)
		}
	}
	d, err := r.Data(t.Context(), NewFeatures(codebook, nil, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := fit(t, d, Options{Knowledge: known})
	if m.Knowledge < 0.9 {
		t.Fatalf("the knowledge counts for %g", m.Knowledge)
	}
	for k, x := range known.Weights {
		if most := float32(0.05) * slices.Max(known.Weights); k%(m.Dim+1) < m.Dim && max(x-m.Weights[k], m.Weights[k]-x) > most {
			t.Errorf("weight %d is %g, and %g by public knowledge", k, m.Weights[k], x)
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
	e, row := known.evidence(), Row{Features: grid(nil, tests.Vector(nil, 0))}
	if own, mean := e.score(2, row), (e.score(0, row)+e.score(1, row))/2; math.Abs(own-mean) > 1e-3 {
		t.Errorf("evidence is %g for the third class, and %g for the others on average", own, mean)
	}
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
