package catalog

import (
	"math"
	"math/bits"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// brrRow returns the exact row of a word for a code of a few bits: every noisy code, with
// its chance, and the word nearest to it.
func brrRow(m *brr, x embedding.ID) []float64 {
	row := make([]float64, m.codes.Len())
	code := m.codes.Row(x)[0]
	for noisy := range uint64(1) << m.bits {
		flips := bits.OnesCount64(noisy ^ code)
		p := math.Pow(m.response.Flip(), float64(flips)) * math.Pow(1-m.response.Flip(), float64(m.bits-flips))
		best, at := m.bits+1, 0
		for y := range m.codes.Len() {
			if d := bits.OnesCount64(noisy ^ m.codes.Row(embedding.ID(y))[0]); d < best {
				best, at = d, y
			}
		}
		row[at] += p
	}
	return row
}

func openBRR(t *testing.T, table *embedding.Table, epsilon float64, parameters mechanism.Values) *brr {
	t.Helper()
	return oracle.MustOpen(t, brrEntry, table, epsilon, parameters).(*brr)
}

// Over small tables every row is known. No pair of words loses more than epsilon per
// differing bit, nor more than the bound between any two words, and words of one code
// lose nothing. Some pair of words uses most of the promise: a claim of half of it fails.
func TestBRRKeepsItsPromiseOverAllTriples(t *testing.T) {
	stage.Unraced(t)
	for _, width := range []string{"1", "6", "11"} {
		table := oracle.RandomTable(t, 60, 4)
		const epsilon = 0.9
		m := openBRR(t, table, epsilon, mechanism.Values{"bits": width})
		rows := make([][]float64, table.Len())
		for x := range rows {
			rows[x] = brrRow(m, embedding.ID(x))
		}
		sharpest := 0.0
		for x, row := range rows {
			for z, other := range rows {
				d := float64(m.codes.Distance(embedding.ID(x), embedding.ID(z)))
				for y := range row {
					if row[y] == 0 && other[y] == 0 {
						continue
					}
					loss := math.Log(row[y] / other[y])
					if !(loss <= epsilon*d+1e-9) || !(loss <= m.Most()+1e-9) {
						t.Fatalf("%s bits: words %d and %d, %g bits apart, lose %g at %d; at most %g", width, x, z, d, loss, y, m.Most())
					}
					if d > 0 {
						sharpest = max(sharpest, loss/d)
					}
				}
			}
		}
		if sharpest < epsilon/2 {
			t.Errorf("%s bits: the sharpest pair loses %g per bit: the test has no power", width, sharpest)
		}
		if c := m.Claim(); c.Distance != "hamming("+width+",1)" || c.Notion != privacy.Metric || c.Assumes&privacy.RealArithmetic != 0 {
			t.Errorf("the claim is %+v", c)
		}
	}
}

// Draws fit the exact row (Pearson, chance of a false failure 1e-7 each), and rows of a
// smaller chance of a flip do not.
func TestBRRDrawsFromItsExactRow(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, 60, 4)
	const draws = 200_000
	m := openBRR(t, table, 0.9, mechanism.Values{"bits": "10"})
	other := openBRR(t, table, 1, mechanism.Values{"bits": "10"})
	for _, x := range []embedding.ID{0, 49, 50} { // the last two share a vector
		rng := noise.Seeded(testseed.Of(t, 71), uint64(x))
		counts := oracle.DrawCounts(t, table.Len(), draws, x, func(dst, src []embedding.ID) []embedding.ID {
			dst, err := m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		for of, want := range map[*brr]bool{m: true, other: false} {
			weights := make([]uint64, table.Len())
			for y, p := range brrRow(of, x) {
				weights[y] = uint64(math.Ldexp(p, 60))
			}
			if fits := oracle.ChiSquare(counts, weights, draws) > oracle.FalseFailure; fits != want {
				t.Errorf("word %d at epsilon %g: draws fit the row: %v", x, of.claim.Epsilon, fits)
			}
		}
	}
}

// The seed of the codes is public and part of the distance; the same seed gives the same
// words on every machine.
func TestBRRsSeedNamesItsDistance(t *testing.T) {
	table := oracle.RandomTable(t, 60, 4)
	a, b := openBRR(t, table, 1, nil), openBRR(t, table, 1, mechanism.Values{"code-seed": "7"})
	if a.Claim().Distance != "hamming(256,1)" || b.Claim().Distance != "hamming(256,7)" {
		t.Errorf("the distances are %s and %s", a.Claim().Distance, b.Claim().Distance)
	}
	differ := false
	for x := range embedding.ID(60) {
		differ = differ || a.codes.Distance(0, x) != b.codes.Distance(0, x)
	}
	if !differ {
		t.Error("two seeds give one distance")
	}
}
