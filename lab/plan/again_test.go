package plan

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/lab/source"
)

const (
	madeAgain  = 10  // rows, each of another plan
	cheap      = 3.0 // seconds that a row took, at most
	figuresLen = 6   // digits of a figure in CSV
)

// committed returns the committed rows of the full size of a plan.
func committed(t *testing.T, p Plan) []result.Row {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "results", "full", p.Name+".csv"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := result.ReadCSV(file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// trialOf returns the trial of a committed row.
func trialOf(p Plan, r result.Row) (Trial, bool) {
	trials := p.Grid(Full)
	differ := func(a, b result.Params) bool {
		return slices.ContainsFunc(a, func(q result.Param) bool { return a.Get(q.Name) != b.Get(q.Name) })
	}
	at := slices.IndexFunc(trials, func(t Trial) bool {
		return t.Seed == r.Seed && !differ(t.Params, r.Params) && !differ(r.Params, t.Params)
	})
	if at < 0 {
		return Trial{}, false
	}
	return trials[at], true
}

// Trials differ by parameters that only some have.
func TestEachRowHasItsTrial(t *testing.T) {
	for _, p := range All() {
		found := map[string]bool{}
		for _, r := range committed(t, p) {
			trial, ok := trialOf(p, r)
			name := fmt.Sprint(trial.Params, trial.Seed)
			if !ok || found[name] {
				t.Fatalf("%s: %s, seed %d has no trial of its own", p.Name, r.Params, r.Seed)
			}
			found[name] = true
		}
	}
}

// Committed rows are what the code makes now, to the last digit: ten cheap rows of ten plans.
// The digest of the code chooses them, so that other code is tried on other rows. Plans that
// measure time, train models or compile channels are left out, and those that are of earlier
// code, which the pages say.
func TestRowsAreMadeAgain(t *testing.T) {
	// The stage figures of the repository: it reads data sets, and makes rows again.
	if stages := strings.Split(os.Getenv("SOTTO_STAGES"), ","); !slices.Contains(stages, "figures") && !slices.Contains(stages, "all") {
		t.Skip("SKIPPED HERE: a test of the stage figures (SOTTO_STAGES=figures go test ./plan)")
	}
	data := filepath.Join(cmp.Or(os.Getenv("SOTTO_SHARED"), filepath.Join("..", "..", "..", "shared")), "data")
	code, err := source.Code(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chance := func(name string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(code + name))
		return h.Sum64()
	}
	plans := slices.DeleteFunc(All(), func(p Plan) bool {
		return p.Alone || p.Earlier != "" || slices.Contains([]string{"privemb-trained", "trlaplace-retold", "trlaplace-finetuned", "trlaplace-reread", "adept-texts", "whole-texts-latent", "frontier"}, p.Name)
	})
	slices.SortFunc(plans, func(a, b Plan) int { return cmp.Compare(chance(a.Name), chance(b.Name)) })
	bench := &experiment.Bench{Source: dataset.Folder(data), Opener: &private.Opener{}, Models: t.TempDir()}
	made := 0
	for _, p := range plans {
		rows := slices.DeleteFunc(committed(t, p), func(r result.Row) bool {
			name := r.Params.Get("mechanism")
			return r.Seconds > cheap || r.LeftOut != "" || name == "packing" || name == "tem" || name == "tem published" || name == "balanced"
		})
		if len(rows) == 0 || made == madeAgain {
			continue
		}
		row := rows[chance(p.Name+" row")%uint64(len(rows))]
		trial, ok := trialOf(p, row)
		if !ok {
			t.Errorf("%s: no trial has the parameters of its row %s, seed %d", p.Name, row.Params, row.Seed)
			continue
		}
		made++
		out, err := p.Run(t.Context(), bench, trial.Params, trial.Seed)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		t.Logf("%s: %s, seed %d: %d figures, %d texts", p.Name, trial.Params, trial.Seed, len(row.Outcome.Values), len(row.Outcome.Texts))
		for name, then := range row.Outcome.Values {
			if now, ok := out.Values[name]; !ok || strconv.FormatFloat(now, 'g', figuresLen, 64) != strconv.FormatFloat(then, 'g', figuresLen, 64) {
				t.Errorf("%s (%s, seed %d): %s is %g in results/full, and now %g", p.Name, trial.Params, trial.Seed, name, then, now)
			}
		}
		for name, then := range row.Outcome.Texts {
			if now := out.Texts[name]; now != then {
				t.Errorf("%s (%s, seed %d): %s is %q in results/full, and now %q", p.Name, trial.Params, trial.Seed, name, then, now)
			}
		}
	}
	if made < madeAgain {
		t.Errorf("%d rows were made again, want %d", made, madeAgain)
	}
}

// Every plan that is said to be of earlier code exists.
func TestEarlierPlansExist(t *testing.T) {
	for name := range earlier {
		if p, err := Find(name); err != nil || p.Earlier == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, quotes := range quoted {
		if p, err := Find(name); err != nil || len(p.Paper) != len(quotes) {
			t.Errorf("quoted.csv has %q: %v", name, err)
		}
	}
}
