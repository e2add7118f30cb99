package tune

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Search finds the epsilon in [0.05, 24] at which a member's figure has the target value. For
// a member with a parameter nominal it searches that parameter, so that only rows are
// certified. It narrows the range by estimates over some words, and computes an exact row
// at the estimated epsilon. That row corrects the estimates for the next step, and the
// worst pair of words of a certificate predicts certificates at nearby values. If Search
// knows a row that does not exceed the target, it returns such a row.
//
// A member that chooses the size of its sets for the epsilon jumps where the size changes. A
// target within a jump is searched again with the sizes on both sides of it. The size that is
// taken is then among the parameters of the result. Of results that are as good, Search
// returns that with the least epsilon.
func Search(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target) (Result, error) {
	fig, err := target.find()
	if err != nil {
		return Result{}, err
	}
	find := func(spec mechanism.Spec, target Target) (Result, error) {
		return searchEpsilon(ctx, entry, table, spec, target, fig)
	}
	best, err := find(spec, target)
	if err != nil || best.Reached || fig.ahead(best.Found, target.Value) > 1e-9 {
		return best, err
	}
	sizes, err := sizesAround(ctx, entry, table, spec, best.Epsilon)
	if err != nil {
		return best, err
	}
	used := spec
	for _, sized := range sizes {
		r, err := find(sized, target)
		switch {
		case refusedBy(err): // what the caller gave excludes the size
		case err != nil:
			return r, err
		case fig.ahead(r.Found, target.Value) <= 1e-9 && better(r, best):
			best, used = r, sized
		}
	}
	if !best.Reached {
		if best, err = saturated(best, target, fig, func(less Target) (Result, error) { return find(used, less) }); err != nil {
			return best, err
		}
	}
	if size, ok := entry.Parameter(mechanism.RoleSize); ok && used.Parameters.Gives(size) && !spec.Parameters.Gives(size) {
		best.Parameters = best.Parameters.With(size, used.Parameters[size.Name])
	}
	return best, nil
}

// better reports whether a result is nearer to its target than another or, where their figures
// are as good as equal, has the smaller epsilon.
func better(a, b Result) bool {
	switch {
	case a.Reached != b.Reached:
		return a.Reached
	case a.Reached || gap(a.Found, b.Found) <= tolerance:
		return a.Epsilon < b.Epsilon
	}
	return gap(a.Found, a.Wanted) < gap(b.Found, b.Wanted)
}

// worthwhile is the share of an epsilon that a smaller one must save.
const worthwhile = 0.25

// saturated replaces a result that misses its target by one with a smaller epsilon that comes
// as near to it: a figure that no longer changes is not worth an epsilon.
func saturated(r Result, target Target, fig figure, find func(Target) (Result, error)) (Result, error) {
	less := Target{Figure: target.Figure, Value: r.Found * (1 - tolerance/2)}
	if fig.falling {
		less.Value = r.Found * (1 + tolerance/2)
	}
	if less.Check() != nil {
		return r, nil // a figure of 0 or an infinite one
	}
	s, err := find(less)
	if err != nil || !s.Reached || fig.ahead(s.Found, r.Found) > 0 || s.Epsilon > r.Epsilon*(1-worthwhile) {
		return r, err
	}
	bound := "at most"
	if fig.falling {
		bound = "at least"
	}
	s.Wanted, s.Reached = target.Value, false
	s.Verdict = fmt.Sprintf("not reached: %s of a setting that is as private is %s %s, at epsilon %v; at epsilon %v it is %s already",
		fig.words, bound, fig.format(r.Found), r.Epsilon, s.Epsilon, fig.format(s.Found))
	return s, nil
}

// sizesAround returns spec with the size of the sets that a member chooses at an epsilon and,
// where it chooses another just above, with that one too. It returns none where the member
// has no such size or the caller gave it.
func sizesAround(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, epsilon float64) ([]mechanism.Spec, error) {
	size, ok := entry.Parameter(mechanism.RoleSize)
	if !ok || spec.Parameters.Gives(size) {
		return nil, nil
	}
	var found []mechanism.Spec
	last := ""
	for _, factor := range []float64{1, 1.0005, 1.002, 1.01, 1.05} { // a search ends close below a jump
		spec := spec
		spec.Epsilon = six(epsilon * factor)
		m, err := open(ctx, entry, table, spec)
		switch {
		case refusedBy(err):
			return found, nil
		case err != nil:
			return nil, err
		}
		for _, setting := range m.Settings() {
			if setting.Name != size.Name {
				continue
			}
			spec.Parameters = spec.Parameters.With(size, setting.Value)
			if chosen := spec.Parameters[size.Name]; chosen != last {
				found, last = append(found, spec), chosen
			}
		}
		if len(found) == 2 {
			break
		}
	}
	return found, nil
}

// refusedBy reports whether a member refuses its settings.
func refusedBy(err error) bool {
	var p *privacy.ParameterError
	return errors.As(err, &p)
}
