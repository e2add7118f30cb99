package audit

import (
	"context"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

// ellipse returns a table whose last component varies much more than the others.
func ellipse(t testing.TB, dim int) *embedding.Table {
	rng := rand.New(rand.NewPCG(5, 5))
	s := embedding.Source{Name: "ellipse", Dim: dim}
	for i := range 60 {
		s.Words = append(s.Words, "w"+string(rune('a'+i/26))+string(rune('a'+i%26)))
		x := 0.0
		for range dim - 1 {
			x = 0.3 * rng.NormFloat64()
			s.Vectors = append(s.Vectors, float32(x))
		}
		s.Vectors = append(s.Vectors, float32(3*rng.NormFloat64()+x))
	}
	return mustTable(t, s)
}

// By hand, in two dimensions: S is inverted by Cramer's rule.
func TestMahalanobisDistanceIsItsDefinition(t *testing.T) {
	table := ellipse(t, 2)
	n := float64(table.Len())
	var mean [2]float64
	for x := range table.Len() {
		v := table.Vector(nil, embedding.ID(x))
		mean[0], mean[1] = mean[0]+float64(v[0])/n, mean[1]+float64(v[1])/n
	}
	var xx, xy, yy float64
	for x := range table.Len() {
		v := table.Vector(nil, embedding.ID(x))
		a, b := float64(v[0])-mean[0], float64(v[1])-mean[1]
		xx, xy, yy = xx+a*a/n, xy+a*b/n, yy+b*b/n
	}
	const lambda = 0.8
	to := 2 * lambda / (xx + yy)
	xx, xy, yy = xx*to+1-lambda, xy*to, yy*to+1-lambda
	between, err := mahalanobis(table, lambda)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 20 {
		v, w := table.Vector(nil, embedding.ID(x)), table.Vector(nil, embedding.ID(x+30))
		a, b := float64(v[0])-float64(w[0]), float64(v[1])-float64(w[1])
		want := math.Sqrt((yy*a*a - 2*xy*a*b + xx*b*b) / (xx*yy - xy*xy))
		if got := between(embedding.ID(x), embedding.ID(x+30)); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("words %d and %d: %.12g, want %.12g", x, x+30, got, want)
		}
	}
	flat := mustTable(t, embedding.Source{Words: []string{"a", "b", "c"}, Dim: 2, Vectors: []float32{0, 0, 1, 1, 2, 2}})
	if _, err := mahalanobis(flat, 1); err == nil {
		t.Error("a singular covariance has no distance")
	}
}

// mahalanobis is sampled in its own distance: the honest member is not refuted,
// and round noise at the same epsilon, which is too small along the long axis, is.
func TestMahalanobisIsSampled(t *testing.T) {
	stage.Unraced(t)
	table := ellipse(t, 8)
	spec := mechanism.Spec{Epsilon: 0.5, Parameters: map[string]string{"lambda": "1"}}
	entry, honest := open(t, table, "mahalanobis", spec)
	_, round := open(t, table, "madlib", mechanism.Spec{Epsilon: 0.5})
	for name, m := range map[string]mechanism.Mechanism{
		"honest": honest,
		"noise without its shape": liar{honest.Claim(), func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			dst, err := round.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		}},
	} {
		f, err := sample(context.Background(), entry, m, table, Trial{Draws: 10000, Rng: noise.Seeded(testseed.Of(t, 25), 0)})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s, %d draws, loss at least %g of %g", name, f.Verdict, f.Draws, float64(f.EpsilonLow), f.Claim.Epsilon)
		if want := map[bool]Verdict{true: Undecided, false: Refuted}[name == "honest"]; f.Verdict != want || f.Draws == 0 || !(float64(f.EpsilonLow) > 0.1) {
			t.Errorf("%s: %s by %d draws, loss at least %g, want %s", name, f.Verdict, f.Draws, float64(f.EpsilonLow), want)
		}
	}
}

// brr is sampled in the Hamming distance of its codes: the honest member is not refuted,
// and one that flips bits as rarely as twice the epsilon would allow is.
func TestHammingIsSampled(t *testing.T) {
	table := randomTable(t, 60, 3)
	given := mechanism.Values{"bits": "12"}
	entry, honest := open(t, table, "brr", mechanism.Spec{Epsilon: 0.3, Parameters: given})
	_, weaker := open(t, table, "brr", mechanism.Spec{Epsilon: 0.6, Parameters: given})
	for name, m := range map[string]mechanism.Mechanism{
		"honest": honest,
		"half the noise": liar{honest.Claim(), func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			dst, err := weaker.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		}},
	} {
		f, err := sample(context.Background(), entry, m, table, Trial{Draws: 30_000, Rng: noise.Seeded(testseed.Of(t, 44), 0)})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s, a loss of at least %g per bit", name, f.Verdict, float64(f.EpsilonLow))
		if want := map[bool]Verdict{true: Undecided, false: Refuted}[name == "honest"]; f.Verdict != want {
			t.Errorf("%s: %s, want %s: %s", name, f.Verdict, want, f.Why)
		}
	}
}

// The audit's own codes have the largest distance of the mechanism's, for every seed.
func TestHammingDistanceIsThatOfTheCodes(t *testing.T) {
	table := randomTable(t, 60, 3)
	for _, seed := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		_, m := open(t, table, "brr", mechanism.Spec{Epsilon: 1, Parameters: mechanism.Values{"bits": "70", "code-seed": seed}})
		between, err := distanceOf(m.Claim(), table)
		if err != nil || between == nil {
			t.Fatalf("%s has no distance (%v)", m.Claim().Distance, err)
		}
		most := 0.0
		for x := range embedding.ID(table.Len()) {
			for z := range x {
				d := between(x, z)
				most = max(most, d)
				if d != between(z, x) || d < 0 || d > 70 {
					t.Fatalf("words %d and %d are %g apart", x, z, d)
				}
			}
		}
		for _, s := range m.Settings() {
			if s.Name == "largest-distance" && float64(s.Value.(int)) != most {
				t.Errorf("seed %s: the largest distance is %v, the audit finds %g", seed, s.Value, most)
			}
		}
	}
}
