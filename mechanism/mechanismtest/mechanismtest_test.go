package mechanismtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func smallTable(t testing.TB) *embedding.Table {
	rng := rand.New(rand.NewPCG(20, 3))
	s := embedding.Source{Name: "small", Dim: 3}
	for i := range 40 {
		s.Words = append(s.Words, fmt.Sprintf("word%02d", i))
		for range s.Dim {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
		}
	}
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestEveryMemberKeepsTheContract(t *testing.T) {
	table := smallTable(t)
	for _, entry := range catalog.All() {
		t.Run(entry.Name, func(t *testing.T) {
			if entry.NewRetriever != nil {
				book := grid{rows: 30, dim: 4}
				if err := CheckRetriever(t.Context(), entry, book, mechanism.Spec{Epsilon: 0.5}); err != nil {
					t.Error(err)
				}
			}
			if entry.New == nil && entry.NewPerturber == nil && entry.NewRetriever != nil {
				return
			}
			// 0.5: the published truncated noise exists for no larger one here.
			epsilon := 0.5
			if entry.Above != nil {
				limit, err := entry.Above(t.Context(), table)
				if err != nil {
					t.Fatal(err)
				}
				epsilon = 1.25 * limit
			}
			if err := Check(t.Context(), entry, table, mechanism.Spec{Epsilon: epsilon}); err != nil {
				t.Error(err)
			}
		})
	}
}

// sound is a mechanism for words that keeps the contract, to be broken below.
type sound struct {
	m       mechanism.Mechanism
	replace func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error)
	claim   privacy.Claim
}

func (s sound) Claim() privacy.Claim          { return s.claim }
func (s sound) Settings() []mechanism.Setting { return s.m.Settings() }
func (s sound) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	return s.replace(s.m, dst, src, rng)
}

// Each mutant breaks one sentence of the contract, and the suite reports which.
func TestSuiteCatchesEachBreach(t *testing.T) {
	stage.Unraced(t)
	type replace = func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error)
	table := smallTable(t)
	madlib, _ := catalog.Find("madlib")
	var running atomic.Int32
	for says, mutant := range map[string]struct {
		replace replace
		claim   func(*privacy.Claim)
	}{
		"reads its input after the noise": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			out, err := m.Replace(dst, src, noise.OrSecure(rng))
			for i, x := range src {
				if at := len(dst) + i; out[at] == x { // a word that stays is dropped
					out[at] = (x + 1) % embedding.ID(table.Len())
				}
			}
			return out, err
		}},
		"noise is shared or missing": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			seed := noise.OrSecure(rng).Uint64()
			for _, x := range src {
				one, err := m.Replace(nil, []embedding.ID{x}, noise.Seeded(seed, 0))
				if err != nil {
					return dst, err
				}
				dst = append(dst, one...)
			}
			return dst, nil
		}},
		"two secure runs repeat": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			if rng == nil {
				rng = noise.Seeded(1, 1)
			}
			return m.Replace(dst, src, rng)
		}},
		"one seed gives two results": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			return m.Replace(dst, src, nil)
		}},
		"changes its input": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			out, err := m.Replace(dst, src, rng)
			if len(src) > 2 {
				slices.Reverse(src[:3])
			}
			return out, err
		}},
		"does not append": {replace: func(m mechanism.Mechanism, _, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			return m.Replace(nil, src, rng)
		}},
		"words became": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			return m.Replace(dst, src[:max(0, len(src)-1)], rng)
		}},
		"a run among others differs": {replace: func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
			// What an unguarded buffer would do, without the data race.
			if running.Add(1) > 1 {
				rng = noise.Seeded(99, 99)
			}
			defer running.Add(-1)
			time.Sleep(time.Millisecond / 10)
			return m.Replace(dst, src, rng)
		}},
		"the claim is 3":         {claim: func(c *privacy.Claim) { c.Epsilon = 3 }},
		"the catalogue says":     {claim: func(c *privacy.Claim) { c.Notion, c.Distance = privacy.Pure, "" }},
		"names no unit":          {claim: func(c *privacy.Claim) { c.Unit = "" }},
		"claim names the distan": {claim: func(c *privacy.Claim) { c.Distance = "" }},
	} {
		entry := madlib
		entry.New = func(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
			m, err := madlib.New(ctx, table, spec)
			if err != nil {
				return nil, err
			}
			s := sound{m, mutant.replace, m.Claim()}
			if s.replace == nil {
				s.replace = func(m mechanism.Mechanism, dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
					return m.Replace(dst, src, rng)
				}
			}
			if mutant.claim != nil {
				mutant.claim(&s.claim)
			}
			return s, nil
		}
		if err := Check(t.Context(), entry, table, mechanism.Spec{Epsilon: 0.5}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the mutant %q passes (%v)", says, err)
		}
	}
}

// broken is a mechanism for vectors with one fault.
type broken struct {
	mechanism.Perturber
	perturb func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error
}

func (b broken) Perturb(dst, src []float32, rng rand.Source) error {
	return b.perturb(b.Perturber, dst, src, rng)
}

func TestSuiteCatchesEachBreachOfVectors(t *testing.T) {
	table := smallTable(t)
	laplace, _ := catalog.Find("laplace")
	for says, perturb := range map[string]func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error{
		"reads its input after the noise": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			err := p.Perturb(dst, src, noise.OrSecure(rng))
			for k := range dst {
				if k < len(src) {
					dst[k] += src[k]
				}
			}
			return err
		},
		"one noise for all components": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			err := p.Perturb(dst, src, rng)
			for k := range dst {
				dst[k] = dst[0]
			}
			return err
		},
		"have one sign": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			err := p.Perturb(dst, src, rng)
			for k := range dst {
				dst[k] = float32(math.Abs(float64(dst[k])))
			}
			return err
		},
		"is not drawn for as the zero vector": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			clean := slices.Clone(src)
			for k, x := range clean {
				if x-x != 0 {
					clean[k] = 0
				}
			}
			return p.Perturb(dst, clean, rng)
		},
		"Perturb: refused": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			if x := src[len(src)-1]; x-x != 0 {
				return errors.New("refused")
			}
			return p.Perturb(dst, src, rng)
		},
		"wrong length are accepted": func(p mechanism.Perturber, dst, src []float32, rng rand.Source) error {
			in, out := p.Dimensions()
			return p.Perturb(dst[:min(out, len(dst))], src[:min(in, len(src))], rng)
		},
	} {
		entry := laplace
		entry.New = nil
		entry.NewPerturber = func(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Perturber, error) {
			p, err := laplace.NewPerturber(ctx, table, spec)
			return broken{p, perturb}, err
		}
		if err := Check(t.Context(), entry, table, mechanism.Spec{Epsilon: 0.5}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the mutant %q passes (%v)", says, err)
		}
	}
}
