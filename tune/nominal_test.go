package tune

import (
	"context"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
)

func english(t *testing.T, n int) *embedding.Table {
	t.Helper()
	table, err := builtin.English()
	if err == nil {
		table, err = table.First(n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// slack is how far a certificate's upper end may lie above what is attained.
const slack = 1e-4

// A pair remembered says what is certified where it was met, and no more than is
// certified elsewhere.
func TestForeseenLossIsACertificateFromBelow(t *testing.T) {
	stage.Unraced(t)
	table := english(t, 400)
	for _, name := range []string{"tem", "exponential"} {
		for _, target := range []string{"certified", "pure"} {
			fig, err := Target{target, 2}.find()
			if err != nil {
				t.Fatal(err)
			}
			s := search{ctx: context.Background(), entry: find(t, name), table: table, fig: fig, target: 2}
			s.nominal = newNominal(&s)
			certified := map[float64]float64{}
			for _, value := range []float64{1, 2, 4} {
				row, err := s.nominal.exact(value)
				if err != nil {
					t.Fatal(err)
				}
				certified[value] = fig.read(row)
			}
			for _, p := range s.nominal.pairs {
				alone := *s.nominal
				alone.pairs = []pair{p}
				met := 0
				for value, want := range certified {
					got, err := alone.foreseen(value)
					if err != nil || got > want*(1+slack) {
						t.Errorf("%s, %s at %g: %g is foreseen, %g certified (%v)", name, target, value, got, want, err)
					}
					if math.Abs(got/want-1) < 1e-9 {
						met++
					}
				}
				if met == 0 {
					t.Errorf("%s, %s: a pair foresees nothing of what it was met at", name, target)
				}
			}
			if len(s.nominal.pairs) != 3 {
				t.Errorf("%s, %s: %d certificates left pairs, want 3", name, target, len(s.nominal.pairs))
			}
		}
	}
}

// Few certificates: each takes seconds over a whole table.
func TestSearchForACertificateTakesFewCertificates(t *testing.T) {
	stage.Unraced(t)
	cache := counted{}
	r, err := Search(context.Background(), find(t, "tem"), english(t, 3000), mechanism.Spec{Cache: cache}, Target{"certified", 2})
	if err != nil || !r.Reached || len(cache) > 1+4 { // the result itself is one
		t.Errorf("%s, with %d certificates (%v)", r.Verdict, len(cache)-1, err)
	}
}

// counted is a cache that only remembers what was put.
type counted map[string]bool

func (c counted) Get(string) ([]byte, bool) { return nil, false }
func (c counted) Put(key string, _ []byte)  { c[key] = true }
