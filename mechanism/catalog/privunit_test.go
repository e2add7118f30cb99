package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/directions"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func openPrivunit(t testing.TB, table *embedding.Table, epsilon float64, parameters map[string]string) mechanism.Perturber {
	t.Helper()
	p, err := newPrivunit(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// unitTable is a table of words in dim random dimensions.
func unitTable(t testing.TB, words, dim int) *embedding.Table {
	t.Helper()
	rng := rand.New(noise.Seeded(3, 8))
	s := embedding.Source{Name: "unit", Dim: dim}
	for i := range words {
		s.Words = append(s.Words, "w"+strconv.Itoa(i))
		for range dim {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
		}
	}
	return oracle.MustTable(t, s)
}

func TestPrivunitKeepsTheContract(t *testing.T) {
	table := unitTable(t, 60, 12)
	for _, epsilon := range []float64{0.1, 1, 4} {
		for _, parameters := range []map[string]string{{"codebook": "256"}, {"codebook": "300", "neighbours": "40", "dimensions": "5"}, {"form": "continuous"}, {"form": "continuous", "dimensions": "2"}} {
			spec := mechanism.Spec{Epsilon: epsilon, Parameters: parameters}
			if err := mechanismtest.Check(t.Context(), privunitEntry, table, spec); err != nil {
				t.Errorf("epsilon %g, %v: %v", epsilon, parameters, err)
			}
		}
	}
}

// encoded are vectors of public texts by an encoder.
type encoded struct {
	texts, dim int
	vectors    []int8
}

func (e encoded) Len() int { return e.texts }
func (e encoded) Dim() int { return e.dim }
func (e encoded) Vector(dst []int8, i int) []int8 {
	return append(dst, e.vectors[i*e.dim:(i+1)*e.dim]...)
}

func encodedTexts(texts, dim int) encoded {
	rng := rand.New(noise.Seeded(6, 6))
	e := encoded{texts: texts, dim: dim}
	for range texts * dim {
		e.vectors = append(e.vectors, int8(rng.IntN(255)-127))
	}
	return e
}

// So does the release of vectors of an encoder. Its claim says that the encoder is assumed to be
// public if it is the caller's.
func TestPrivunitKeepsTheContractForEncoders(t *testing.T) {
	entry := privunitEntry
	texts := encodedTexts(20, 12)
	entry.NewPerturber = func(ctx context.Context, _ *embedding.Table, spec mechanism.Spec) (mechanism.Perturber, error) {
		return newPrivunitEncoded(ctx, texts, spec)
	}
	entry.Parameters = slices.DeleteFunc(slices.Clone(entry.Parameters), func(p mechanism.Parameter) bool { return p.Name == privunitAverage.Name })
	for _, parameters := range []map[string]string{{"codebook": "256"}, {"form": "continuous", "dimensions": "3"}} {
		for _, brought := range []bool{false, true} {
			spec := mechanism.Spec{Epsilon: 2, Parameters: parameters, BroughtVectors: brought}
			p, err := newPrivunitEncoded(t.Context(), texts, spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Claim().Assumes&privacy.PublicEncoder != 0; got != brought {
				t.Errorf("%v: the claim assumes a public encoder: %t, want %t", parameters, got, brought)
			}
			if err := mechanismtest.Check(t.Context(), entry, unitTable(t, 4, 3), spec); err != nil {
				t.Errorf("%v: %v", parameters, err)
			}
		}
	}
	for name, c := range map[string]struct {
		texts      encoded
		parameters map[string]string
	}{
		"an average": {texts, map[string]string{"average": "equal"}}, "more dimensions": {texts, map[string]string{"dimensions": "13"}},
		"one dimension": {encodedTexts(5, 1), nil}, "too many dimensions": {encodedTexts(1, directions.MostEncoded+1), nil},
	} {
		if _, err := newPrivunitEncoded(t.Context(), c.texts, mechanism.Spec{Epsilon: 1, Parameters: c.parameters}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// The channel over the codebook keeps the contract of channels for whole texts, which
// includes that nothing is drawn where a set has the wrong size.
func TestPrivunitKeepsTheContractOfChannels(t *testing.T) {
	entry := privunitEntry
	entry.NewRetriever = func(_ context.Context, codebook mechanism.Codebook, spec mechanism.Spec) (mechanism.Retriever, error) {
		if len(spec.Parameters) > 0 {
			return nil, privacy.Unwanted("privunit", "parameter", "here")
		}
		if err := privacy.CheckEpsilon("privunit", spec.Epsilon); err != nil {
			return nil, err
		}
		return newPrivunitChannel(codebook, directions.BestCap(codebook.Dim(), spec.Epsilon).Size(codebook.Len()), spec)
	}
	book := directions.NewCodebook(9, 300, 1)
	for _, epsilon := range []float64{0.1, 1, 3} {
		if err := mechanismtest.CheckRetriever(t.Context(), entry, book, mechanism.Spec{Epsilon: epsilon}, book.Vector(nil, 0), book.Vector(nil, 299)); err != nil {
			t.Errorf("epsilon %g: %v", epsilon, err)
		}
	}
}

// exact returns the mean and the mean of yy' over the rows of one input, where y are
// the unbiased vectors.
func exact(t *testing.T, p *privunit, src []float32) (mean, second []float64) {
	t.Helper()
	dim := p.book.Dim()
	mean, second = make([]float64, dim), make([]float64, dim*dim)
	row, err := p.Weights(nil, p.Grid(nil, src))
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, w := range row {
		total += float64(w)
	}
	y := make([]float32, dim)
	for i, w := range row {
		p.Decode(y, uint32(i), true)
		for j, a := range y {
			mean[j] += float64(w) / total * float64(a)
			for l, b := range y {
				second[j*dim+l] += float64(w) / total * float64(a) * float64(b)
			}
		}
	}
	return mean, second
}

func gaussian(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for k := range v {
		v[k] = float32(rng.NormFloat64())
	}
	return v
}

// Over all outputs of the channel: the mean is the unit vector up to the residual that
// is stated, and the second moment is the one that is stated.
func TestPrivunitIsUnbiasedUpToWhatItStates(t *testing.T) {
	stage.Unraced(t)
	const inputs = 40
	table := unitTable(t, 400, 14)
	rng := rand.New(noise.Seeded(1, 5))
	for _, epsilon := range []float64{1, 4} {
		p := openPrivunit(t, table, epsilon, map[string]string{"codebook": "2048", "dimensions": "10"}).(*privunit)
		d, dim := p.Debias(), 10
		along, trace, residual := 0.0, 0.0, 0.0
		for range inputs {
			src := gaussian(rng, 14)
			x := make([]float64, dim)
			p.public.Unit(x, src)
			mean, second := exact(t, p, src)
			square := 0.0
			for j, m := range mean {
				square += (m - x[j]) * (m - x[j])
				trace += second[j*dim+j] / inputs
				for l := range mean {
					along += x[j] * second[j*dim+l] * x[l] / inputs
				}
			}
			residual += square / inputs
			// Exceeded with chance 1/1024 for each input over the choice of the seed.
			if square > 1.2*d.Residual.Largest {
				t.Errorf("epsilon %g: a mean is off by %g, at most %g is stated", epsilon, square, d.Residual.Largest)
			}
		}
		if math.Abs(residual-d.Residual.Mean) > 0.4*d.Residual.Mean {
			t.Errorf("epsilon %g: means are off by %g, stated is %g", epsilon, residual, d.Residual.Mean)
		}
		if want := d.Noise + d.Signal; math.Abs(along-want) > 0.02*want {
			t.Errorf("epsilon %g: x'E[zz']x is %g, stated is %g", epsilon, along, want)
		}
		if want := d.Noise*float64(dim) + d.Signal; math.Abs(trace-want) > 1e-6*want {
			t.Errorf("epsilon %g: the trace is %g, stated is %g", epsilon, trace, want)
		}
		if slices.ContainsFunc(d.Offset, func(x float64) bool { return x != 0 }) {
			t.Errorf("the offset is %v: opposite directions cancel", d.Offset)
		}
	}
}

// The squared error is at most 1.2 of the optimum that the oracle computes, at every
// size of codebook that is offered by default or below it. At every change few are compared.
func TestPrivunitIsNearlyOptimal(t *testing.T) {
	stage.Unraced(t)
	var o struct {
		Privunit []struct {
			D          int
			Eps, Error float64
		}
	}
	data, err := os.ReadFile(refdata.Path(t, "oracles/units.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Privunit {
		if c.D > 100 {
			continue
		}
		sizes := []int{4096}
		if stage.Runs(stage.Large) {
			sizes = []int{4096, 8192}
		} else if c.D > 50 || c.Eps > 4 {
			continue
		}
		for _, m := range sizes {
			book := directions.NewCodebook(c.D, m, 1)
			k := directions.BestCap(c.D, c.Eps).Size(m)
			channel, err := newPrivunitChannel(book, k, mechanism.Spec{Epsilon: c.Eps})
			if err != nil {
				t.Fatal(err)
			}
			dot := book.Measure(k, channel.Lift(), 1).Dot
			// E|z - x|^2 for z = y/dot and |y| = 1, over uniform x.
			if got := 1/(dot*dot) - 1; got > 1.2*c.Error || got < 0.9*c.Error {
				t.Errorf("d %d, epsilon %g, M %d: the squared error is %g, the optimum %g", c.D, c.Eps, m, got, c.Error)
			}
		}
	}
}

// k, the chance of the set, the inner product and the residual of the oracle's
// codebooks, which are other random directions.
func TestPrivunitHasTheOraclesFigures(t *testing.T) {
	stage.Unraced(t)
	var o struct {
		Codebook []struct {
			D, M, K  int
			Eps      float64
			PIn      float64 `json:"p_in"`
			Dot      float64 `json:"mean_dot_seen"`
			Residual float64 `json:"bias_squared_seen"`
		} `json:"privunit_codebook"`
	}
	data, err := os.ReadFile(refdata.Path(t, "oracles/units.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	all := stage.Runs(stage.Large)
	for _, c := range o.Codebook {
		if !all && c.D*c.M > 50*32768 {
			continue
		}
		k := directions.BestCap(c.D, c.Eps).Size(c.M)
		if math.Abs(float64(k-c.K)) > 0.01*float64(c.K) {
			t.Errorf("d %d, M %d, epsilon %g: k is %d, the oracle's %d", c.D, c.M, c.Eps, k, c.K)
		}
		book := directions.NewCodebook(c.D, c.M, 1)
		channel, err := newPrivunitChannel(book, c.K, mechanism.Spec{Epsilon: c.Eps})
		if err != nil {
			t.Fatal(err)
		}
		l := channel.Levels()
		if p := l.Inside * float64(l.Size); math.Abs(p-c.PIn) > 1e-8 {
			t.Errorf("d %d, M %d, epsilon %g: the chance of the set is %.12g, the oracle's %.12g", c.D, c.M, c.Eps, p, c.PIn)
		}
		got := book.Measure(c.K, channel.Lift(), 1)
		// The oracle's directions are independent. Those here come with their opposites, which
		// cancels the even part of the residual: it is smaller, by half at most.
		if math.Abs(got.Dot-c.Dot) > 0.01*c.Dot || got.Residual > 1.15*c.Residual || got.Residual < 0.4*c.Residual {
			t.Errorf("d %d, M %d, epsilon %g: the inner product is %g and the residual %g, the oracle's %g and %g", c.D, c.M, c.Eps, got.Dot, got.Residual, c.Dot, c.Residual)
		}
	}
	if len(o.Codebook) == 0 {
		t.Error("there is no codebook")
	}
}

// Vectors without a direction are drawn for like others, over one public vector: an
// error, or a row of their own, would tell.
func TestPrivunitHasAVectorForEveryText(t *testing.T) {
	stage.Unraced(t)
	table := unitTable(t, 50, 6)
	p := openPrivunit(t, table, 1, map[string]string{"codebook": "64"}).(*privunit)
	zero := p.Grid(nil, make([]float32, 6))
	inf := float32(math.Inf(1))
	for _, src := range [][]float32{{inf, 0, 0, 0, 0, 0}, {0, 0, -inf, 0, 0, 0}, {0, float32(math.NaN()), 1, 1, 1, 1}} {
		if !slices.Equal(p.Grid(nil, src), zero) {
			t.Errorf("%v has another vector than zero", src)
		}
	}
	for _, src := range [][]float32{make([]float32, 6), slices.Repeat([]float32{math.MaxFloat32}, 6), slices.Repeat([]float32{math.SmallestNonzeroFloat32}, 6)} {
		g := p.Grid(nil, src)
		square := 0
		for _, x := range g {
			square += int(x) * int(x)
		}
		if square < 100*100 {
			t.Errorf("%v has the grid vector %v", src, g)
		}
		row, err := p.Weights(nil, g)
		if err != nil {
			t.Fatal(err)
		}
		inside := 0
		for _, w := range row {
			if w == p.Levels().High {
				inside++
			}
		}
		if inside != p.Levels().Size {
			t.Errorf("%v has %d directions in its set, not %d", src, inside, p.Levels().Size)
		}
	}
	// Words that do not differ have no direction, whatever the text.
	same := oracle.MustTable(t, embedding.Source{Name: "same", Dim: 2, Words: []string{"a", "b"}, Vectors: []float32{1, 2, 1, 2}})
	without, unit := openPrivunit(t, same, 1, nil).(*privunit), make([]float64, 2)
	if without.Unit(unit, []float32{5, 5}); unit[0] != 1 || unit[1] != 0 {
		t.Errorf("a table without directions gives %v, must give the first axis", unit)
	}
	if err := without.Perturb(make([]float32, 2), []float32{5, 5}, nil); err != nil {
		t.Error(err)
	}
}

// Draws are those of the channel: indices follow the weights. A chi-squared statistic
// of 100,000 draws over 64 directions has 63 degrees of freedom and is above 140 with
// chance 1e-7.
func TestPrivunitDrawsFollowItsWeights(t *testing.T) {
	stage.Unraced(t)
	const draws = 100_000
	table := unitTable(t, 50, 6)
	p := openPrivunit(t, table, 1.5, map[string]string{"codebook": "64"}).(*privunit)
	src := gaussian(rand.New(noise.Seeded(2, 2)), 6)
	row, err := p.Weights(nil, p.Grid(nil, src))
	if err != nil {
		t.Fatal(err)
	}
	rng := noise.Seeded(7, 7)
	out, err := p.PerturbAll(t.Context(), nil, slices.Repeat(src, draws), func(int) rand.Source { return rng })
	if err != nil {
		t.Fatal(err)
	}
	counts, total, statistic := make([]float64, 64), 0.0, 0.0
	for _, y := range out {
		counts[y]++
	}
	for _, w := range row {
		total += float64(w)
	}
	for y, w := range row {
		expected := float64(w) / total * draws
		statistic += (counts[y] - expected) * (counts[y] - expected) / expected
	}
	if statistic > 140 {
		t.Errorf("chi-squared is %.1f for 63 degrees of freedom", statistic)
	}
}

// The continuous form is in its cap with chance p, and its squared error is that of
// the formula. Of 40,000 draws the share inside has a standard deviation below
// 0.0025, and the mean inner product below 0.0025 of the unbiased vector's scale: six
// of them are exceeded with chance 2e-9.
func TestPrivunitContinuousDrawsFromItsCap(t *testing.T) {
	stage.Unraced(t)
	const draws = 40_000
	table := unitTable(t, 400, 14)
	for _, dim := range []string{"2", "3", "12"} {
		for _, epsilon := range []float64{1, 4, 7} {
			p := openPrivunit(t, table, epsilon, map[string]string{"form": "continuous", "dimensions": dim}).(*privunitContinuous)
			if p.Claim().Assumes&privacy.RealArithmetic == 0 {
				t.Fatal("the claim does not say that it is for real numbers")
			}
			src := gaussian(rand.New(noise.Seeded(4, 4)), 14)
			x := make([]float64, p.cap.Dim)
			p.public.Unit(x, src)
			rng, dst := noise.Seeded(5, 5), make([]float32, p.cap.Dim)
			inside, along, square := 0.0, 0.0, 0.0
			for range draws {
				if err := p.Perturb(dst, src, rng); err != nil {
					t.Fatal(err)
				}
				dot := 0.0
				for k, y := range dst {
					dot += float64(y) * x[k]
				}
				if dot/p.cap.Scale() >= p.cap.Gamma-1e-6 {
					inside++
				}
				along += dot / draws
				square += dot * dot / draws
			}
			six := 6 * 0.0025
			if got := inside / draws; math.Abs(got-p.cap.P) > six {
				t.Errorf("d %s, epsilon %g: inside with chance %g, must be %g", dim, epsilon, got, p.cap.P)
			}
			if math.Abs(along-1) > six*2*p.cap.Scale() {
				t.Errorf("d %s, epsilon %g: the mean is %g along the input, must be 1", dim, epsilon, along)
			}
			d := p.Debias()
			if want := d.Noise + d.Signal; math.Abs(square-want) > six*2*p.cap.Scale()*p.cap.Scale() {
				t.Errorf("d %s, epsilon %g: x'E[zz']x is %g, must be %g", dim, epsilon, square, want)
			}
		}
	}
}

func TestPrivunitRefusesWhatItCannotDo(t *testing.T) {
	table := unitTable(t, 50, 6)
	for name, parameters := range map[string]map[string]string{
		"more dimensions than the table": {"dimensions": "7"}, "one dimension": {"dimensions": "1"}, "an odd codebook": {"codebook": "63"},
		"a codebook beyond two bytes": {"codebook": "65538"}, "more neighbours than directions": {"codebook": "64", "neighbours": "65"}, "all directions as neighbours": {"codebook": "64", "neighbours": "64"},
		"a codebook for the continuous form": {"form": "continuous", "codebook": "64"}, "another form": {"form": "other"},
	} {
		if _, err := newPrivunit(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: parameters}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// A seed gives one codebook, another seed another, and the digest in the settings
// says which.
func TestPrivunitNamesItsCodebook(t *testing.T) {
	table := unitTable(t, 50, 6)
	digest := func(seed string) any {
		p := openPrivunit(t, table, 1, map[string]string{"codebook": "64", "codebook-seed": seed})
		for _, s := range p.Settings() {
			if s.Name == "codebook-sha256" {
				return s.Value
			}
		}
		return nil
	}
	if a, b, c := digest("1"), digest("1"), digest("2"); a == nil || a != b || a == c {
		t.Errorf("seeds 1, 1 and 2 have the digests %v, %v, %v", a, b, c)
	}
}

// The release of vectors in batches as files are read, by dimensions and size of the
// codebook: texts per second of one core.
func BenchmarkPrivunit(b *testing.B) {
	table := unitTable(b, 1000, 100)
	for _, c := range []struct {
		dim, m  string
		epsilon float64
	}{{"30", "8192", 1}, {"30", "8192", 4}, {"50", "8192", 4}, {"100", "8192", 4}, {"30", "65536", 4}, {"100", "65536", 4}} {
		b.Run(fmt.Sprintf("d=%s/M=%s/epsilon=%g", c.dim, c.m, c.epsilon), func(b *testing.B) {
			p := openPrivunit(b, table, c.epsilon, map[string]string{"dimensions": c.dim, "codebook": c.m}).(*privunit)
			const rows = 512
			rng := rand.New(noise.Seeded(1, 1))
			src := gaussian(rng, rows*100)
			var dst []uint32
			for b.Loop() {
				var err error
				if dst, err = p.PerturbAll(b.Context(), dst[:0], src, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
