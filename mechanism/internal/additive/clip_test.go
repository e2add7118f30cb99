package additive

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/noise"
	"pgregory.net/rapid"
)

// exactSquare returns the exact sum of the squares of v: each has 48 bits, and all
// are multiples of 2^-298 below 2^256.
func exactSquare(v []float32) *big.Float {
	sum := new(big.Float).SetPrec(800)
	for _, x := range v {
		e := new(big.Float).SetPrec(800).SetFloat64(float64(x))
		sum.Add(sum, e.Mul(e, e))
	}
	return sum
}

// A clipped vector of float32 is in the ball, computed exactly, whatever was
// clipped, and keeps its direction.
func TestClippedVectorIsInTheBall(t *testing.T) {
	stage.Unraced(t)
	rng := rand.New(rand.NewPCG(testseed.Of(t, 1), 0))
	hostile := []float32{0, float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32, -3 * math.SmallestNonzeroFloat32, 0x1p-126, 1e-38, -1e-20, 1e-3,
		1, math.Nextafter32(1, 2), -1, 1 << 24, 1e20, 1e38, math.MaxFloat32, -math.MaxFloat32}
	radii := []float64{1e-20, 1e-12, 0.1, 1, math.Nextafter(1, 0), math.Pi, 5.656, 1e9}
	grew := 0
	for i := range 40_000 {
		dim := 1 + rng.IntN(12)
		if i%400 == 0 {
			dim = MostComponents
		}
		radius := radii[rng.IntN(len(radii))]
		v, size := make([]float32, dim), math.Exp(rng.Float64()*20-10)*radius
		for k := range v {
			switch i % 3 {
			case 0:
				v[k] = hostile[rng.IntN(len(hostile))]
			case 1: // near the surface of the ball
				v[k] = float32(rng.NormFloat64() * radius / math.Sqrt(float64(dim)))
			default:
				v[k] = float32(rng.NormFloat64() * size)
			}
		}
		c := Clip{Radius: radius}
		before := append([]float32{}, v...)
		factor := c.factor(v)
		c.Apply(v)
		limit := new(big.Float).SetPrec(800).SetFloat64(radius)
		limit.Mul(limit, limit)
		if exactSquare(v).Cmp(limit) > 0 {
			t.Fatalf("clip %g: %v became %v, outside the ball", radius, before, v)
		}
		for k, x := range v {
			if want := float64(before[k]) * factor; math.Abs(float64(x)) > math.Abs(want) || math.Abs(float64(x)-want) > math.Abs(want)*0x1p-23+math.SmallestNonzeroFloat32 {
				t.Fatalf("clip %g: component %d of %g became %g, want %g rounded towards zero", radius, k, before[k], x, want)
			}
		}
		// The obvious implementation, which this test must be able to refute.
		if n := Norm(before); n > radius {
			for k, x := range before {
				before[k] = float32(float64(x) * (radius / n))
			}
			if exactSquare(before).Cmp(limit) > 0 {
				grew++
			}
		}
	}
	if grew < 100 {
		t.Errorf("rounding to nearest left the ball %d times: the test has no power", grew)
	}
}

// Two inputs of the ball, once rounded, differ by no more than the sensitivity:
// rounded vectors are in the ball, and each component is rounded towards zero, by
// less than a step. Scales far above the clip make a step a visible part of it.
func TestRoundingNeverAddsToTheSensitivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 12).Draw(t, "dim")
		radius := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "ln clip"))
		scale := radius * math.Exp(rapid.Float64Range(-12, 24).Draw(t, "ln scale"))
		l1 := rapid.Bool().Draw(t, "l1")
		v := rapid.SliceOfN(rapid.Float32Range(-1e30, 1e30), dim, dim).Draw(t, "v")
		if rapid.Bool().Draw(t, "small") {
			for k := range v {
				v[k] = float32(radius * (float64(v[k]) / 1e30))
			}
		}
		m := &noisyVectors{dim: dim, step: math.Ldexp(scale, -GridBits), noise: Noise{Who: "test", Clip: Clip{radius, l1},
			Draw: func(rand.Source) int64 { return 0 }}}
		sums := m.steps(nil, v)
		factor := m.noise.Clip.factor(v)
		one, two := 0.0, 0.0
		for k, n := range sums {
			one += math.Abs(float64(n))
			two += float64(n) * float64(n)
			// In 200 bits: a float64 product may itself be rounded up, by 2^-52.
			exact := new(big.Float).SetPrec(200).SetFloat64(float64(v[k]))
			exact.Mul(exact, big.NewFloat(factor))
			exact.Quo(exact, big.NewFloat(m.step))
			in, _ := exact.Float64()
			size, most := math.Abs(float64(n)), math.Abs(in)*(1+0x1p-50)
			if size > most || size < math.Floor(most*(1-0x1p-49)) || size > 0 && (n > 0) != (v[k] > 0) {
				t.Fatalf("component %d is %.17g steps and becomes %d", k, in, n)
			}
		}
		// Sums of at most 12 terms of float64 are right to 2^-48.
		norm := math.Sqrt(two)
		if l1 {
			norm = one
		}
		if norm*m.step > radius*(1-0x1p-42) {
			t.Fatalf("%v steps of %g have norm %g, clip %g", sums, m.step, norm*m.step, radius)
		}
		// Without noise exactly these steps are released, up to rounding to float32.
		dst := make([]float32, dim)
		if err := m.Perturb(dst, v, noise.Seeded(1, 1)); err != nil {
			t.Fatal(err)
		}
		for k, n := range sums {
			if dst[k] != float32(float64(n)*m.step) {
				t.Fatalf("component %d of %d steps of %g is released as %g", k, n, m.step, dst[k])
			}
		}
	})
}
