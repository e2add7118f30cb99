package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
)

func smallTable(t *testing.T, rng *rand.Rand, words, dim int) *embedding.Table {
	src := embedding.Source{Name: "small", Dim: dim}
	for x := range words {
		src.Words = append(src.Words, string(rune('a'+x)))
	}
	for range words * dim {
		src.Vectors = append(src.Vectors, float32(rng.NormFloat64()))
	}
	table, err := embedding.New(src)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func smallCorpus(rng *rand.Rand, texts, words, classes int) dataset.Corpus {
	var c dataset.Corpus
	for range texts {
		for range 1 + rng.IntN(6) {
			c.Words = append(c.Words, embedding.ID(rng.IntN(words)))
		}
		c.Ends = append(c.Ends, len(c.Words))
		c.Labels = append(c.Labels, rng.IntN(classes))
	}
	return c
}

// near compares a gradient with the central difference of a loss computed in
// float32: with a step of 1e-3 its rounding is about 1e-7/1e-3 and its
// curvature's part 1e-6, both below the tolerance; a wrong sign or factor is not.
func near(t *testing.T, what string, w []float32, g []float32, loss func() float64) {
	t.Helper()
	const step = 1e-3
	checked := 0
	for k := range w {
		if g[k] == 0 && k%7 != 0 {
			continue
		}
		was := w[k]
		w[k] = was + step
		up := loss()
		w[k] = was - step
		down := loss()
		w[k] = was
		if d := (up - down) / (2 * step); math.Abs(d-float64(g[k])) > 2e-3*max(1, math.Abs(d)) {
			t.Errorf("%s[%d]: gradient %g, difference %g", what, k, g[k], d)
		}
		checked++
	}
	if checked == 0 {
		t.Errorf("%s: nothing was checked", what)
	}
}

// numbers returns 0 to n-1.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestTheBagsGradientIsThatOfItsLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := NewBag(smallTable(t, rng, 8, 5), 3)
	for k := range b.linear {
		b.linear[k] = float32(rng.NormFloat64())
	}
	c := smallCorpus(rng, 12, 8, 3)
	g := b.newGradient()
	b.add(g, c, numbers(c.Len()), true)
	loss := func() float64 { return b.Loss(c) }
	near(t, "linear", b.linear, g.linear, loss)
	near(t, "constant", b.constant, g.constant, loss)
	near(t, "words", b.words, g.words, loss)
	m := newMoments(len(b.words))
	m.stepRows(b.words, g.words, g.touched, b.dim, 0.1)
	g.forget()
	for k, v := range g.words {
		if v != 0 || g.seen[k/b.dim] {
			t.Fatalf("after a step component %d is %g", k, v)
		}
	}
}

func TestThePerceptronsGradientIsThatOfItsLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := NewMLP(4, MLPConfig{Hidden: []int{6, 5}, Seed: 9})
	for _, l := range m.layers { // away from the corner of the rectifier
		for k := range l.constant {
			l.constant[k] = 0.3
		}
	}
	rows, yes := make([][]float32, 10), make([]bool, 10)
	for i := range rows {
		for range 4 {
			rows[i] = append(rows[i], float32(rng.NormFloat64()))
		}
		yes[i] = rng.IntN(2) == 0
	}
	p := m.newPass(len(rows))
	m.add(p, rows, yes, numbers(len(rows)))
	loss := func() float64 {
		sum := 0.0
		for i, row := range rows {
			s := m.Score(row)
			if yes[i] {
				s = -s
			}
			sum += math.Log1p(math.Exp(s))
		}
		return sum / float64(len(rows))
	}
	for k, l := range m.layers {
		near(t, "weights", l.weights, p.gradients[k].weights, loss)
		near(t, "constant", l.constant, p.gradients[k].constant, loss)
	}
}

func TestLinearGradientsAreThoseOfTheirLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rows, labels, yes := make([][]float64, 20), make([]int, 20), make([]bool, 20)
	for i := range rows {
		rows[i] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		labels[i], yes[i] = rng.IntN(3), rng.IntN(2) == 0
	}
	m := &Softmax{classes: 3, width: 3}
	for name, loss := range map[string]func(grad, w []float64) float64{
		"softmax": func(grad, w []float64) float64 { return m.loss(grad, w, rows, labels) + ridge(grad, w, 4, 0.1) },
		"hinge":   func(grad, w []float64) float64 { return hinge(grad, w[:4], rows, yes) + ridge(grad, w, 4, 0.1) },
	} {
		w, grad := make([]float64, 12), make([]float64, 12)
		for k := range w {
			w[k] = rng.NormFloat64() / 4
		}
		loss(grad, w)
		for k := range w {
			const step = 1e-6
			was := w[k]
			w[k] = was + step
			up := loss(nil, w)
			w[k] = was - step
			down := loss(nil, w)
			w[k] = was
			// A kink of the hinge's slope within the step is the only larger difference: its chance is about 1e-5.
			if d := (up - down) / (2 * step); math.Abs(d-grad[k]) > 1e-6 {
				t.Errorf("%s[%d]: gradient %g, difference %g", name, k, grad[k], d)
			}
		}
	}
}

func TestModelsLearnWhatCanBeLearnt(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	table := smallTable(t, rng, 8, 5)
	c := smallCorpus(rng, 400, 8, 2)
	for i := range c.Len() { // the label is whether word 2 occurs
		c.Labels[i] = 0
		for _, x := range c.Text(i) {
			if x == 2 {
				c.Labels[i] = 1
			}
		}
	}
	b := NewBag(table, 2)
	before := b.Loss(c)
	b.Fit(c, BagConfig{Epochs: 40, Batch: 16, Rate: 1e-2, WordRate: 1e-2, Seed: 1})
	if after := b.Loss(c); after > before/3 {
		t.Errorf("the bag's loss went from %g to %g", before, after)
	}
	var rows [][]float32
	var yes []bool
	for range 400 {
		u, v := float32(rng.NormFloat64()), float32(rng.NormFloat64())
		rows, yes = append(rows, []float32{u, v}), append(yes, u*v > 0) // no linear rule
	}
	cfg := MLPConfig{Hidden: []int{64, 64}, Epochs: 60, Batch: 64, Rate: 1e-2, Seed: 1}
	m := NewMLP(2, cfg)
	m.Fit(rows, yes, cfg)
	right := 0
	for i, row := range rows {
		if m.Score(row) > 0 == yes[i] {
			right++
		}
	}
	if right < 380 {
		t.Errorf("the perceptron is right on %d of 400 rows", right)
	}
}

func TestTheMachineFindsTheWidestMargin(t *testing.T) {
	rows := [][]float64{{1, 5}, {2, -5}, {-1, 4}, {-2, -4}}
	m, err := FitSVM(rows, []bool{true, true, false, false}, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if (m.Score(row) > 0) != (i < 2) {
			t.Errorf("row %v has score %g", row, m.Score(row))
		}
	}
	if a := math.Abs(m.weights[1] / m.weights[0]); a > 0.3 {
		t.Errorf("the boundary leans: %v", m.weights)
	}
}
