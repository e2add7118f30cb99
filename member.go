package sotto

import (
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// accepted returns the mechanism of that name, or else the default of a notion for a use, if its
// standing is accepted. must lists the notions, for the error.
func accepted(name string, use mechanism.Use, notion privacy.Notion, must string, least privacy.Standing) (mechanism.Entry, error) {
	entry, ok := catalog.Default(use, notion)
	switch {
	case name != "":
		if entry, ok = catalog.Find(name); !ok {
			return entry, &UnknownMechanismError{Name: name}
		}
	case !ok:
		return entry, privacy.Bad("sotto", "notion", fmt.Sprintf("%q", notion), must)
	}
	return entry, privacy.Terms{Least: least}.Admit(entry.Name, entry.Standing)
}

// tableOr returns the vocabulary, nil for the embedded one.
func tableOr(table *embedding.Table) (*embedding.Table, error) {
	if table != nil {
		return table, nil
	}
	return builtin.English()
}

// certify returns the given certificate if it is for the opened mechanism, covers its
// claim, and states no loss below one that is known. Without one it returns a certificate
// of the losses that the mechanism knows.
func certify(given *audit.Certificate, claim privacy.Claim, known *audit.Certificate, fits func(*audit.Certificate) error) (*audit.Certificate, error) {
	if given == nil {
		if known != nil {
			known.ProgramVersion = Version
		}
		return known, nil
	}
	if err := fits(given); err != nil {
		return nil, err
	}
	if err := given.Covers(claim); err != nil {
		return nil, err
	}
	if err := given.Understates(known); err != nil {
		return nil, err
	}
	own := *given
	own.Source = mechanism.Stated // whatever the file states
	return &own, nil
}

// UnknownMechanismError reports a name that the catalogue lacks.
type UnknownMechanismError struct{ Name string }

func (e *UnknownMechanismError) Error() string {
	return fmt.Sprintf("mechanism %q is not in the catalogue", e.Name)
}
