package tune

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// line returns a table of m words at 0, 1, 2, ...
func line(t *testing.T, m int) *embedding.Table {
	t.Helper()
	s := embedding.Source{Dim: 1}
	for i := range m {
		s.Words = append(s.Words, string(rune('A'+i)))
		s.Vectors = append(s.Vectors, float32(i))
	}
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func find(t *testing.T, name string) mechanism.Entry {
	t.Helper()
	e, ok := catalog.Find(name)
	if !ok {
		t.Fatalf("%s is not in the catalogue", name)
	}
	return e
}

// Randomised response over m words keeps a word with chance p at epsilon
// ln(p (m-1)/(1-p)), which is its pure epsilon too.
func TestSearchInvertsRandomisedResponse(t *testing.T) {
	const m, p = 50, 0.3
	want := math.Log(p * (m - 1) / (1 - p))
	table, entry := line(t, m), find(t, "response")
	away := (1 - p) * (m + 1) / 3 // mean distance of two distinct of m points on a line
	for _, target := range []Target{{"unchanged", p}, {"attack", p}, {"pure", want}, {"certified", want}, {"distance", away}} {
		r, err := Search(context.Background(), entry, table, mechanism.Spec{}, target)
		if err != nil {
			t.Fatal(err)
		}
		// A figure within 1 % moves epsilon by 0.01/(1-p) at most, that of distance by more.
		if !r.Reached || !(math.Abs(r.Epsilon-want) < 0.04) || !strings.Contains(r.Verdict, "reached") {
			t.Errorf("%s %g: epsilon %g (%s), want %g", target.Figure, target.Value, r.Epsilon, r.Verdict, want)
		}
		passed := r.Found - target.Value
		if target.Figure == "distance" {
			passed = -passed
		}
		if passed > 1e-9*target.Value {
			t.Errorf("%s: %g passes the target %g", target.Figure, r.Found, target.Value)
		}
	}
}

func TestSearchSaysWhatIsNearestWhereATargetIsOutOfReach(t *testing.T) {
	table := line(t, 10)
	// Ten words: no epsilon keeps fewer than a tenth of them.
	r, err := Search(context.Background(), find(t, "response"), table, mechanism.Spec{}, Target{"unchanged", 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if r.Reached || !(math.Abs(r.Epsilon-leastEpsilon) < 1e-9) || !strings.Contains(r.Verdict, "at least 0.1") {
		t.Errorf("epsilon %g: %s", r.Epsilon, r.Verdict)
	}
	// No two words are farther apart than 9.
	r, err = Search(context.Background(), find(t, "response"), table, mechanism.Spec{}, Target{"distance", 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.Reached || r.Epsilon != leastEpsilon {
		t.Errorf("distance 20: epsilon %g, %s", r.Epsilon, r.Verdict)
	}
}

// The command that a search prints opens exactly the channel that it found.
func TestSearchOfACalibratedMemberNamesTheParameterThatReproducesIt(t *testing.T) {
	table, cache := line(t, 40), memory{}
	for _, name := range []string{"tem", "exponential"} {
		entry := find(t, name)
		for _, target := range []Target{{"unchanged", 0.3}, {"attack", 0.2}, {"certified", 1.7}, {"pure", 8}, {"distance", 2}} {
			r, err := Search(context.Background(), entry, table, mechanism.Spec{Cache: cache}, target)
			if err != nil {
				t.Fatal(err)
			}
			if kept, err := Search(context.Background(), entry, table, mechanism.Spec{Cache: cache}, target); err != nil || !maps.Equal(kept.Parameters, r.Parameters) || kept.Verdict != r.Verdict || kept.Claim != r.Claim || kept.Standing != r.Standing || *kept.PureEpsilon != *r.PureEpsilon {
				t.Errorf("read back %+v, %v, was %+v", kept, err, r)
			}
			nominal, found := r.Parameters["nominal"]
			if !r.Reached || !found || *r.CertifiedEpsilon > r.Epsilon || *r.CertifiedEpsilon < r.Epsilon*(1-1.1e-5) || r.Claim.Epsilon != r.Epsilon {
				t.Fatalf("%s, %s %g: %s, %+v", name, target.Figure, target.Value, r.Verdict, r.Row)
			}
			again, err := Compare(context.Background(), entry, table, mechanism.Spec{Epsilon: r.Epsilon, Parameters: map[string]string{"nominal": nominal}})
			if err != nil {
				t.Fatal(err)
			}
			if again.Unchanged != r.Unchanged || *again.CertifiedEpsilon != *r.CertifiedEpsilon || *again.PureEpsilon != *r.PureEpsilon {
				t.Errorf("%s, %s %g: the command gives %+v, found %+v", name, target.Figure, target.Value, again, r.Row)
			}
		}
	}
}

func TestSearchOfASampledMemberGivesAnIntervalAndRefusesExactTargets(t *testing.T) {
	table, entry := line(t, 30), find(t, "madlib")
	r, err := Search(context.Background(), entry, table, mechanism.Spec{}, Target{"unchanged", 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// In one dimension madlib's noise is Laplace of scale 1/epsilon: a word within
	// the line stays with chance 1 - e^(-epsilon/2), an end word with 1 - e^(-epsilon/2)/2.
	stays := func(e float64) float64 { return 1 - math.Exp(-e/2)*(28+1)/30 }
	if s := r.Sampled; !r.Reached || s == nil || !(s.Unchanged[0] <= stays(r.Epsilon) && stays(r.Epsilon) <= s.Unchanged[1]) {
		t.Errorf("epsilon %g keeps %g exactly; found %+v, %s", r.Epsilon, stays(r.Epsilon), r.Sampled, r.Verdict)
	}
	if r.CertifiedEpsilon != nil || r.PureEpsilon != nil || r.AttackSuccess != nil || r.AttackLow > r.Unchanged {
		t.Errorf("sampling vouches for %+v", r.Row)
	}
	for _, name := range []string{"attack", "certified", "pure"} {
		var sampled *SampledError
		if _, err := Search(context.Background(), entry, table, mechanism.Spec{}, Target{name, 0.5}); !errors.As(err, &sampled) {
			t.Errorf("%s: %v, want a SampledError", name, err)
		}
	}
}

func TestSearchStaysWhereAMemberAcceptsEpsilon(t *testing.T) {
	// The classical Gaussian takes no epsilon above 1.
	r, err := Search(context.Background(), find(t, "gaussian"), line(t, 30), mechanism.Spec{}, Target{"unchanged", 0.9})
	if err != nil {
		t.Fatal(err)
	}
	if r.Reached || !(r.Epsilon > 0.99 && r.Epsilon <= 1) {
		t.Errorf("epsilon %g, %s", r.Epsilon, r.Verdict)
	}
}

func TestSearchRefusesBadTargets(t *testing.T) {
	for _, target := range []Target{{"unchanged", 0}, {"unchanged", 1}, {"attack", 1.5}, {"pure", -1}, {"distance", math.Inf(1)}, {"certified", math.NaN()}, {"beauty", 1}} {
		var bad *privacy.ParameterError
		if err := target.Check(); !errors.As(err, &bad) {
			t.Errorf("%v: %v, want a parameter error", target, err)
		}
	}
}

type memory map[string][]byte

func (m memory) Get(key string) ([]byte, bool) { v, ok := m[key]; return v, ok }
func (m memory) Put(key string, value []byte)  { m[key] = value }

func TestRowsAreKeptByTableMechanismAndSettings(t *testing.T) {
	cache := memory{}
	first := func(name string, epsilon float64, table *embedding.Table) Row {
		row, err := Compare(context.Background(), find(t, name), table, mechanism.Spec{Epsilon: epsilon, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	table := line(t, 20)
	rows := []Row{first("response", 1, table), first("response", 2, table), first("neighbours", 2, table), first("madlib", 2, table), first("response", 2, line(t, 21))}
	if len(cache) < len(rows) {
		t.Fatalf("%d rows kept, want one for each of %d settings", len(cache), len(rows))
	}
	if again := first("madlib", 2, table); *again.Sampled == (Sampled{}) || again.Unchanged != rows[3].Unchanged || again.Claim != rows[3].Claim {
		t.Errorf("read back %+v, was %+v", again, rows[3])
	}
	if again := first("response", 2, table); *again.AttackSuccess != *rows[1].AttackSuccess || *again.PureEpsilon != *rows[1].PureEpsilon {
		t.Errorf("read back %+v, was %+v", again, rows[1])
	}
	// A cached row is used. One that was edited in the cache is recomputed.
	for key := range cache {
		var row Row
		if key = strings.TrimSuffix(key, fmt.Sprintf("-format%d", mechanism.ChannelFormat)); strings.Contains(key, "response") && mechanism.Recall(cache, key, &row) {
			row.Unchanged = 0
			mechanism.Remember(cache, key, row)
		}
	}
	if again := first("response", 2, table); again.Unchanged != 0 {
		t.Errorf("computed anew: unchanged %g", again.Unchanged)
	}
	for key, value := range cache {
		cache[key] = []byte(strings.Replace(string(value), `"unchanged":0,`, `"unchanged":1,`, 1))
	}
	if again := first("response", 2, table); again.Unchanged != rows[1].Unchanged {
		t.Errorf("from an edited cache: unchanged %g", again.Unchanged)
	}
}

// A loss that was reached is not written below what it is.
func TestReachedLossesAreRoundedUp(t *testing.T) {
	loss := 14.14406
	for figure, want := range map[string]string{"pure": "reached: pure epsilon 14.15", "certified": "reached: certified metric epsilon 14.15"} {
		f, err := Target{figure, 14.1}.find()
		if err != nil {
			t.Fatal(err)
		}
		if got := f.judge(Row{PureEpsilon: &loss, CertifiedEpsilon: &loss}, Target{figure, loss}).Verdict; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
