package plan

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

func TestEveryPlanSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if p.Name == "" || p.Title == "" || p.Source == "" || p.About == "" || p.Run == nil || len(p.Tables) == 0 {
			t.Errorf("%s: something is missing", p.Name)
		}
		if seen[p.Name] || slices.Contains(Sizes, Size(p.Name)) {
			t.Errorf("%s: the name is taken", p.Name)
		}
		seen[p.Name] = true
		if found, err := Find(p.Name); err != nil || found.Title != p.Title {
			t.Errorf("%s is not found (%v)", p.Name, err)
		}
		for _, s := range Sizes {
			trials := map[string]bool{}
			for _, at := range p.Grid(s) {
				key := result.Address(p.Name, at.Params, at.Seed, nil, "")
				if trials[key] || at.Seed == 0 {
					t.Errorf("%s, %s: the trial (%s) is there twice, or has no seed", p.Name, s, at.Params)
				}
				trials[key] = true
				opens(t, p.Name, at.Params)
				uses(t, p, at.Params)
			}
			if len(trials) == 0 {
				t.Errorf("%s has no trials of size %s", p.Name, s)
			}
		}
	}
}

// opens checks that a trial's mechanism is in the catalogue and its name parses. What
// makes a whole corpus is no member of it.
func opens(t *testing.T, plan string, p result.Params) {
	t.Helper()
	name := p.Get("mechanism")
	if name == "" || name == "none" || name == synthesize || name == experiment.KnownAlone || name == experiment.PublicLabels {
		return
	}
	entry, _, err := private.Setting{Name: name, Epsilon: 1}.Spec()
	if _, ok := catalog.Find(entry); err != nil || !ok {
		t.Errorf("%s: %q opens nothing (%v)", plan, name, err)
	}
}

// uses checks that tables and charts ask for parameters that trials have.
func uses(t *testing.T, plan Plan, p result.Params) {
	t.Helper()
	for _, table := range plan.Tables {
		for _, name := range append(slices.Clone(table.Rows), table.Panel) {
			optional := name == "" || name == "beta" || name == "epsilon"
			if p.Get(name) == "" && !optional {
				t.Errorf("%s: a table shows %s, which (%s) lacks", plan.Name, name, p)
			}
		}
	}
	for _, c := range plan.Charts {
		if p.Get(c.Series) == "" {
			t.Errorf("%s: a chart's series is %s, which (%s) lacks", plan.Name, c.Series, p)
		}
	}
}

// counted returns a plan whose trials fail from the third on, until they are mended.
func counted(calls *atomic.Int32, broken *atomic.Bool) Plan {
	return Plan{
		Name: "counted",
		Grid: func(Size) []Trial { return product(2, over("mechanism", "a", "b", "c"), over("epsilon", 1.0)) },
		Run: func(_ context.Context, _ *experiment.Bench, p result.Params, seed uint64) (result.Outcome, error) {
			if calls.Add(1) > 2 && broken.Load() {
				return result.Outcome{}, errors.New("broken")
			}
			return result.Outcome{Values: map[string]float64{"seed": float64(seed)}}, nil
		},
	}
}

func TestARunThatWasCutOffGoesOn(t *testing.T) {
	var calls atomic.Int32
	var broken atomic.Bool
	broken.Store(true)
	p := counted(&calls, &broken)
	r := &Runner{Bench: &experiment.Bench{Source: dataset.Generated{}, Opener: &private.Opener{}}, Store: result.Store(t.TempDir()), Code: "1", Workers: 1}
	if err := r.Run(t.Context(), []Plan{p}, Quick, 0, nil); err == nil || !strings.Contains(err.Error(), "counted (mechanism") {
		t.Fatalf("the broken run says %v", err)
	}
	if rows, missing, err := r.Rows(p, Quick); len(rows) != 2 || missing != 4 || err != nil {
		t.Fatalf("%d rows are kept, %d missing (%v)", len(rows), missing, err)
	}
	broken.Store(false)
	before := calls.Load()
	made := 0
	r.Done = func(result.Row) { made++ }
	if err := r.Run(t.Context(), []Plan{p}, Quick, 1, func(n int) {
		if n != 1 {
			t.Errorf("a sample of one has %d trials", n)
		}
	}); err != nil || made != 1 {
		t.Fatalf("the sample made %d rows (%v)", made, err)
	}
	if err := r.Run(t.Context(), []Plan{p}, Quick, 0, nil); err != nil || made != 4 || calls.Load() != before+4 {
		t.Fatalf("the rest made %d rows by %d calls (%v)", made, calls.Load()-before, err)
	}
	rows, missing, _ := r.Rows(p, Quick)
	if missing != 0 || len(rows) != 6 || rows[0].Seed != 1 || rows[5].Seed != 2 || rows[5].Params.Get("mechanism") != "c" {
		t.Errorf("rows are %v, %d missing", rows, missing)
	}
	r.Code = "2"
	if _, missing, _ := r.Rows(p, Quick); missing != 6 {
		t.Errorf("other code finds rows: %d missing", missing)
	}
}

func TestACancelledRunStops(t *testing.T) {
	var calls atomic.Int32
	p := counted(&calls, new(atomic.Bool))
	ctx, cancel := context.WithCancel(t.Context())
	r := &Runner{Bench: &experiment.Bench{Source: dataset.Generated{}, Opener: &private.Opener{}}, Store: result.Store(t.TempDir()), Workers: 1, Done: func(result.Row) { cancel() }}
	if err := r.Run(ctx, []Plan{p}, Quick, 0, nil); !errors.Is(err, context.Canceled) || calls.Load() > 2 {
		t.Errorf("after %d trials: %v", calls.Load(), err)
	}
}

func TestCoordinatesComeFromParametersFiguresAndCertificates(t *testing.T) {
	row := result.Row{Params: result.Params{{Name: "epsilon", Value: 2.0}}, Outcome: result.Outcome{Values: map[string]float64{"auc": 0.7},
		Evidence: result.Evidence{Certificate: &audit.Certificate{MetricEpsilon: audit.Interval{Low: 1, High: 1.5}}}}}
	for name, want := range map[string]float64{"epsilon": 2, "auc": 0.7, "certified metric epsilon": 1.5} {
		if v, ok := Coordinate(row, name); !ok || v != want {
			t.Errorf("%s is %g", name, v)
		}
	}
	for _, name := range []string{"certified pure epsilon", "nothing"} {
		if _, ok := Coordinate(row, name); ok {
			t.Errorf("%s is there", name)
		}
	}
}
