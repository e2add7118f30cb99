package autoencoder

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

var small = Shape{Words: 11, Embed: 5, Hidden: 4, Latent: 6, Tokens: 9}

// some sentences: of one word, of many, the same twice, an empty one.
var some = [][]embedding.ID{{3}, {1, 2, 3, 4, 5, 6, 7}, {}, {0, 0, 10}, {9, 1, 4}, {0, 0, 10}}

func random(s Shape, seed uint64, scale float64) *weights[float64] {
	w := over(s, make([]float64, s.count()))
	rng := rand.New(rand.NewPCG(seed, 1))
	w.initialise(s, rng)
	for i := range w.all {
		w.all[i] = (w.all[i] + 0.1*rng.NormFloat64()) * scale // biases too
	}
	return w
}

// checkGradient compares a gradient with differences of the loss, and counts the
// weights that change it.
//
// Central differences in float64 with a step of 1e-5: what they leave out is about
// 1e-10 of the third derivative, and rounding adds 1e-16/1e-5 = 1e-11; 1e-7 is far
// above both and far below a wrong term.
func checkGradient(t *testing.T, name string, weights, grad []float64, loss func() float64) (moved int) {
	t.Helper()
	const h = 1e-5
	for i, was := range weights {
		weights[i] = was + h
		up := loss()
		weights[i] = was - h
		down := loss()
		weights[i] = was
		want, got := (up-down)/(2*h), grad[i]
		if math.Abs(want) > 1e-5 {
			moved++
		}
		if math.Abs(got-want) > 1e-7*max(1, math.Abs(want)) {
			t.Fatalf("%s %d: gradient %g, the loss says %g", name, i, got, want)
		}
	}
	return moved
}

// The seed of dropout is the same at
// every evaluation. Large weights bring latent vectors out of the ball.
func TestGradientsAreThoseOfTheLoss(t *testing.T) {
	stage.Unraced(t)
	for name, c := range map[string]struct {
		scale float64
		reg   regular
	}{
		"within the ball": {scale: 1}, "beyond the ball": {scale: 6},
		"with dropout": {1.5, regular{0.3, 0.4}},
	} {
		t.Run(name, func(t *testing.T) {
			w := random(small, 7, c.scale)
			loss := func(grad *weights[float64]) float64 {
				n := newNetwork(small, w, 2)
				l := n.loss(some, c.reg, rand.New(rand.NewPCG(5, 5)), grad)
				if outside := length(n.raw) > small.radius()*math.Sqrt(float64(len(some))); outside != (c.scale > 5) {
					t.Fatalf("latent vectors have length %g", length(n.raw))
				}
				return l
			}
			grad := over(small, make([]float64, small.count()))
			loss(grad)
			groups := grad.groups()
			for g, part := range w.groups() {
				if checkGradient(t, part.name, part.part, groups[g].part, func() float64 { return loss(nil) }) == 0 {
					t.Errorf("%s: nothing of it moves the loss", part.name)
				}
			}
		})
	}
}

func TestFloat32FollowsFloat64(t *testing.T) {
	w := random(small, 7, 2)
	narrow := over(small, make([]float32, small.count()))
	for i, x := range w.all {
		narrow.all[i] = float32(x)
		w.all[i] = float64(narrow.all[i])
	}
	grad, narrowGrad := over(small, make([]float64, small.count())), over(small, make([]float32, small.count()))
	want := newNetwork(small, w, 1).loss(some, regular{}, nil, grad)
	got := newNetwork(small, narrow, 1).loss(some, regular{}, nil, narrowGrad)
	if math.Abs(got-want) > 1e-5*want {
		t.Errorf("loss %g, want %g", got, want)
	}
	for i, g := range grad.all {
		if math.Abs(float64(narrowGrad.all[i])-g) > 1e-5 {
			t.Fatalf("gradient %d is %g, want %g", i, narrowGrad.all[i], g)
		}
	}
}

// Subnormal numbers slow down every product: a word that the model rules out has
// no gradient, not a tiny one.
func TestWordThatIsRuledOutHasNoGradient(t *testing.T) {
	const ruledOut = 8 // occurs in no sentence
	w := over(small, make([]float32, small.count()))
	w.initialise(small, rand.New(rand.NewPCG(1, 1)))
	for score, want := range map[float32]bool{-20: true, -60: false, -85: false} { // shares of 2e-9, 9e-27, 1e-37
		w.output.bias[ruledOut] = score
		grad := over(small, make([]float32, small.count()))
		newNetwork(small, w, 1).loss(some, regular{}, nil, grad)
		if got := grad.output.bias[ruledOut] != 0; got != want {
			t.Errorf("at a score of %g the gradient is %g", score, grad.output.bias[ruledOut])
		}
		for i, g := range grad.all {
			if g != 0 && g > -0x1p-126 && g < 0x1p-126 {
				t.Errorf("at a score of %g number %d of the gradient is %g", score, i, g)
			}
		}
	}
}
