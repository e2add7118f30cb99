package run

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
)

// Left settles the outputs of the record that are not among those of this attempt at the run,
// because their inputs are gone or were not named again. It returns the whole ones: they are
// released, so they count. One that is not there as the run wrote it is refused. What was
// interrupted is removed, and does not count.
func (l *Log) Left(ctx context.Context, outputs []string) (whole []*Whole, err error) {
	rest := maps.Clone(l.last)
	for _, output := range outputs {
		delete(rest, output)
	}
	for _, output := range slices.Sorted(maps.Keys(rest)) {
		last := rest[output]
		temporary := l.path(output, last.Temporary)
		if last.Whole == nil {
			if err := (Local{}).Remove(ctx, temporary); err != nil {
				return nil, err
			}
			continue
		}
		o := Output{Name: l.path(output, path.Base(output)), Temporary: temporary, SHA256: last.Whole.SHA256, Same: true}
		if _, err := Settle(ctx, Local{}, o, false); err != nil {
			return nil, leftAway(err)
		}
		whole = append(whole, last.Whole)
	}
	return whole, nil
}

// leftAway gives a refusal the remedy for an output that cannot be drawn again.
func leftAway(err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	return &Refusal{What: r.What + ", and its input is not among the files", Remedy: PutBack}
}
