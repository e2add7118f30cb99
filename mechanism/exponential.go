package mechanism

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

var exponentialEntry = Entry{
	Name:     "exponential",
	Summary:  "exponential mechanism over the whole table by distance",
	Paper:    "McSherry, Talwar 2007 (mechanism); Chatzikokolakis et al. 2013 (metric form)",
	Notion:   privacy.Metric,
	Standing: privacy.Proved,
	New:      newExponential,
}

// newExponential makes P(y|x) proportional to e^(-t d(x,y)) over all words. With
// the published calibration t = epsilon/2.
func newExponential(table *embedding.Table, spec Spec) (Mechanism, error) {
	settings, err := read("exponential", spec).close()
	if err != nil {
		return nil, err
	}
	family := exponentialFamilyOf(table)
	return family.open(spec, settings)
}

func exponentialFamilyOf(table *embedding.Table) exponentialFamily {
	return exponentialFamily{
		who: "exponential", table: table,
		at: func(nominal float64) (t, gamma float64) { return nominal / 2, math.Inf(1) },
	}
}
