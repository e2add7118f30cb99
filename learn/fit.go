package learn

import (
	"context"
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
	// Folds is the number of folds of the cross-validation, at least 2; 0 means 5. Less data
	// gives fewer folds. With too little for two, the largest penalty is used: a release may
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
	// Loss is the mean negative log-likelihood of held-out labels.
	Loss float64 `json:"loss"`
}

// Grid returns the ridge penalties that Fit chooses from by default. Features are
// scaled to mean square 1, and the loss is a mean over examples.
func Grid() []float64 { return []float64{1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001} }

// defaultFolds is the number of parts of the cross-validation if none is given.
const defaultFolds = 5

// Fit fits a classifier. It also returns the scores of the penalties, or none if there was
// only one. The same data and options give the same model on the same kind of processor.
func Fit(ctx context.Context, d Data, o Options) (*Model, []Score, error) {
	if err := d.check(); err != nil {
		return nil, nil, err
	}
	grid, err := o.grid()
	if err != nil {
		return nil, nil, err
	}
	if o.Folds == 0 {
		o.Folds = defaultFolds
	}
	if o.Folds < 2 {
		return nil, nil, privacy.Bad("learn", "folds", o.Folds, "at least 2")
	}
	f := newFitter(&d, o)
	if o.Folds = min(o.Folds, f.held()); o.Folds < 2 {
		grid = grid[:1]
	}
	fits := 1
	if len(grid) > 1 {
		fits = len(grid) * (o.Folds + 1)
	}
	f.done = o.Progress.Counter(fits)
	var scores []Score
	if len(grid) > 1 {
		if scores, err = f.crossValidate(ctx, grid, o.Folds); err != nil {
			return nil, nil, err
		}
		// It fits down the grid to the chosen penalty, since each solution is a good
		// start for the next.
		grid = grid[:f.choose(scores)+1]
	}
	w, err := f.path(ctx, grid)
	if err != nil {
		return nil, nil, err
	}
	o.Progress.At(fits, fits)
	m := f.model(w)
	m.Ridge = grid[len(grid)-1]
	return m, scores, nil
}

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
