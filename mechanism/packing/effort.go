package packing

import (
	"time"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Effort limits the search of a compilation. A channel found early has the same
// guarantee as one found late, but less utility.
type Effort struct {
	// Gap is the distance of value and bound, relative to the value, at which
	// the search ends; 0 means the default of GapParameter.
	Gap float64
	// Time bounds the whole compilation; 0 means no limit. The search leaves time
	// for filling and certifying, and Compile returns the best channel certified
	// within Time, or a *privacy.ParameterError if there is none.
	Time time.Duration
	// Solving is called with the best unchanged rate so far and the bound that
	// no mechanism exceeds.
	Solving func(sweep int, value, bound float64)
	// Objective is what packing's search maximises: the zero value is the
	// unchanged rate, every word as likely.
	Objective Objective
	// Save, if not nil, receives the search's state now and then and when it ends.
	// Resume is a state to continue from.
	Save   func(state []byte) error
	Resume []byte
	// Progress is called during the other long steps.
	Progress progress.Func
}

// GapParameter is the gap at which the search ends.
var GapParameter = mechanism.Parameter{Name: "gap", Kind: mechanism.Number, Default: mechanism.Text(defaultGap), Accepts: mechanism.Inside(0, 1),
	Help: "largest relative distance from the optimum at which the solver may stop"}

const (
	defaultGap    = 0.004
	mostSweeps    = 400 // without a limit of time
	mostPacked    = 30000
	margin        = 1.02 // of a cut
	mostRounds    = 6
	leastBase     = 1e-7 // of the largest: less is no output
	packingFloors = 14   // what the floors add to a row is below 2^-14
)
