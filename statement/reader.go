package statement

import (
	"slices"

	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// notMeasured is for settings without figures of an attack.
const notMeasured = "What a reader with a language model recovers was not measured for this table, mechanism, parameters and epsilon: an attack on public texts of your own measures it."

// Measured returns what an attack found at this setting on public texts. The figures ship
// with the library, and no text of the statement is read. found is false if nothing was
// measured: for units other than tokens, tables other than the embedded one, parameters
// other than epsilon, sets of another size (a report of another version), the published
// calibration, runs that draw the tokens beyond a cap from the whole table, and some
// mechanisms.
func (s Statement) Measured() (f measured.Finding, found bool) {
	epsilon, ok := s.Parameters["epsilon"].(float64)
	given := slices.ContainsFunc(s.Given, func(name string) bool { return name != "epsilon" })
	clamped := s.Cap != nil && s.Cap.Over == Clamp
	published := s.Parameters["calibrate"] == "published"
	if s.Claim.Unit != privacy.Token || s.Embeddings == nil || !ok || given || clamped || published {
		return f, false
	}
	f, found = measured.Find(s.Mechanism, s.Embeddings.SHA256, epsilon)
	if size, ok := s.size(); found && ok && f.Has(size) {
		return f, true
	}
	return measured.Finding{}, false
}

// size returns the size of the sets of the statement's mechanism, 0 without sets. A size
// that is read from JSON is a float64. ok is false if the statement does not have it.
func (s Statement) size() (size int, ok bool) {
	entry, ok := catalog.Find(s.Mechanism)
	parameter, sized := entry.Parameter(mechanism.RoleSize)
	if !ok || !sized {
		return 0, ok
	}
	switch k := s.Parameters[parameter.Name].(type) {
	case int:
		return k, true
	case float64:
		return int(k), k == float64(int(k))
	}
	return 0, false
}

// Reader returns sentences that state what a reader with a language model recovers at this
// setting, or that it was not measured. It returns an empty string for units other than
// tokens, and if nothing is claimed or anyone who knows the seed recovers everything.
func (s Statement) Reader() string {
	if s.Claim.Unit != privacy.Token || s.Claim.Notion == privacy.None || s.Randomness != "secure" {
		return ""
	}
	f, found := s.Measured()
	if !found {
		return notMeasured
	}
	return f.String() + " " + f.Source()
}
