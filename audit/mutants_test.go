package audit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// liar is a mechanism that claims one thing and does another.
type liar struct {
	claim   privacy.Claim
	replace func(dst, src []embedding.ID, rng rand.Source) []embedding.ID
}

func (l liar) Claim() privacy.Claim          { return l.claim }
func (l liar) Settings() []mechanism.Setting { return nil }
func (l liar) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	return l.replace(dst, src, noise.OrSecure(rng)), nil
}

// oddWords returns a table with capitals, a number, a sign and an unknown entry.
func oddWords(t testing.TB) *embedding.Table {
	words := []string{"the", "of", "and", "Paris", "1984", "!", "<unk>"}
	for i := len(words); i < 40; i++ {
		words = append(words, "word"+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	rng := rand.New(rand.NewPCG(2, 2))
	s := embedding.Source{Words: words, Dim: 3}
	for range len(words) * 3 {
		s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
	}
	return mustTable(t, s)
}

// Faults of other implementations that change the words of the output. Each is
// built around an honest member and must be refuted at confidence 1 - 1e-6.
func TestEveryTrapForWordsIsRefuted(t *testing.T) {
	stage.Unraced(t)
	table := oddWords(t)
	_, honest := open(t, table, "response", mechanism.Spec{Epsilon: 1})
	_, often := open(t, table, "response", mechanism.Spec{Epsilon: 3})
	_, near := open(t, table, "exponential", mechanism.Spec{Epsilon: 1})
	draw := func(m mechanism.Mechanism, x embedding.ID, rng rand.Source) embedding.ID {
		out, err := m.Replace(nil, []embedding.ID{x}, rng)
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	// each applies a rule to every word on its own.
	each := func(rule func(x embedding.ID, rng rand.Source) embedding.ID) func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
		return func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			for _, x := range src {
				dst = append(dst, rule(x, rng))
			}
			return dst
		}
	}
	passes := func(word string) func(x embedding.ID, rng rand.Source) embedding.ID {
		id, ok := table.Lookup(word)
		if !ok {
			t.Fatal(word)
		}
		return func(x embedding.ID, rng rand.Source) embedding.ID {
			if x == id {
				return x
			}
			return draw(honest, x, rng)
		}
	}
	pure, metric := honest.Claim(), near.Claim()
	for name, m := range map[string]liar{
		"unknown words pass": {pure, each(passes("<unk>"))},
		"stop words pass":    {pure, each(passes("the"))},
		"capitals pass":      {pure, each(passes("Paris"))},
		"numbers pass":       {pure, each(passes("1984"))},
		"signs pass":         {pure, each(passes("!"))},
		"an error path returns the word": {pure, each(func(x embedding.ID, rng rand.Source) embedding.ID {
			if int(x) == table.Len()-1 && noise.Bernoulli(rng, 1, 4) { // "too rare to process"
				return x
			}
			return draw(honest, x, rng)
		})},
		"the input is dropped after the noise": {metric, each(func(x embedding.ID, rng rand.Source) embedding.ID {
			for {
				if y := draw(near, x, rng); y != x {
					return y
				}
			}
		})},
		"retries that are not charged": {often.Claim(), each(func(x embedding.ID, rng rand.Source) embedding.ID {
			// Nine draws for one text, of which the commonest is kept.
			counts, best := map[embedding.ID]int{}, embedding.ID(0)
			for range 9 {
				y := draw(often, x, rng)
				if counts[y]++; counts[y] > counts[best] {
					best = y
				}
			}
			return best
		})},
		"one noise for a batch": {metric, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			key := rng.Uint64()
			for _, x := range src {
				dst = append(dst, draw(near, x, noise.Seeded(key, 0)))
			}
			return dst
		}},
		"a vocabulary from the private text": {pure, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			for range src {
				dst = append(dst, src[noise.Below(rng, uint64(len(src)))])
			}
			return dst
		}},
		"a fixed seed": {pure, func(dst, src []embedding.ID, _ rand.Source) []embedding.ID {
			rng := noise.Seeded(42, 0)
			for _, x := range src {
				dst = append(dst, draw(honest, x, rng))
			}
			return dst
		}},
	} {
		f, err := sample(context.Background(), mechanism.Entry{Name: name}, m, table, Trial{Draws: 3000, Rng: noise.Seeded(testseed.Of(t, 12), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != Refuted || f.Confidence < 1-1e-6 {
			t.Errorf("%s: %s, epsilon at least %g of %g claimed", name, f.Verdict, float64(f.EpsilonLow), m.claim.Epsilon)
		}
	}
}

// Faults that a channel's weights show: enumeration refutes them exactly.
func TestEveryTrapInTheWeightsIsRefuted(t *testing.T) {
	// A dense ball of words, and a line of words that leads away from it.
	rng := rand.New(rand.NewPCG(4, 4))
	s := embedding.Source{Dim: 2}
	for i := range 60 {
		s.Words = append(s.Words, "w"+string(rune('0'+i/10))+string(rune('0'+i%10)))
		if i < 45 {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()/20), float32(rng.NormFloat64()/20))
		} else {
			s.Vectors = append(s.Vectors, float32(i-44)*0.45, 0)
		}
	}
	table := mustTable(t, s)
	n := table.Len()
	const epsilon, gamma = 2.0, 3.0
	claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: epsilon}
	rows := func(weight func(x, y embedding.ID) float64, scale func(row []float64) float64) (out [][]uint64) {
		for x := range n {
			row := make([]float64, n)
			for y := range row {
				row[y] = weight(embedding.ID(x), embedding.ID(y))
			}
			by := scale(row)
			whole := make([]uint64, n)
			for y, w := range row {
				whole[y] = max(uint64(w*by), 1<<12)
			}
			out = append(out, whole)
		}
		return out
	}
	common := func([]float64) float64 { return 1 << 50 }
	tem := func(bottom func(near int) float64) func(x, y embedding.ID) float64 {
		return func(x, y embedding.ID) float64 {
			near := 0
			for z := range n {
				if table.Distance(x, embedding.ID(z)) <= gamma {
					near++
				}
			}
			if d := table.Distance(x, y); d <= gamma {
				return math.Exp(-epsilon / 2 * d)
			}
			return math.Exp(-epsilon/2*gamma) * bottom(near) / float64(n-near)
		}
	}
	exponential := func(distance func(x, y embedding.ID) float64) func(x, y embedding.ID) float64 {
		return func(x, y embedding.ID) float64 { return math.Exp(-epsilon / 2 * distance(x, y)) }
	}
	for _, c := range []struct {
		name    string
		rows    [][]uint64
		verdict Verdict
	}{
		{"honest TEM", rows(tem(func(near int) float64 { return float64(n - near) }), common), Certified},
		{"V/|L| far words", rows(tem(func(near int) float64 { return float64(n) / float64(near) }), common), Refuted},
		{"honest exponential", rows(exponential(table.Distance), common), Certified},
		{"squared distances", rows(exponential(func(x, y embedding.ID) float64 { d := table.Distance(x, y); return d * d }), common), Refuted},
		{"rows scaled on their own", rows(exponential(func(x, y embedding.ID) float64 { return 8 * table.Distance(x, y) }),
			func(row []float64) float64 { return (1 << 20) / slices.Max(row) }), Refuted},
	} {
		f, err := certify(context.Background(), mechanism.Entry{Name: c.name}, channelOf{rows: c.rows, claim: claim}, table, Trial{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != c.verdict {
			t.Errorf("%s: %s, loss %g of %g claimed", c.name, f.Verdict, float64(f.EpsilonLow), epsilon)
		}
	}
}

// Faults in noise for vectors, each with the correct version.
func TestEveryTrapForVectorsIsRefuted(t *testing.T) {
	stage.Unraced(t)
	const dim = 8
	scale := 2 * math.Sqrt(dim) // for epsilon 1 and clip 1
	honest := func(r *rand.Rand) float64 { return laplace(r, scale) }
	pure := vectorClaim(privacy.Pure, 1, 0)
	beyond := VectorPair{InputName: "a long vector", NeighbourName: "its opposite"}
	for range dim {
		beyond.Input, beyond.Neighbour = append(beyond.Input, 9), append(beyond.Neighbour, -9)
	}
	within := Opposite(dim, 1)
	clear(within.Neighbour)
	within.NeighbourName = "zero"
	// One noise vector for a whole batch reveals exact differences; so does one number for all components.
	skewed := VectorPair{Input: make([]float32, dim), Neighbour: make([]float32, dim), InputName: "e1 - e2", NeighbourName: "e2 - e1"}
	skewed.Input[0], skewed.Input[1], skewed.Neighbour[0], skewed.Neighbour[1] = 0.7, -0.7, -0.7, 0.7
	for _, c := range []struct {
		name    string
		p       additive
		pair    VectorPair
		verdict Verdict
	}{
		{"honest", additive{dim: dim, clip: 1, noise: honest, claim: pure}, beyond, Undecided},
		{"honest, ends of the ball", additive{dim: dim, clip: 1, noise: honest, claim: pure}, Opposite(dim, 1), Undecided},
		{"no clip", additive{dim: dim, noise: honest, claim: pure}, beyond, Refuted},
		{"noise with one sign", additive{dim: dim, clip: 1, claim: pure, noise: func(r *rand.Rand) float64 { return math.Abs(honest(r)) }}, Opposite(dim, 1), Refuted},
		{"one noise for all", additive{dim: dim, clip: 1, claim: pure, noise: honest, shared: true}, skewed, Refuted},
		{"l2 clip, l1 noise at scale 2C", additive{dim: dim, clip: 1, claim: pure, noise: func(r *rand.Rand) float64 { return laplace(r, 2) }}, Opposite(dim, 1), Refuted},
		{"noise scaled by the private vectors", additive{dim: dim, clip: 1, claim: pure, noise: honest, own: true}, within, Refuted},
	} {
		f, err := SampleVectors(context.Background(), mechanism.Entry{Name: c.name}, c.p, randomTable(t, 2, 3), Trial{VectorPairs: []VectorPair{c.pair}, Draws: 15000, Rng: noise.Seeded(testseed.Of(t, 13), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != c.verdict {
			t.Errorf("%s: %s, epsilon at least %g, delta at least %g", c.name, f.Verdict, float64(f.EpsilonLow), float64(f.DeltaLow))
		}
	}
}
