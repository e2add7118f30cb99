package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// sphere is unit vectors of dim components in classes, each around a direction of its
// own, and releases of them: z = x plus normal noise of a variance, so that E z = x and
// E zz' = variance I + xx'.
type sphere struct {
	dim     int
	clear   Vectors
	noisy   Vectors
	centres [][]float64
}

func unit(rng *rand.Rand, dim int) []float64 {
	v, square := make([]float64, dim), 0.0
	for k := range v {
		v[k] = rng.NormFloat64()
		square += v[k] * v[k]
	}
	for k := range v {
		v[k] /= math.Sqrt(square)
	}
	return v
}

func newSphere(n, dim, classes int, variance float64, seed uint64) *sphere {
	rng := rand.New(rand.NewPCG(seed, 4))
	s := &sphere{dim: dim}
	names := []string{"a", "b", "c", "d"}[:classes]
	s.clear = Vectors{Dim: dim, Classes: names, Noise: 0, Signal: 1}
	s.noisy = Vectors{Dim: dim, Classes: names, Noise: variance, Signal: 1}
	for range classes {
		s.centres = append(s.centres, unit(rng, dim))
	}
	for range n {
		c := rng.IntN(classes)
		x, square := unit(rng, dim), 0.0
		for k := range x {
			x[k] = 0.8*x[k] + 0.6*s.centres[c][k]
			square += x[k] * x[k]
		}
		for k := range x {
			x[k] /= math.Sqrt(square)
			s.clear.Rows = append(s.clear.Rows, float32(x[k]))
			s.noisy.Rows = append(s.noisy.Rows, float32(x[k]+math.Sqrt(variance)*rng.NormFloat64()))
		}
		s.clear.Class, s.noisy.Class = append(s.clear.Class, c), append(s.noisy.Class, c)
	}
	return s
}

func (s *sphere) accuracy(m *Model, tests *sphere) float64 {
	right := 0
	for i, c := range tests.clear.Class {
		if m.Predict(Row{Features: tests.clear.row(i)}) == tests.clear.Classes[c] {
			right++
		}
	}
	return float64(right) / float64(len(tests.clear.Class))
}

// flip sends labels through randomised response.
func flip(class []int, classes int, epsilon float64, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 5))
	stay := math.Exp(epsilon) / (math.Exp(epsilon) + float64(classes) - 1)
	out := slices.Clone(class)
	for i, c := range out {
		if rng.Float64() >= stay {
			out[i] = (c + 1 + rng.IntN(classes-1)) % classes
		}
	}
	return out
}

// With the noise's second moment known, the weights approach those of the vectors as
// they are; without it they are too small and turned.
func TestVectorsGiveTheWeightsOfWhatWasReleased(t *testing.T) {
	stage.Unraced(t)
	s := newSphere(60_000, 8, 3, 0.5, 1)
	tests := newSphere(4000, 8, 3, 0.5, 1)
	one := Options{Ridge: []float64{0.01}}
	fit := func(v Vectors) *Model {
		m, _, err := FitVectors(t.Context(), v, one)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	distance := func(m, o *Model) float64 {
		sum, of := 0.0, 0.0
		for i, w := range o.Weights {
			e := float64(m.Weights[i] - w)
			sum, of = sum+e*e, of+float64(w)*float64(w)
		}
		return math.Sqrt(sum / of)
	}
	clear := fit(s.clear)
	ignorant := s.noisy
	ignorant.Noise, ignorant.Signal = 0, 1
	known, unknown := distance(fit(s.noisy), clear), distance(fit(ignorant), clear)
	if known > 0.15 || unknown < 0.4 {
		t.Errorf("weights are off by %.3f with the second moment known, and by %.3f without", known, unknown)
	}
	labels := s.noisy
	labels.Class, labels.LabelEpsilon = flip(s.noisy.Class, 3, 1, 6), 1
	if d := distance(fit(labels), clear); d > 0.3 {
		t.Errorf("weights are off by %.3f with labels of randomised response", d)
	}
	labels.LabelEpsilon = 0
	if d := distance(fit(labels), clear); d < 0.4 {
		t.Errorf("weights are off by %.3f although nothing corrects the labels: the test has no power", d)
	}
	if a, b := s.accuracy(fit(s.noisy), tests), s.accuracy(clear, tests); a < b-0.01 {
		t.Errorf("accuracy is %.3f from releases, %.3f from vectors as they are", a, b)
	}
}

// The penalty is chosen by what held-out releases say: a large one where there is
// little, a small one where there is much.
func TestVectorsChooseTheirPenalty(t *testing.T) {
	// The mean of the logarithm over twenty sets: the choice for one is noisy itself.
	chosen := func(n int) (mean float64) {
		for seed := range uint64(20) {
			m, scores, err := FitVectors(t.Context(), newSphere(n, 8, 3, 3, seed).noisy, Options{})
			if err != nil || len(scores) != len(VectorGrid()) {
				t.Fatalf("%d scores (%v)", len(scores), err)
			}
			mean += math.Log(m.Ridge) / 20
		}
		return mean
	}
	if few, many := chosen(60), chosen(20_000); few < many+0.3 {
		t.Errorf("the penalty is e^%.2f for few releases and e^%.2f for many", few, many)
	}
}

// Intervals hold the mean of the vectors as they are: of 4 classes, 6 components and
// 60 runs 5 per cent are expected outside. Components of one run depend on each other
// weakly, so that the share outside has a standard deviation of about 0.006; 0.08 is
// five above.
func TestMeansHaveIntervals(t *testing.T) {
	stage.Unraced(t)
	for _, epsilon := range []float64{0, 2} {
		outside, all := 0, 0
		truth, err := newSphere(200_000, 6, 4, 0.5, 9).clear.Means()
		if err != nil {
			t.Fatal(err)
		}
		// The centres depend on the seed: runs are slices of one set.
		whole := newSphere(120_000, 6, 4, 0.5, 9)
		for run := range 60 {
			v := whole.noisy
			v.Rows, v.Class = v.Rows[run*2000*6:(run+1)*2000*6], v.Class[run*2000:(run+1)*2000]
			if epsilon > 0 {
				v.Class, v.LabelEpsilon = flip(v.Class, 4, epsilon, uint64(run)), epsilon
			}
			means, err := v.Means()
			if err != nil {
				t.Fatal(err)
			}
			for c, m := range means {
				if math.Abs(m.Share-truth[c].Share) > 0.1 {
					t.Errorf("class %s has the share %g, must be %g", m.Class, m.Share, truth[c].Share)
				}
				for k := range m.Mean {
					all++
					if want := truth[c].Mean[k]; want < m.Low[k] || want > m.High[k] {
						outside++
					}
				}
			}
		}
		if share := float64(outside) / float64(all); share > 0.08 || share < 0.02 {
			t.Errorf("label epsilon %g: %.3f of the intervals miss the mean, must be 0.05", epsilon, share)
		}
	}
}

// The squares of half-widths grow by that of the bias, however many releases there are.
func TestIntervalsAreWidenedByTheBias(t *testing.T) {
	v := newSphere(500, 6, 2, 0.5, 9).noisy
	narrow, err := v.Means()
	if err != nil {
		t.Fatal(err)
	}
	v.Residual = 0.2
	wide, err := v.Means()
	if err != nil {
		t.Fatal(err)
	}
	const want = 1.959963984540054 * 1.959963984540054 * 0.2 / 5
	for c := range wide {
		for k := range wide[c].Mean {
			half := func(m Mean) float64 { return (m.High[k] - m.Low[k]) / 2 }
			if got := half(wide[c])*half(wide[c]) - half(narrow[c])*half(narrow[c]); math.Abs(got-want) > 1e-12 {
				t.Errorf("class %d, component %d: the square grows by %g, must by %g", c, k, got, want)
			}
		}
	}
}

func TestVectorsThatAreNoneAreRefused(t *testing.T) {
	good := newSphere(50, 4, 2, 0.5, 3).noisy
	for name, spoil := range map[string]func(v *Vectors){
		"no row":            func(v *Vectors) { v.Rows, v.Class = nil, nil },
		"a row too few":     func(v *Vectors) { v.Rows = v.Rows[4:] },
		"one class":         func(v *Vectors) { v.Classes = v.Classes[:1] },
		"a class of none":   func(v *Vectors) { v.Class = slices.Clone(v.Class); v.Class[0] = 7 },
		"not a number":      func(v *Vectors) { v.Rows = slices.Clone(v.Rows); v.Rows[3] = float32(math.NaN()) },
		"no second moment":  func(v *Vectors) { v.Noise, v.Signal = 0, 0 },
		"signal unknown":    func(v *Vectors) { v.Signal = math.NaN() },
		"negative noise":    func(v *Vectors) { v.Noise = -1 },
		"negative residual": func(v *Vectors) { v.Residual = -1 },
		"no finite bias":    func(v *Vectors) { v.Residual = math.Inf(1) },
		"bias of one axis":  func(v *Vectors) { v.Dim, v.Class, v.Rows, v.Residual = 1, v.Class[:1], v.Rows[:1], 0.1 },
		"label epsilon < 0": func(v *Vectors) { v.LabelEpsilon = -1 },
	} {
		v := good
		spoil(&v)
		if _, _, err := FitVectors(t.Context(), v, Options{}); err == nil {
			t.Errorf("%s is taken", name)
		}
		if _, err := v.Means(); err == nil {
			t.Errorf("means of %s", name)
		}
	}
}

// Where the second moment of the releases says little of the unit vectors, the classifier
// is that of the class means, and nothing is divided by what is nearly 0.
func TestVectorsAreLearntFromWithoutASecondMoment(t *testing.T) {
	s := newSphere(4000, 8, 3, 2, 1)
	tests := newSphere(4000, 8, 3, 2, 1)
	var last *Model
	for _, signal := range []float64{0, 1e-300, 1e-12, -1e-12, 1e-6} {
		v := s.noisy
		v.Signal, v.Noise = signal, (8*v.Noise+1-signal)/8 // of the same trace
		m, _, err := FitVectors(t.Context(), v, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := s.accuracy(m, tests); a < 0.75 {
			t.Errorf("signal %g: the accuracy is %.3f", signal, a)
		}
		for i, w := range m.Weights {
			if last != nil && math.Abs(float64(w-last.Weights[i])) > 1e-4 {
				t.Errorf("signal %g: weight %d is %g, and %g without signal", signal, i, w, last.Weights[i])
			}
		}
		if last == nil {
			last = m
		}
	}
	m, _, err := FitVectors(t.Context(), s.clear, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the accuracy is %.3f, without noise %.3f", s.accuracy(last, tests), s.accuracy(m, tests))
}

// Intervals hold for a class of few texts too, for the mean of those texts: of 16,000 intervals
// at least 0.94 hold it, 5.8 deviations below 0.95, with chance 3e-9 less. The deviations of few
// releases from their mean alone say far less than that.
func TestMeansOfFewTextsHaveIntervals(t *testing.T) {
	for few, least := range map[int]float64{1: 0, 2: 0.7, 5: 0.88} {
		rng := rand.New(rand.NewPCG(uint64(few), 12))
		const dim, runs = 8, 2000
		v := newSphere(few+40, dim, 2, 0.5, 9).clear
		for i := range v.Class {
			v.Class[i] = min(1, i/few)
		}
		held, heldAlone := 0, 0
		for range runs {
			noisy := v
			noisy.Rows, noisy.Noise = slices.Clone(v.Rows), 0.5
			for i := range noisy.Rows {
				noisy.Rows[i] += float32(math.Sqrt(0.5) * rng.NormFloat64())
			}
			means, err := noisy.Means()
			if err != nil {
				t.Fatal(err)
			}
			noisy.Noise = 0
			alone, err := noisy.Means()
			if err != nil {
				t.Fatal(err)
			}
			for k := range dim {
				truth := 0.0
				for i := range few {
					truth += float64(v.Rows[i*dim+k]) / float64(few)
				}
				if means[0].Low[k] <= truth && truth <= means[0].High[k] {
					held++
				}
				if alone[0].Low[k] <= truth && truth <= alone[0].High[k] {
					heldAlone++
				}
			}
		}
		if share := float64(held) / dim / runs; share < 0.94 {
			t.Errorf("%d texts: %.3f of the intervals hold the mean", few, share)
		}
		if share := float64(heldAlone) / dim / runs; share > least+0.05 {
			t.Errorf("%d texts: without the noise %.3f of the intervals hold the mean", few, share)
		}
	}
}
