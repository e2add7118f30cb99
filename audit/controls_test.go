package audit

import (
	"context"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Each fault is built around honest members over the embedded table, with its
// tens of thousands of words, and audited as `sotto audit` does, but by fewer
// draws: it must be refuted, and the member itself must not. An honest member
// fails with probability 1e-6 on a fresh seed.
func TestNegativeControlsOverTheEmbeddedTableAreRefuted(t *testing.T) {
	stage.Unraced(t)
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range []struct {
		name    string
		epsilon float64
		draws   int
	}{{"response", 1, 6000}, {"madlib", 0.5, 600}} {
		entry, honest := open(t, table, member.name, mechanism.Spec{Epsilon: member.epsilon})
		replace := func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			dst, err := honest.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		}
		for _, c := range []struct {
			name    string
			rule    func(dst, src []embedding.ID, rng rand.Source) []embedding.ID
			verdict Verdict
		}{
			{"honest", replace, Undecided},
			{"no noise", func(dst, src []embedding.ID, _ rand.Source) []embedding.ID { return append(dst, src...) }, Refuted},
			{"unknown words pass", func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
				from := len(dst)
				dst = replace(dst, src, rng)
				for i, x := range src {
					if x == table.Unknown() {
						dst[from+i] = x
					}
				}
				return dst
			}, Refuted},
			{"a fixed seed", func(dst, src []embedding.ID, _ rand.Source) []embedding.ID {
				return replace(dst, src, noise.Seeded(42, 0))
			}, Refuted},
			{"a fixed seed where none is given", func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
				return replace(dst, src, rng)
			}, Refuted},
		} {
			m := mechanism.Mechanism(liar{honest.Claim(), c.rule})
			if c.name == "a fixed seed where none is given" {
				m = forgetful{honest}
			}
			f, err := sample(context.Background(), entry, m, table, Trial{Draws: member.draws, Rng: noise.Seeded(testseed.Of(t, 21), 0)})
			if err != nil {
				t.Fatal(err)
			}
			if f.Verdict != c.verdict {
				t.Errorf("%s, %s: %s, loss at least %g of %g claimed: %s", member.name, c.name, f.Verdict, float64(f.EpsilonLow), f.Target().Epsilon, f.Why)
			}
		}
	}
}

// The members themselves, as `sotto audit` runs them, over the embedded table and
// over one with capitals, numbers and signs: none is refuted. A fault in them,
// such as a kind of word that passes, is (scripts/mutants/list).
func TestHonestMembersOverTheEmbeddedTable(t *testing.T) {
	stage.Unraced(t)
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	for i, table := range []*embedding.Table{english, oddWords(t)} {
		for name, epsilon := range map[string]float64{"laplace": 1, "madlib": 0.5} {
			entry, _ := catalog.Find(name)
			f, err := Run(t.Context(), entry, table, Options{Spec: mechanism.Spec{Epsilon: epsilon}, Trial: Trial{Draws: 600, Rng: noise.Seeded(testseed.Of(t, 26), uint64(i))}})
			if err != nil {
				t.Fatal(err)
			}
			if f.Verdict != Undecided || f.Draws == 0 {
				t.Errorf("%s over %d words: %s by %d draws: %s", name, table.Len(), f.Verdict, f.Draws, f.Why)
			}
		}
	}
}

// Metric claims count by distance: over words 4 and 1/4 apart the same loss of 2
// keeps a claim of 1 per unit, and breaks it.
func TestSamplingCountsTheDistance(t *testing.T) {
	for apart, want := range map[float32]Verdict{4: Undecided, 0.25: Refuted} {
		table := mustTable(t, embedding.Source{Words: []string{"a", "b"}, Dim: 1, Vectors: []float32{0, apart}})
		_, m := open(t, table, "response", mechanism.Spec{Epsilon: 2})
		claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: 1}
		f, err := sample(context.Background(), mechanism.Entry{Name: "response"}, liar{claim, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			dst, err := m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		}}, table, Trial{Draws: 20000, Rng: noise.Seeded(testseed.Of(t, 27), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if low := float64(f.EpsilonLow) * float64(apart); f.Verdict != want || low < 1.7 || low > 2 {
			t.Errorf("%g apart: %s with a loss of at least %g, want %s and 1.7 to 2", apart, f.Verdict, low, want)
		}
	}
}

// Only the second word of the pair is ever betrayed, by an output of which the
// first word's probability is small: the loss shows from the second alone.
func TestBothDirectionsOfAPairAreTested(t *testing.T) {
	table := mustTable(t, embedding.Source{Words: []string{"a", "b", "tell"}, Dim: 1, Vectors: []float32{0, 1, 2}})
	for _, pair := range [][2]embedding.ID{{0, 1}, {1, 0}} {
		m := liar{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 1}, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			for _, x := range src {
				if x == 1 && noise.Bernoulli(rng, 1, 10) {
					x = 2
				} else {
					x = 0
				}
				dst = append(dst, x)
			}
			return dst
		}}
		f, err := sample(context.Background(), mechanism.Entry{Name: "telling"}, m, table,
			Trial{Draws: 3000, Pairs: [][2]embedding.ID{pair}, Rng: noise.Seeded(testseed.Of(t, 28), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != Refuted || f.Witness.Input != "b" {
			t.Errorf("pair %v: %s, witness %+v", pair, f.Verdict, f.Witness)
		}
	}
}

// forgetful draws from a fixed seed where no source is given.
type forgetful struct{ mechanism.Mechanism }

func (m forgetful) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	if rng == nil {
		rng = noise.Seeded(42, 0)
	}
	return m.Mechanism.Replace(dst, src, rng)
}

// forgetfulVectors is forgetful for vectors.
type forgetfulVectors struct{ mechanism.Perturber }

func (m forgetfulVectors) Perturb(dst, src []float32, rng rand.Source) error {
	if rng == nil {
		rng = noise.Seeded(42, 0)
	}
	return m.Perturber.Perturb(dst, src, rng)
}

func TestVectorsWithARepeatedSeedAreRefuted(t *testing.T) {
	stage.Unraced(t)
	for _, entry := range catalog.All() {
		if entry.NewPerturber == nil || entry.Standing == privacy.Refuted {
			continue
		}
		table := randomTable(t, 30, 4)
		honest, err := entry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range map[string]mechanism.Perturber{"honest": honest, "a fixed seed where none is given": forgetfulVectors{honest}} {
			f, err := SampleVectors(context.Background(), entry, p, table, Trial{Draws: 300, Rng: noise.Seeded(testseed.Of(t, 22), 0)})
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]Verdict{true: Undecided, false: Refuted}[name == "honest"]; f.Verdict != want {
				t.Errorf("%s, %s: %s, want %s", entry.Name, name, f.Verdict, want)
			}
		}
	}
}

// The rate of false positives is that of the whole audit, however many pairs it
// looks at. A mechanism that keeps its delta exactly gives each look its largest
// chance to accuse falsely. Of 60 audits of 20 pairs at a rate of 0.01, more than
// 9 accuse with probability below 1e-8 (binomial tail, mean 0.6); at 0.2, more
// than 34 with probability below 1e-9 (mean 12). Looks that did not share the
// rate would accuse in most audits of one or the other.
func TestFalsePositiveRateIsSharedAmongLooks(t *testing.T) {
	stage.Unraced(t)
	table := mustTable(t, embedding.Source{Words: []string{"heads", "tails", "edge"}, Dim: 1, Vectors: []float32{0, 1, 2}})
	leaky := liar{privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: 1e-12, Delta: 0.3}, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
		for _, x := range src {
			if !noise.Bernoulli(rng, 3, 10) {
				x = 2
			}
			dst = append(dst, x)
		}
		return dst
	}}
	var pairs [][2]embedding.ID
	for range 20 {
		pairs = append(pairs, [2]embedding.ID{0, 1})
	}
	for _, c := range []struct {
		rate float64
		most int
	}{{0.01, 9}, {0.2, 34}} {
		wrong := 0
		for run := range 60 {
			f, err := sample(context.Background(), mechanism.Entry{Name: "leaky"}, leaky, table,
				Trial{Draws: 500, Alarm: c.rate, Pairs: pairs, Rng: noise.Seeded(testseed.Of(t, 23), uint64(run))})
			if err != nil {
				t.Fatal(err)
			}
			wrong += count(f.Verdict == Refuted)
		}
		t.Logf("%d of 60 at a rate of %g", wrong, c.rate)
		if wrong > c.most {
			t.Errorf("%d of 60 audits accuse an honest mechanism, the stated rate is %g", wrong, c.rate)
		}
	}
	for _, pairs := range []int{1, 7, 100} {
		if got, want := (Trial{Alarm: 0.3}).alpha(pairs, 0.5)*float64(pairs*looksPerPair*2), 0.15; math.Abs(got-want) > 1e-15 {
			t.Errorf("%d pairs: all bounds together fail with probability %g, want %g", pairs, got, want)
		}
	}
}

// An event chosen for what it shows among draws shows it in those draws, whatever
// the mechanism does: it must be tested on others. Here 300 outputs come alike for
// every input, and the outputs that came more often for the one make up an event
// of a difference of 0.3 among the choosing draws. The honest mechanism is
// refuted with probability 1e-6.
func TestEventsAreTestedOnOtherDraws(t *testing.T) {
	table := randomTable(t, 300, 3)
	uniform := liar{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 1e-9}, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
		for range src {
			dst = append(dst, embedding.ID(noise.Below(rng, 300)))
		}
		return dst
	}}
	f, err := sample(context.Background(), mechanism.Entry{Name: "uniform"}, uniform, table,
		Trial{Draws: 3000, Pairs: [][2]embedding.ID{{0, 1}}, Rng: noise.Seeded(testseed.Of(t, 29), 0)})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != Undecided || float64(f.EpsilonLow) != 0 {
		t.Errorf("%s, loss at least %g: outputs do not depend on the input", f.Verdict, float64(f.EpsilonLow))
	}
}

// A mechanism that releases the word with probability delta, and else a word at
// random, keeps (0, delta) exactly and no smaller delta. The honest claim is
// refuted with probability 1e-6 at most.
func TestClaimsDeltaCounts(t *testing.T) {
	stage.Unraced(t)
	table := randomTable(t, 30, 3)
	const tenths = 3
	leaky := func(claimed float64) liar {
		return liar{privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: 1e-9, Delta: claimed}, func(dst, src []embedding.ID, rng rand.Source) []embedding.ID {
			for _, x := range src {
				if !noise.Bernoulli(rng, tenths, 10) {
					x = embedding.ID(noise.Below(rng, uint64(table.Len())))
				}
				dst = append(dst, x)
			}
			return dst
		}}
	}
	for _, c := range []struct {
		claimed float64
		verdict Verdict
	}{{0.3, Undecided}, {0.25, Refuted}, {0, Refuted}} {
		f, err := sample(context.Background(), mechanism.Entry{Name: "leaky"}, leaky(c.claimed), table,
			Trial{Draws: 30000, Pairs: [][2]embedding.ID{{0, 1}}, Rng: noise.Seeded(testseed.Of(t, 24), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if low := float64(f.DeltaLow); f.Verdict != c.verdict || low > 0.3 || low < 0.26 {
			t.Errorf("delta %g claimed of 0.3: %s, delta at least %g", c.claimed, f.Verdict, low)
		}
		if c.claimed == 0.3 && float64(f.EpsilonLow) > 1e-6 {
			t.Errorf("at its delta the mechanism loses nothing, shown is %g", float64(f.EpsilonLow))
		}
	}
}

// DP-ST (2508.20736) draws triples of a text privately and writes a text from them. A text in
// which no triple is found is returned as it is. The promise is for any two texts: with the
// honest rows it is certified, with these it is refuted, whatever the share of such texts.
func TestTextsThatAreReturnedWithoutATripleAreRefuted(t *testing.T) {
	const texts, epsilon = 12, 2.0
	s := embedding.Source{Dim: 1}
	for i := range texts {
		s.Words, s.Vectors = append(s.Words, "text"+string(rune('a'+i))), append(s.Vectors, float32(i))
	}
	table := mustTable(t, s)
	claim := privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: epsilon}
	for _, c := range []struct {
		name    string
		without func(text int) bool // a triple
		verdict Verdict
	}{
		{"all texts have triples", func(int) bool { return false }, Certified},
		{"one text has none", func(text int) bool { return text == 7 }, Refuted},
		{"most texts have none", func(text int) bool { return text%4 != 0 }, Refuted},
	} {
		rows := make([][]uint64, table.Len())
		for x := range rows {
			rows[x] = make([]uint64, table.Len())
			for y := range rows[x] {
				switch {
				case c.without(x) && y == x:
					rows[x][y] = 1 << 40
				case c.without(x): // no other text
				case y == x:
					rows[x][y] = uint64(math.Exp(epsilon) * (1 << 30))
				default:
					rows[x][y] = 1 << 30
				}
			}
		}
		f, err := certify(context.Background(), mechanism.Entry{Name: c.name}, channelOf{rows: rows, claim: claim}, table, Trial{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != c.verdict || c.verdict == Refuted && !math.IsInf(float64(f.EpsilonLow), 1) {
			t.Errorf("%s: %s, loss %g of %g claimed", c.name, f.Verdict, float64(f.EpsilonLow), epsilon)
		}
	}
}
