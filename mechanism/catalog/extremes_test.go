package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var (
	extremeEpsilons = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 5e-324, 1e-300, 1e-7, privacy.MinEpsilon, 1e-3,
		1, 30, 700, 1e5, 1e9, 1e16, 1e30, 1e100, 1e300, math.MaxFloat64}
	extremeNumbers = []string{"NaN", "Inf", "-Inf", "0", "-0", "-1", "5e-324", "1e-320", "1e-300", "1e-100", "1e-20", "1e-7", "0.25", "0.5",
		"0.99999999999999988", "0.999999999999999999", "1", "2", "3", "1000", "1e6", "1e9", "1e20", "1e300", "1.7e308", "1e400",
		"9223372036854775807", "18446744073709551616", "a number"}
)

// extremeSpecs lists the specifications to open one member with: every epsilon
// with the defaults, and every number for every parameter with a few epsilons
// and, if pairs is set, extreme deltas.
func extremeSpecs(e mechanism.Entry, pairs bool) (specs []mechanism.Spec) {
	for _, epsilon := range extremeEpsilons {
		specs = append(specs, mechanism.Spec{Epsilon: epsilon}, mechanism.Spec{Epsilon: epsilon, Published: true})
	}
	for _, p := range e.Parameters {
		if p.Kind == mechanism.File {
			continue
		}
		for _, number := range extremeNumbers {
			for _, epsilon := range []float64{privacy.MinEpsilon, 0.5, 40, 1e9} {
				given := map[string]string{p.Name: number}
				specs = append(specs, mechanism.Spec{Epsilon: epsilon, Parameters: given})
				for _, other := range e.Parameters {
					if pairs && other.Name == "delta" && p.Name != "delta" && p.Name != "root" {
						for _, delta := range []string{"5e-324", "1e-300", "0.9999999999999999"} {
							both := maps.Clone(given)
							both["delta"] = delta
							specs = append(specs, mechanism.Spec{Epsilon: epsilon, Parameters: both})
						}
					}
				}
			}
		}
	}
	return specs
}

// checkOpened checks the claim and settings of a member with extreme parameters.
func checkOpened(claim privacy.Claim, settings []mechanism.Setting, least float64, refuted bool) error {
	if claim.Notion == privacy.None && refuted {
		return nil
	}
	if !(claim.Epsilon >= least) || math.IsInf(claim.Epsilon, 0) || !(claim.Delta >= 0 && claim.Delta < 1) && !refuted {
		return fmt.Errorf("it claims %+v", claim)
	}
	for _, s := range settings {
		if _, err := json.Marshal(s.Value); err != nil {
			return fmt.Errorf("its setting %s is %v", s.Name, s.Value)
		}
	}
	return nil
}

// checkDrawn checks that noise is finite and not lost to underflow.
func checkDrawn(row []float32) error {
	some := false
	for _, z := range row {
		if z != z || math.IsInf(float64(z), 0) {
			return fmt.Errorf("the noise is %v", row)
		}
		some = some || z != 0
	}
	if !some {
		return errors.New("there is no noise")
	}
	return nil
}

// wordsWork draws from a member for words; the words' vectors must not drown
// the noise either.
func wordsWork(m mechanism.Mechanism, table *embedding.Table) error {
	noisy, _ := m.(*additive.Words)
	if noisy != nil {
		row := make([]float32, noisy.Table.Dim())
		noisy.Fill(row, noise.Seeded(1, 2))
		if err := checkDrawn(row); err != nil {
			return err
		}
		for x := range noisy.Table.Len() {
			v := noisy.Table.Vector(nil, embedding.ID(x))
			noisy.Clip.Apply(v)
			same := true
			for k, z := range row {
				same = same && v[k]+z == v[k]
			}
			if same {
				return errors.New("the noise is lost beside a word's vector")
			}
		}
	}
	out, err := m.Replace(nil, []embedding.ID{0, 1, 2, 3, 0}, noise.Seeded(3, 4))
	if err != nil {
		return err
	}
	for _, y := range out {
		if int(y) >= table.Len() {
			return fmt.Errorf("word %d is drawn", y)
		}
	}
	if c, ok := m.(mechanism.Channel); ok {
		for x := range table.Len() {
			total := uint64(0)
			for _, w := range c.Weights(nil, embedding.ID(x)) {
				if total+w < total || total+w >= 1<<63 {
					return fmt.Errorf("the weights of row %d add up beyond 2^63", x)
				}
				total += w
			}
			if total == 0 {
				return fmt.Errorf("row %d has no weight", x)
			}
		}
	}
	return nil
}

// vectorsWork releases vectors of every size. Those up to size must show their
// noise; a member that does not clip may be given longer ones.
func vectorsWork(p mechanism.Perturber, size float64) error {
	in, out := p.Dimensions()
	_, coded := p.(mechanism.Coded) // releases one of a list, which may come again
	for _, x := range []float32{0, float32(size), 1, -1e-45, 1e-38, 1e20, math.MaxFloat32, -math.MaxFloat32} {
		src, dst := make([]float32, in), make([]float32, out)
		for k := range src {
			src[k] = x
		}
		if err := p.Perturb(dst, src, noise.Seeded(5, 6)); err != nil {
			return err
		}
		if err := checkDrawn(dst); err != nil {
			return fmt.Errorf("of %g: %w", x, err)
		}
		again := make([]float32, out)
		if err := p.Perturb(again, src, noise.Seeded(7, 8)); err != nil || !coded && slices.Equal(dst, again) && math.Abs(float64(x)) <= size {
			return fmt.Errorf("of %g: two releases are the same (%v)", x, err)
		}
	}
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		src, dst := make([]float32, in), make([]float32, out)
		src[in-1] = x
		if err := p.Perturb(dst, src, noise.Seeded(9, 10)); err != nil {
			return fmt.Errorf("of %g: %w", x, err)
		}
		if err := checkDrawn(dst); err != nil {
			return fmt.Errorf("of %g: %w", x, err)
		}
	}
	return nil
}

// Every member, for every use, either refuses extreme parameters by naming one,
// or works and claims something finite.
func TestExtremeParametersAreRefusedOrWork(t *testing.T) {
	stage.Unraced(t)
	ctx := context.Background()
	scales, pairs := []float32{1}, false
	if stage.Runs(stage.Thorough) {
		scales, pairs = []float32{1, 1e-36, 1e-12, 1e36}, true
	}
	for _, scale := range scales {
		rng := rand.New(rand.NewPCG(11, 12))
		src := embedding.Source{Name: "extreme", Dim: 4}
		for i := range 12 {
			src.Words = append(src.Words, string(rune('a'+i)))
			for range 4 {
				src.Vectors = append(src.Vectors, scale*float32(rng.NormFloat64()))
			}
		}
		table := oracle.MustTable(t, src)
		latent := mechanism.Latent{Dim: 4, MedianL1: float64(scale), MedianL2: float64(scale)}
		for _, e := range All() {
			t.Run(fmt.Sprintf("%s/%g", e.Name, scale), func(t *testing.T) {
				refused, worked := 0, 0
				for _, spec := range extremeSpecs(e, pairs && scale == 1) {
					spec.Cache = nil
					began := time.Now()
					check := func(use string, err error, work func() error) {
						if took := time.Since(began); took > 2*time.Second {
							t.Logf("%s, epsilon %g, %v: %s", use, spec.Epsilon, spec.Parameters, took)
						}
						var bad *privacy.ParameterError
						switch {
						case err == nil:
							worked++
							if err := work(); err != nil {
								t.Errorf("%s, epsilon %g, %v: %v", use, spec.Epsilon, spec.Parameters, err)
							}
						case errors.As(err, &bad):
							refused++
							if bad.Name == "" || bad.Must == "" {
								t.Errorf("%s, epsilon %g, %v: %v does not name the parameter and what it must be", use, spec.Epsilon, spec.Parameters, err)
							}
						default:
							t.Errorf("%s, epsilon %g, %v: %v is no parameter error", use, spec.Epsilon, spec.Parameters, err)
						}
					}
					refuted, least := e.Standing == privacy.Refuted, math.SmallestNonzeroFloat64
					if e.FromZero && spec.Epsilon == 0 {
						least = 0
					}
					if e.New != nil {
						m, err := e.New(ctx, table, spec)
						check("words", err, func() error {
							if err := checkOpened(m.Claim(), m.Settings(), least, refuted); err != nil {
								return err
							}
							return wordsWork(m, table)
						})
					}
					if e.NewPerturber != nil {
						p, err := e.NewPerturber(ctx, table, spec)
						check("vectors", err, func() error {
							if err := checkOpened(p.Claim(), p.Settings(), least, refuted); err != nil {
								return err
							}
							return vectorsWork(p, table.Largest())
						})
					}
					if e.NewRetriever != nil {
						book := newBook(table.Len(), 3, 1)
						r, err := e.NewRetriever(ctx, book, spec)
						check("texts", err, func() error {
							if err := checkOpened(r.Claim(), r.Settings(), least, refuted); err != nil {
								return err
							}
							_, err := r.Draw(ctx, nil, book.vectors[:9], nil)
							return err
						})
					}
					if e.NewLatent != nil {
						p, err := e.NewLatent(ctx, latent, spec)
						check("latent", err, func() error {
							if err := checkOpened(p.Claim(), p.Settings(), least, refuted); err != nil {
								return err
							}
							return vectorsWork(p, table.Largest())
						})
					}
				}
				if scale == 1 && (refused < 5 || worked < 5) {
					t.Errorf("%d refused, %d worked: the test has no power", refused, worked)
				}
			})
		}
	}
}
