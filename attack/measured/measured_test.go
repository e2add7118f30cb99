package measured_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

func TestFiguresAreOfTheEmbeddedTableAndOfMembers(t *testing.T) {
	f, err := measured.All()
	if err != nil {
		t.Fatal(err)
	}
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	if f.Table != table.Digest() || f.Words != table.Len() || f.Texts < 400 || f.Tokens < 10000 || f.Unknown == 0 || len(f.Readers) != 2 {
		t.Errorf("the figures are of %d words, %s, and %d texts, with %d readers", f.Words, f.Table, f.Texts, len(f.Readers))
	}
	for _, r := range f.Readers {
		if r.Known != 0 {
			t.Errorf("the reader %s knows %d of the texts", r.Reader, r.Known)
		}
	}
	if !slices.IsSortedFunc(f.Rows, func(a, b measured.Row) int {
		if a.Mechanism != b.Mechanism {
			return 0
		}
		if a.Epsilon < b.Epsilon {
			return -1
		}
		return 1
	}) {
		t.Error("the epsilons of a mechanism do not ascend")
	}
	of := map[string]int{}
	for _, r := range f.Rows {
		of[r.Mechanism]++
		entry, ok := catalog.Find(r.Mechanism)
		if !ok || entry.New == nil {
			t.Fatalf("%s replaces no words", r.Mechanism)
		}
		if parameter, sized := entry.Parameter(mechanism.RoleSize); sized {
			m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: r.Epsilon})
			if err != nil {
				t.Fatal(err)
			}
			if k := audit.ParametersOf(m.Settings())[parameter.Name]; k != r.Size {
				t.Errorf("%s at %g was measured with sets of %d words, and has %v", r.Mechanism, r.Epsilon, r.Size, k)
			}
		} else if r.Size != 0 {
			t.Errorf("%s has no sets, and was measured with %d", r.Mechanism, r.Size)
		}
		for _, s := range []measured.Share{r.Alone, r.InContext, r.Rare} {
			if s.Low > s.Share || s.Share > s.High || s.Low < 0 || s.High > 1 || s.High-s.Low > 0.07 {
				t.Errorf("%s at %g: %+v", r.Mechanism, r.Epsilon, s)
			}
		}
		if r.Rare.Low > r.InContext.High { // where nearly all are, they differ by chance
			t.Errorf("%s at %g: rare words are recovered more often than all", r.Mechanism, r.Epsilon)
		}
	}
	for _, name := range []string{"neighbours", "response", "classes"} {
		if of[name] < 16 {
			t.Errorf("%s was measured at %d epsilons", name, of[name])
		}
	}
}

func TestFindInterpolatesNothing(t *testing.T) {
	f, err := measured.All()
	if err != nil {
		t.Fatal(err)
	}
	at, found := measured.Find("neighbours", f.Table, 6)
	if !found || at.Below != at.Above || at.Below.Epsilon != 6 || at.Below.Mechanism != "neighbours" {
		t.Errorf("at 6: %+v, %v", at, found)
	}
	if s := at.String(); !strings.Contains(s, at.Below.InContext.String()+" of the words") || strings.Contains(s, "epsilon") {
		t.Errorf("at 6: %s", s)
	}
	between, found := measured.Find("neighbours", f.Table, 6.5)
	if !found || between.Below != at.Below || between.Above.Epsilon != 7 {
		t.Errorf("at 6.5: %+v, %v", between, found)
	}
	if s := between.String(); !strings.Contains(s, between.Below.InContext.String()) || !strings.Contains(s, between.Above.InContext.String()) || !strings.Contains(s, "at epsilon 6 and") {
		t.Errorf("at 6.5: %s", s)
	}
	for _, c := range []struct {
		mechanism, table string
		epsilon          float64
	}{{"neighbours", f.Table, 0.9}, {"neighbours", f.Table, 16.1}, {"neighbours", "another", 6}, {"madlib", f.Table, 6}} {
		if got, found := measured.Find(c.mechanism, c.table, c.epsilon); found {
			t.Errorf("%+v: found %+v", c, got)
		}
	}
}

func TestSharesAreRoundedOutwards(t *testing.T) {
	for want, s := range map[string]measured.Share{
		"29.1 % (27.1 to 31.1)":   {Share: 0.2906, Low: 0.2719, High: 0.3101},
		"0.0 % (0.0 to 0.2)":      {Share: 0, Low: 0, High: 0.0011},
		"100.0 % (99.9 to 100.0)": {Share: 0.9999, Low: 0.9991, High: 1},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v is %q, want %q", s, got, want)
		}
	}
}
