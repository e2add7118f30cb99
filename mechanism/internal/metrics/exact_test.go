package metrics

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"pgregory.net/rapid"
)

// precision of the reference, in bits.
const precision = 400

func exact(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
func whole(v uint64) *big.Float  { return new(big.Float).SetPrec(precision).SetUint64(v) }
func fresh() *big.Float          { return new(big.Float).SetPrec(precision) }

// bigArc returns arsinh(y), sign 1, or arctan(y), sign -1, y >= 0: halved until the
// series of a few terms has all digits.
func bigArc(y *big.Float, sign int64) *big.Float {
	one := exact(1)
	y = fresh().Set(y)
	halved := 0
	for ; y.Cmp(exact(0x1p-20)) > 0; halved++ {
		root := fresh().Sqrt(fresh().Add(one, fresh().Mul(y, y)))
		root.Add(root, one)
		if sign > 0 { // y/sqrt(2 (1 + sqrt(1+y^2)))
			root.Sqrt(root.Add(root, root))
		}
		y.Quo(y, root)
	}
	square := fresh().Mul(y, y)
	sum, power, coefficient := fresh().Set(y), fresh().Set(y), exact(1)
	for n := int64(1); n < 16; n++ {
		power.Neg(power.Mul(power, square))
		if sign > 0 { // (2n-1)!!/(2n)!!
			coefficient.Mul(coefficient, exact(float64(2*n-1)))
			coefficient.Quo(coefficient, exact(float64(2*n)))
		}
		term := fresh().Mul(power, coefficient)
		sum.Add(sum, term.Quo(term, exact(float64(2*n+1))))
	}
	return sum.SetMantExp(sum, halved)
}

// bigAngle returns the angle between two vectors of integers.
func bigAngle(u, v []int64) *big.Float {
	x, y, p := new(big.Int), new(big.Int), new(big.Int)
	for k := range u {
		a, b := big.NewInt(u[k]), big.NewInt(v[k])
		x.Add(x, new(big.Int).Mul(a, a))
		y.Add(y, new(big.Int).Mul(b, b))
		p.Add(p, new(big.Int).Mul(a, b))
	}
	both := new(big.Int).Mul(x, y)
	across := fresh().Sqrt(fresh().SetInt(new(big.Int).Sub(both, new(big.Int).Mul(p, p))))
	root := fresh().Sqrt(fresh().SetInt(both))
	// The tangent of half the acute angle is the sine over 1 + the cosine.
	half := bigArc(across.Quo(across, root.Add(root, fresh().SetInt(new(big.Int).Abs(p)))), -1)
	a := half.Add(half, half)
	if p.Sign() < 0 {
		a.Sub(fresh().Mul(exact(4), bigArc(exact(1), -1)), a)
	}
	return a
}

// within fails where got is not want up to the relative error bound.
func within(t *rapid.T, what string, got float64, want *big.Float, bound float64) {
	t.Helper()
	off := fresh().Sub(exact(got), want)
	if off.Abs(off).Cmp(fresh().Mul(exact(bound), want)) > 0 {
		t.Fatalf("%s is %.20g, want %.20g", what, got, want)
	}
}

func TestArcsAreRightToTheLastDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := math.Exp(rapid.Float64Range(-60, 41).Draw(t, "ln y"))
		within(t, "arsinh", arc(y, 1), bigArc(exact(y), 1), warpedRounding/2)
		y = rapid.Float64Range(0, math.Sqrt(0.5)).Draw(t, "y")
		// arcsin(y) = arctan(y/sqrt(1-y^2)).
		root := fresh().Sqrt(fresh().Sub(exact(1), fresh().Mul(exact(y), exact(y))))
		within(t, "arcsin", arc(y, -1), bigArc(root.Quo(exact(y), root), -1), warpedRounding/2)
	})
	if arc(0, 1) != 0 || arc(0, -1) != 0 || math.Abs(arc(1, -1)-math.Pi/2) > 1e-15 {
		t.Error("the ends are wrong")
	}
}

// drawPair returns two vectors of integers as a table has them, at any angle: random,
// nearly the same, nearly opposite, at a right angle or along one line.
func drawPair(t *rapid.T) (u, v []int64) {
	dim := rapid.SampledFrom([]int{1, 2, 3, 20, 300}).Draw(t, "dimensions")
	most := int64(1) << ((53-int(math.Ceil(math.Log2(float64(dim)))))/2 - 1) // as embedding.New has it
	reach := most >> rapid.IntRange(0, 20).Draw(t, "small")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	u, v = make([]int64, dim), make([]int64, dim)
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	sign := int64(1 - 2*rapid.IntRange(0, 1).Draw(t, "opposite"))
	for k := range u {
		u[k] = rng.Int64N(2*reach+1) - reach
		switch kind {
		case 0:
			v[k] = rng.Int64N(2*reach+1) - reach
		case 1, 2: // along one line, or nearly
			v[k] = sign * u[k]
		case 3:
			v[k] = sign * (u[k] / 2)
		}
	}
	at := rng.IntN(dim)
	switch kind {
	case 2:
		v[at] += max(-most-v[at], min(most-v[at], 1))
	case 4: // at a right angle, or nearly
		v[at], v[(at+1)%dim] = u[(at+1)%dim], -u[at]
		if dim > 2 && rng.IntN(2) == 0 {
			v[(at+2)%dim] = 1
		}
	}
	if u[0] == 0 {
		u[0] = 1
	}
	if v[0] == 0 {
		v[0] = 1
	}
	return u, v
}

// The angle of any two vectors that a table may hold is within the relative
// error that the proof states, however near to 0 or to pi it is.
func TestAngleIsWithinItsProvenError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, v := drawPair(t)
		var x, y, q uint64
		for k := range u {
			x, y, q = x+uint64(u[k]*u[k]), y+uint64(v[k]*v[k]), q+uint64((u[k]-v[k])*(u[k]-v[k]))
		}
		got, want := angle(x, y, q), bigAngle(u, v)
		within(t, "the angle", got, want, warpedRounding)
		if (got == 0) != (want.Sign() == 0) || angle(y, x, q) != got {
			t.Fatalf("the angle %g is wrong at 0, or not symmetric", got)
		}
		if opposite := angle(x, y, 2*x+2*y-q); math.Abs(got+opposite-math.Pi) > 4*warpedRounding {
			t.Fatalf("the angles to a vector and to its opposite sum to %.17g", got+opposite)
		}
	})
}

// The same through a table, whatever the unit of its vectors: the angle is that of
// the table's grid vectors, and words along one line have one row.
func TestAnglesAreThoseOfTheTablesVectors(t *testing.T) {
	stage.Unraced(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, unit := range []float64{0x1p-140, 1, 1e-3, 1e36} { // float32 is denormal below 2^-126 and ends at 3.4e38
		for _, dim := range []int{1, 2, 3, 50} {
			s := embedding.Source{Dim: dim}
			for i := range 40 {
				s.Words = append(s.Words, string(rune('a'+i)))
				for k := range dim {
					v := float64(rng.IntN(41) - 20)
					if i > 9 && i < 30 { // the opposites of the first, and three times the first
						v = []float64{-1, 3}[i/10-1] * float64(s.Vectors[(i%10)*dim+k]) / unit
					}
					if k == 0 && v == 0 {
						v = 1
					}
					s.Vectors = append(s.Vectors, float32(v*unit))
				}
			}
			table := oracle.MustTable(t, s)
			m, err := angular("test", table)
			if err != nil {
				t.Fatal(err)
			}
			for x := 0; x < 40; x += 3 { // some of each kind
				for y := range 40 {
					u, v := table.Steps(nil, embedding.ID(x)), table.Steps(nil, embedding.ID(y))
					want, _ := bigAngle(u, v).Float64()
					if got := m.Distance(embedding.ID(x), embedding.ID(y)); math.Abs(got-want) > warpedRounding*want {
						t.Fatalf("unit %g, %d dimensions: the angle of words %d and %d is %.17g, want %.17g", unit, dim, x, y, got, want)
					}
				}
			}
		}
	}
}

// Hyperbolic distances are within their proven error up to the boundary of the
// ball, where 1 - |x|^2 has lost nothing.
func TestHyperbolicDistanceIsWithinItsProvenError(t *testing.T) {
	stage.Unraced(t)
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.BallOf(t, rapid.SampledFrom([]int{1, 2, 5}).Draw(t, "dimensions"), 8, rapid.Uint64().Draw(t, "seed"))
		m, err := hyperbolic("test", table)
		if err != nil {
			t.Fatal(err)
		}
		lacks := func(x embedding.ID) *big.Float { // 1 - |x|^2
			f := exact(1)
			for _, c := range table.Steps(nil, x) {
				v := fresh().Mul(exact(float64(c)), exact(table.Step()))
				f.Sub(f, v.Mul(v, v))
			}
			return f
		}
		for x := range embedding.ID(8) {
			for y := range x + 1 {
				square := fresh().Mul(whole(uint64(table.SquaredDistance(x, y))), exact(table.Step()*table.Step()))
				square.Quo(square, fresh().Mul(lacks(x), lacks(y)))
				want := bigArc(square.Sqrt(square), 1)
				within(t, "the distance", m.Distance(x, y), want.Add(want, want), warpedRounding)
			}
		}
	})
}
