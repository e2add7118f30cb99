package sotto

import "fmt"

// ConflictError reports that two settings cannot be combined, or that one needs another.
type ConflictError struct {
	Setting string // a field of a configuration, a value of one, or a use
	Needs   bool   // Setting needs Other; otherwise they exclude each other
	Other   string
	Reason  string
}

func (e *ConflictError) Error() string {
	if e.Needs {
		return fmt.Sprintf("sotto: %s needs %s: %s", e.Setting, e.Other, e.Reason)
	}
	return fmt.Sprintf("sotto: %s cannot be used with %s: %s", e.Setting, e.Other, e.Reason)
}

// conflict is a row of a table of combinations that are refused.
type conflict struct {
	setting string
	needs   bool // else it excludes the other
	other   string
	reason  string
}

// refuse returns the first row that applies to the settings in use.
func refuse(conflicts []conflict, given map[string]bool) error {
	for _, c := range conflicts {
		if given[c.setting] && given[c.other] != c.needs {
			return &ConflictError{c.setting, c.needs, c.other, c.reason}
		}
	}
	return nil
}
