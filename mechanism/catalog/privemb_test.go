package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestPrivembHasThePapersDimensions(t *testing.T) {
	for _, r := range formulas[struct {
		D           int
		Delta, Beta float64
		M           float64
	}](t, "privemb_m") {
		agrees(t, "m", r, privembDimensions(r.D, r.Delta, r.Beta), r.M)
	}
}

// The claim is the largest stretch over the pairs in question, divided by what
// the noise was scaled by.
func TestPrivembClaimsTheStretchThatHolds(t *testing.T) {
	table := oracle.RandomTable(t, 60, 8)
	phi := additive.NewProjection(8, 5, 7)
	brute := 0.0
	image := func(x int) []float64 {
		w := make([]float64, 5)
		phi.Apply(w, table.Vector(nil, embedding.ID(x)))
		return w
	}
	for x := range table.Len() {
		for y := range x {
			if d := table.Distance(embedding.ID(x), embedding.ID(y)); d > 0 {
				q := 0.0
				a, b := image(x), image(y)
				for k := range a {
					q += (a[k] - b[k]) * (a[k] - b[k])
				}
				brute = max(brute, math.Sqrt(q)/d)
			}
		}
	}
	parameters := func(lipschitz string) map[string]string {
		return map[string]string{"dimensions": "5", "phi": "7", "lipschitz": lipschitz, "beta": "0.5"}
	}
	cache := oracle.MapCache{}
	for _, how := range []string{"table", "spectral", "paper"} {
		m, err := privembEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: parameters(how), Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		constant, scale := setting(t, m, "lipschitz-constant"), setting(t, m, "scale")
		if got := m.Claim(); math.Abs(got.Epsilon-constant/scale) > 1e-12 {
			t.Errorf("%s: claims %g, holds %g", how, got.Epsilon, constant/scale)
		}
		switch how {
		case "table":
			// Images are rounded to float32 before anything else.
			if math.Abs(constant/brute-1) > 1e-5 || m.Claim().Epsilon != 3 {
				t.Errorf("the table's constant is %g, the pairs give %g, the claim %s", constant, brute, m.Claim())
			}
		case "spectral":
			if constant < brute || m.Claim().Epsilon != 3 {
				t.Errorf("the spectral norm is %g, a pair stretches by %g", constant, brute)
			}
		case "paper":
			if math.Abs(scale-1.5/3) > 1e-12 || math.Abs(constant/brute-1) > 1e-5 {
				t.Errorf("scaled by %g with constant %g, want 1.5/3 and %g", scale, constant, brute)
			}
		}
	}
	if len(cache) != 1 {
		t.Errorf("%d figures cached, want the table's constant once", len(cache))
	}
	p, err := privembEntry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: parameters("table")})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Claim(); c.Distance != "mean-word" || c.Unit != privacy.Vector {
		t.Errorf("vectors with the table's constant claim %s", c)
	}
}

// The spectral norm is reached by a vector that power iteration finds.
func TestSpectralNormIsReachedAndNotPassed(t *testing.T) {
	phi := additive.NewProjection(20, 30, 3)
	norm, err := phi.SpectralNorm(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, 20)
	v[0] = 1
	stretch := 0.0
	for range 2000 {
		w := make([]float64, 30)
		phi.Apply(w, v)
		back := make([]float64, 20)
		square := 0.0
		for i, e := range w {
			square += e * e
			for k := range back {
				back[k] += e * float64(phi.Entries[i*20+k])
			}
		}
		stretch = math.Sqrt(square)
		length := 0.0
		for _, e := range back {
			length += e * e
		}
		for k, e := range back {
			v[k] = float32(e / math.Sqrt(length))
		}
	}
	if stretch > norm*(1+1e-6) || stretch < norm*(1-1e-4) {
		t.Errorf("the norm is %g, a vector is stretched by %g", norm, stretch)
	}
}

func TestProjectionsEntriesAreNormalOfVarianceOneOverM(t *testing.T) {
	phi := additive.NewProjection(300, 100, 1)
	square := 0.0
	for _, e := range phi.Entries {
		square += float64(e) * float64(e)
	}
	// 30,000 squares: a relative standard deviation of sqrt(2/30000) = 0.0082.
	if got := square / float64(len(phi.Entries)); math.Abs(got*100-1) > 6*0.0082 {
		t.Errorf("the variance of an entry is %g, want 1/100", got)
	}
	if additive.NewProjection(300, 100, 1).Digest() != phi.Digest() || additive.NewProjection(300, 100, 2).Digest() == phi.Digest() {
		t.Error("the matrix is not that of its public seed")
	}
}

// The norm of what is added follows Gamma(m, scale), for words and for vectors,
// and released components are on the grid.
func TestPrivembAddsNoiseOfItsScale(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, 30, 6)
	given := map[string]string{"dimensions": "4", "lipschitz": "spectral"}
	p, err := privembEntry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 2, Parameters: given})
	if err != nil {
		t.Fatal(err)
	}
	const draws = 50_000
	rng := noise.Seeded(testseed.Of(t, 51), 0)
	gamma := distuv.Gamma{Alpha: 4, Beta: 1 / setting(t, p, "scale")}
	counts, uniform := make([]int, 25), make([]uint64, 25)
	for i := range uniform {
		uniform[i] = 1
	}
	src, dst := make([]float32, 6), make([]float32, 4)
	step := p.(*privembVectors).step
	for range draws {
		if err := p.Perturb(dst, src, rng); err != nil {
			t.Fatal(err)
		}
		for _, v := range dst {
			if n := float64(v) / step; math.Abs(n) < 1<<24 && n != math.Trunc(n) {
				t.Fatalf("a component is %g steps", n)
			}
		}
		counts[min(24, int(25*gamma.CDF(additive.Norm(dst))))]++
	}
	if p := oracle.ChiSquare(counts, uniform, draws); p < oracle.FalseFailure {
		t.Errorf("the norms do not follow their gamma law, p = %g", p)
	}
	m := oracle.MustOpen(t, privembEntry, table, 2, given).(*additive.Words)
	fill := make([]float32, 4*draws)
	m.Fill(fill, rng)
	clear(counts)
	for ; len(fill) > 0; fill = fill[4:] {
		counts[min(24, int(25*gamma.CDF(additive.Norm(fill[:4]))))]++
	}
	if p := oracle.ChiSquare(counts, uniform, draws); p < oracle.FalseFailure {
		t.Errorf("the norms of words' noise do not follow their gamma law, p = %g", p)
	}
}
