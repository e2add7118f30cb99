// Package reopening finds the parameters with which a release was opened.
package reopening

import "github.com/sotto-dp/sotto/mechanism"

// Search opens something with one set of parameters after the other, until it does not
// differ from what was stated: another version may have chosen other values for parameters
// that were not given. If all differ, it returns the difference of the first that opened.
func Search[T any](sets []mechanism.Values, open func(mechanism.Values) (T, error), differs func(T) error) (found T, set int, err error) {
	opened := false
	for i, given := range sets {
		candidate, fault := open(given)
		if fault == nil {
			if fault = differs(candidate); fault == nil {
				return candidate, i, nil
			}
			if !opened {
				err, opened = fault, true
			}
		}
		if err == nil {
			err = fault
		}
	}
	return found, 0, err
}
