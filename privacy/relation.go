package privacy

import (
	"errors"
	"fmt"
)

// Relation is the neighbouring relation: it determines which two inputs a claim compares.
type Relation uint8

// The neighbouring relations.
const (
	// Replace: one unit is replaced by any other. The number of units is public.
	Replace Relation = iota
	// AddRemove: one unit is added or removed. The number of units is private.
	// Replacing a unit is one removal and one addition, so a loss of epsilon is at
	// most 2 epsilon under Replace.
	AddRemove
)

var relationNames = [...]string{"replace", "add-remove"}

// String returns the name, as it is written in JSON.
func (r Relation) String() string {
	if int(r) < len(relationNames) {
		return relationNames[r]
	}
	return fmt.Sprintf("relation %d", uint8(r))
}

// Change names what happens to one unit: "replaced", or "added or removed".
func (r Relation) Change() string {
	if r == AddRemove {
		return "added or removed"
	}
	return "replaced"
}

// suffix ends the line of a claim.
func (r Relation) suffix() string {
	if r == Replace {
		return ""
	}
	return ", " + r.Change()
}

var errRelation = errors.New("privacy: unknown neighbouring relation (have replace, add-remove)")

// MarshalText writes the name.
func (r Relation) MarshalText() ([]byte, error) {
	if int(r) >= len(relationNames) {
		return nil, errRelation
	}
	return []byte(relationNames[r]), nil
}

// UnmarshalText reads a name. The empty text is Replace.
func (r *Relation) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = Replace
		return nil
	}
	i := indexOf(relationNames[:], string(text))
	if i < 0 {
		return errRelation
	}
	*r = Relation(i)
	return nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}
