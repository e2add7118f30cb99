package mechanism

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/seed"
)

// exactSquare is the exact sum of the squares of v: each has 48 bits, and all
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
func TestAClippedVectorIsInTheBall(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed.Of(t, 1), 0))
	hostile := []float32{0, float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32, -3 * math.SmallestNonzeroFloat32, 0x1p-126, 1e-38, -1e-20, 1e-3,
		1, math.Nextafter32(1, 2), -1, 1 << 24, 1e20, 1e38, math.MaxFloat32, -math.MaxFloat32}
	radii := []float64{1e-20, 1e-12, 0.1, 1, math.Nextafter(1, 0), math.Pi, 5.656, 1e9}
	grew := 0
	for i := range 40_000 {
		dim := 1 + rng.IntN(12)
		if i%400 == 0 {
			dim = mostComponents
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
		c := clip{radius: radius}
		before := append([]float32{}, v...)
		factor := c.factor(v)
		c.apply(v)
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
		// The obvious way, which this test must be able to tell apart.
		if n := norm(before); n > radius {
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
