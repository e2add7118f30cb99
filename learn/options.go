package learn

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Options are the settings of Fit. The zero value is a good default.
type Options struct {
	// Ridge lists the candidate penalties, positive; nil means Grid. A single one is used
	// as it is.
	Ridge []float64
	// Terms lists the candidate weights of the terms of Data beside its features, 0 or more;
	// nil means DefaultTerms. Without terms it is not used.
	Terms []float64
	// Knowledge, if not nil, is a model of the same features that was fitted to public data
	// alone, as FromWords returns one. What it says is added to what is learnt without it.
	// Model.Knowledge is how much it counts: beside a release as much as the release does not
	// speak against, beside labels of single texts what is best for those held out, or nothing.
	Knowledge *Model
	// Folds is the number of folds of the cross-validation, at least 2; 0 means 5, or 3 for
	// many labels. Less data gives fewer folds. With too little for two, the largest penalty is used: a release may
	// consist of one text by chance.
	Folds int
	// Workers is the number of folds fitted in parallel; 0 means the number of CPUs. The
	// result does not depend on it.
	Workers int
	// Progress, if not nil, is called as fits finish.
	Progress progress.Func
}

// Score is the cross-validated loss of one ridge penalty.
type Score struct {
	Ridge float64 `json:"ridge"`
	// Terms is the weight of terms.
	Terms float64 `json:"terms,omitempty"`
	// Loss is the mean negative log-likelihood of held-out labels.
	Loss float64 `json:"loss"`
}

// Grid returns the ridge penalties that Fit chooses from by default. Features are
// scaled to mean square 1, and the loss is a mean over examples.
func Grid() []float64 { return []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001} }

// grid returns the penalties, largest first.
func (o *Options) grid() ([]float64, error) {
	if o.Ridge == nil {
		return Grid(), nil
	}
	for _, r := range o.Ridge {
		if !(r > 0) || math.IsInf(r, 1) {
			return nil, privacy.Bad("learn", "ridge", r, "positive and finite")
		}
	}
	if len(o.Ridge) == 0 {
		return nil, privacy.Bad("learn", "ridge", nil, "nil or at least one penalty")
	}
	grid := slices.Clone(o.Ridge)
	slices.Sort(grid)
	grid = slices.Compact(grid)
	slices.Reverse(grid)
	return grid, nil
}

// DefaultTerms returns the weights of terms that Fit chooses from by default. A row of terms
// has this length, where a dense feature has mean square 1.
func DefaultTerms() []float64 { return []float64{0, 32} }

// scales returns the weights of terms, ascending.
func (o *Options) scales(d *Data) ([]float64, error) {
	if d.Terms == nil {
		return []float64{0}, nil
	}
	if o.Terms == nil {
		return DefaultTerms(), nil
	}
	for _, x := range o.Terms {
		if !(x >= 0) || math.IsInf(x, 1) {
			return nil, privacy.Bad("learn", "weight of terms", x, "0 or more and finite")
		}
	}
	if len(o.Terms) == 0 {
		return nil, privacy.Bad("learn", "weights of terms", nil, "nil or at least one")
	}
	scales := slices.Clone(o.Terms)
	slices.Sort(scales)
	return slices.Compact(scales), nil
}

// checkKnowledge refuses public knowledge of other features or classes.
func (o *Options) checkKnowledge(d *Data) error {
	m := o.Knowledge
	if m != nil && (m.Dim != d.Dim || !slices.Equal(m.Classes, d.Classes) || m.Terms != nil && m.Vocabulary != d.Vocabulary) {
		return privacy.Wrong("learn", "public knowledge", "its features or classes are not those of the data", "give a model with the same ones")
	}
	return nil
}
