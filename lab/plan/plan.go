// Package plan defines the trials: one file per table or figure, at three
// sizes. It also holds the page's text about each: source, method, what the
// paper reports, and what differs.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/result"
)

// Size is how much of a plan is run.
type Size string

// The sizes. Smoke is on generated data and shows only that everything works.
const (
	Smoke Size = "smoke" // under a minute
	Quick Size = "quick" // within ten minutes on two cores
	Full  Size = "full"  // as in the papers, hours
)

// Sizes lists them.
var Sizes = []Size{Smoke, Quick, Full}

// Plan is one table or figure.
type Plan struct {
	Name   string
	Title  string
	Source string // paper and place
	About  string // what is done
	// Differs says what differs from the paper, and why.
	Differs string
	// Paper is what the paper reports: the lines of quoted.csv with the plan's name.
	Paper []Quote
	// Earlier says what changed since the committed rows of the full size were made, "" if they
	// are what the code makes.
	Earlier string
	// Findings is what was found, and in which rows.
	Findings string
	Run      experiment.Func
	// Alone trials measure time: nothing runs concurrently.
	Alone  bool
	Grid   func(Size) []Trial
	Charts []Chart
	Tables []Table
}

// Quote is a figure of a paper: where it is, and which figure of ours is shown beside it. That
// is the figure Value of the rows whose parameters are those of Where, as "set=imdb,
// epsilon=2"; none where Value is "". Ours says what it is of.
type Quote struct{ Paper, Place, Cell, Figure, Ours, Value, Where string }

// Trial is one row to be made.
type Trial struct {
	Params result.Params
	Seed   uint64
}

// Chart draws figure Y against X, one curve for each value of the parameter
// Series and one chart for each value of the parameter Panel ("" for one chart,
// "table, beta" for each pair of values).
// X is a parameter or a figure, or a certified loss: see [Coordinate].
type Chart struct {
	Title, X, Y, Series, Panel string
	LogX                       bool
	// Limit is a figure that is drawn as an upper limit; "" for none. LimitName
	// is what the legend calls it, "limit" where it is "".
	Limit, LimitName string
}

// Table shows figures by the parameters of Rows: one column for each of Values,
// or, where Across names a parameter, one column for each value of it and one
// table for each of Values. Panel is as in Chart.
type Table struct {
	Title  string
	Rows   []string
	Across string
	Values []string
	Panel  string
	Texts  []string // texts to show instead of figures
}

// All returns the plans in display order.
func All() []Plan {
	all := []Plan{
		baselines,
		temAccuracy,
		temMembers,
		privembApproximation,
		privembLexicon,
		privembTasks,
		privembCells,
		privembTrained,
		trlaplaceOverlap,
		trlaplaceAccuracy,
		trlaplaceCost,
		trlaplaceExamples,
		trlaplaceRetold,
		trlaplaceFinetuned,
		trlaplaceUnclipped,
		trlaplaceReread,
		trlaplaceEpoch,
		adeptSensitivity,
		adeptTexts,
		vectorDelta,
		frontier,
		learning,
		readable,
		corrected,
		wholeTexts,
		wholeTextsVectors,
		textVectorsChoices,
		textVectors,
		wholeTextsWords,
		wholeTextsLatent,
		wholeTextsChoices,
		wholeTextsExamples,
		restored,
		linkage,
		syntheticCorpora,
		publicKnowledge,
		knowledgeChoices,
		syntheticShuffled,
		syntheticWritten,
		syntheticExamples,
	}
	for i := range all {
		all[i].Paper, all[i].Earlier = quoted[all[i].Name], earlier[all[i].Name]
	}
	return all
}

// Find returns the plan with a name.
func Find(name string) (Plan, error) {
	var names []string
	for _, p := range All() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Plan{}, fmt.Errorf("plan: %q is none of %v", name, names)
}

// axis is one parameter and the values it takes.
type axis struct {
	name   string
	values []any
}

func over[T any](name string, values ...T) axis {
	a := axis{name: name}
	for _, v := range values {
		a.values = append(a.values, v)
	}
	return a
}

// product returns every combination of the axes, the last one running fastest, each
// with some seeds from 1 on, which run slowest.
func product(seeds int, axes ...axis) []Trial {
	all := []result.Params{nil}
	for _, a := range axes {
		var longer []result.Params
		for _, p := range all {
			for _, v := range a.values {
				longer = append(longer, append(slices.Clone(p), result.Param{Name: a.name, Value: v}))
			}
		}
		all = longer
	}
	var trials []Trial
	for seed := range seeds {
		for _, p := range all {
			trials = append(trials, Trial{p, uint64(seed + 1)})
		}
	}
	return trials
}

// compilable leaves out packing where no channel can be made for the trial: over a
// table for which none ships, above the epsilon at which one of 10,000 words keeps
// 0.9996 of them, and below 0.5, rows cannot be filled within the time.
func compilable(trials []Trial) []Trial {
	return slices.DeleteFunc(trials, func(t Trial) bool {
		epsilon, _ := t.Params.Number("epsilon")
		return t.Params.Get("mechanism") == "packing" && strings.HasPrefix(t.Params.Get("table"), "glove") && (epsilon < 0.5 || epsilon > 4)
	})
}

// bySize chooses by the size.
func bySize[T any](s Size, smoke, quick, full T) T {
	switch s {
	case Smoke:
		return smoke
	case Quick:
		return quick
	}
	return full
}

// Coordinate returns a row's value of a name: a parameter, a figure, or "certified
// metric epsilon" or "certified pure epsilon", which only channels have.
func Coordinate(r result.Row, name string) (float64, bool) {
	if v, ok := r.Params.Number(name); ok {
		return v, true
	}
	if v, ok := r.Outcome.Values[name]; ok {
		return v, true
	}
	c := r.Evidence.Certificate
	if c == nil {
		return 0, false
	}
	switch name {
	case "certified metric epsilon":
		return c.MetricEpsilon.High, c.MetricEpsilon.Known()
	case "certified pure epsilon":
		return c.PureEpsilon.High, c.PureEpsilon.Known()
	}
	return 0, false
}
