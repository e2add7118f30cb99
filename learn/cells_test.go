package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

// sectors are cells of a ring's texts: those of one sector of angles.
type sectors struct {
	ring *ring
	n    int
}

func (s sectors) Len() int { return s.n }
func (s sectors) Of(i int) int {
	v := s.ring.Vector(nil, i)
	turn := math.Atan2(float64(v[1]), float64(v[0]))/(2*math.Pi) + 0.5
	return min(int(turn*float64(s.n)), s.n-1)
}

// count returns the texts of the codebook with the weights that private texts give their
// cells, spread evenly, plus noise in each cell and class.
func (s sectors) count(private *ring, noise float64, seed uint64) Releases {
	rng := rand.New(rand.NewPCG(seed, 11))
	out := Releases{Codebook: s.ring, Classes: []string{"a", "b", "c"}, Cells: s}
	counts, sizes := make([]float64, s.n*3), make([]int, s.n)
	for i, y := range private.class {
		counts[3*(sectors{private, s.n}).Of(i)+y]++
	}
	for i := range counts {
		counts[i] = max(0, counts[i]+noise*rng.NormFloat64())
	}
	for i := range s.ring.Len() {
		sizes[s.Of(i)]++
	}
	for i := range s.ring.Len() {
		for y := range 3 {
			if c := s.Of(i); counts[3*c+y] > 0 {
				out.Texts, out.Class, out.Weights = append(out.Texts, i), append(out.Class, y), append(out.Weights, counts[3*c+y]/float64(sizes[c]))
			}
		}
	}
	return out
}

func TestCellsAreRowsOfTheirTexts(t *testing.T) {
	codebook := newRing(900, 4, 3, 1)
	cells := sectors{codebook, 2}
	r := Releases{Codebook: codebook, Classes: []string{"no", "yes"}, Cells: cells}
	sums := map[Example]float64{}
	for i := range 300 {
		r.Texts, r.Class, r.Weights = append(r.Texts, i), append(r.Class, i%2), append(r.Weights, float64(1+i%3))
		sums[Example{Row: cells.Of(i), Class: i % 2}] += float64(1 + i%3)
	}
	d, err := r.Data(context.Background(), NewFeatures(codebook, nil, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.check(); err != nil {
		t.Fatal(err)
	}
	if len(d.Examples) != 4 || len(d.Origins.Of) != 2 || !d.Origins.Cells {
		t.Fatalf("%d examples of %d rows", len(d.Examples), len(d.Origins.Of))
	}
	for _, e := range d.Examples {
		if want := sums[Example{Row: e.Row, Class: e.Class}]; math.Abs(e.Weight-want) > 1e-9 {
			t.Errorf("row %d, class %d: weight %g, want %g", e.Row, e.Class, e.Weight, want)
		}
	}
	for cell, of := range d.Origins.Of {
		var all []int
		for i := range codebook.Len() {
			if cells.Of(i) == cell {
				all = append(all, i)
			}
		}
		if len(of) != cellTexts {
			t.Errorf("cell %d has %d origins, want %d of %d texts", cell, len(of), cellTexts, len(all))
		}
		for k, at := range of {
			text := grid(nil, codebook.Vector(nil, all[k*len(all)/cellTexts]))
			if !slices.Equal(d.Features[int(at)*d.Dim:(int(at)+1)*d.Dim], text) {
				t.Fatalf("origin %d of cell %d is another text", k, cell)
			}
		}
	}
	r.Channel = Channel{Epsilon: 1, Texts: codebook.Len(), Neighbours: 3}
	var refused *privacy.ParameterError
	if _, err := r.Data(context.Background(), NewFeatures(codebook, nil, nil), nil); !errors.As(err, &refused) {
		t.Errorf("cells and a channel: %v", err)
	}
	r.Channel, r.Along = Channel{}, true
	for _, epsilon := range []float64{0, -1, math.NaN()} {
		r.Epsilon = epsilon
		if _, _, err := FitReleases(t.Context(), r, NewFeatures(codebook, nil, nil), Options{}); !errors.As(err, &refused) || refused.Name != "epsilon" {
			t.Errorf("cells at epsilon %g: %v", epsilon, err)
		}
	}
}

func TestCellsAreHeldOutWhole(t *testing.T) {
	codebook := newRing(300, 4, 3, 1)
	for _, cells := range []int{12, 3} { // with fewer cells than folds, labels are held out
		r := sectors{codebook, cells}.count(newRing(400, 4, 3, 2), 0, 3)
		d, err := r.Data(context.Background(), NewFeatures(codebook, nil, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		f := newFitter(&d, Options{})
		held, both := 0, false
		for fold := range 5 {
			kept, out := split(f.groups, fold, 5, true)
			held += len(out)
			for _, g := range out {
				both = both || slices.ContainsFunc(kept, func(k group) bool { return k.members[0] == g.members[0] })
			}
			if len(kept) == 0 || len(out) == 0 {
				t.Errorf("%d cells: fold %d has %d cells and leaves %d", cells, fold, len(out), len(kept))
			}
		}
		if whole := cells >= 5; both == whole || whole && held != cells {
			t.Errorf("%d cells: %d are held out, in part: %v", cells, held, both)
		}
	}
}

// Cells cut classes: a model of single texts learns that both sides of a border in a cell
// have the same class. It is less sure of the right class than a model of cells.
func TestCellsTeachMoreThanTheirTexts(t *testing.T) {
	codebook, private, tests := newRing(2000, 6, 3, 1), newRing(3000, 6, 3, 2), newRing(2000, 6, 3, 3)
	f := NewFeatures(codebook, nil, nil)
	r := sectors{codebook, 4}.count(private, 1, 5)
	var losses []float64
	for range 2 {
		d, err := r.Data(context.Background(), f, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, loss := fit(t, d, Options{Ridge: []float64{0.01}}), 0.0
		for i, y := range tests.class {
			p := m.Chances(nil, Row{Features: grid(nil, tests.Vector(nil, i))})
			loss -= math.Log(p[y]) / float64(tests.Len())
		}
		losses = append(losses, loss)
		r.Cells = nil
	}
	t.Logf("the loss is %.4f in cells, %.4f of single texts", losses[0], losses[1])
	if losses[0] > losses[1]-0.05 {
		t.Errorf("the loss is %.4f in cells, %.4f of single texts", losses[0], losses[1])
	}
}

// The classifier of cells has the mean logits of a model of cells and one of single texts,
// each with its own penalty.
func TestBothModelsOfCellsCount(t *testing.T) {
	stage.Unraced(t)
	codebook, private := newRing(1000, 6, 3, 1), newRing(3000, 6, 3, 2)
	f := NewFeatures(codebook, nil, nil)
	for _, ridges := range [][]float64{nil, {0.3, 0.1}, {0.1}} {
		r := sectors{codebook, 24}.count(private, 1, 5)
		m, scores, err := FitReleases(context.Background(), r, f, Options{Ridge: ridges})
		if err != nil {
			t.Fatal(err)
		}
		var models []*Model
		for range 2 {
			d, err := r.Data(context.Background(), f, nil)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Ridge: ridges}
			if r.Cells != nil && ridges == nil {
				o.Ridge = []float64{1, 0.3, 0.1}
			}
			models = append(models, fit(t, d, o))
			r.Cells = nil
		}
		if slices.Equal(models[0].Weights, models[1].Weights) {
			t.Error("both models are the same")
		}
		for i, w := range m.Weights {
			if want := (models[0].Weights[i] + models[1].Weights[i]) / 2; w != want {
				t.Fatalf("penalties %v: weight %d is %g, want %g", ridges, i, w, want)
			}
		}
		if !m.Origins || m.Ridge != models[1].Ridge || (len(scores) > 0) != (len(ridges) != 1) {
			t.Errorf("penalties %v: origins %v, ridge %g, %d scores", ridges, m.Origins, m.Ridge, len(scores))
		}
	}
	r := sectors{codebook, 8}.count(private, 1, 5)
	r.Cells = nil
	d, err := r.Data(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := FitReleases(context.Background(), r, f, Options{})
	if err != nil || !slices.Equal(m.Weights, fit(t, d, Options{}).Weights) {
		t.Errorf("releases without cells have another model than their data (%v)", err)
	}
}

// A small corpus may have fewer cells than folds. Then none can be held out, and the
// classifier is that of single texts.
func TestTooFewCellsAreFittedAsTexts(t *testing.T) {
	codebook := newRing(900, 4, 3, 1)
	r := Releases{Codebook: codebook, Classes: []string{"no", "yes"}, Cells: sectors{codebook, 2}}
	for i := range 300 {
		r.Texts, r.Class, r.Weights = append(r.Texts, i), append(r.Class, i%2), append(r.Weights, 1)
	}
	f := NewFeatures(codebook, nil, nil)
	m, _, err := FitReleases(context.Background(), r, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Cells = nil
	texts, _, err := FitReleases(context.Background(), r, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Weights, texts.Weights) || m.Ridge != texts.Ridge {
		t.Error("it is another classifier than that of the texts")
	}
}
