package sotto

import (
	"slices"

	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/privacy"
)

// notMeasured is for settings without figures of an attack.
const notMeasured = "What a reader with a language model recovers was not measured for this table, mechanism, parameters and epsilon: sotto attack measures it on public texts of yours."

// Reader says what a reader with a language model recovers at this setting, measured
// once on public texts: a statement reads no text for it. It is empty for units other
// than tokens, for which there are no such figures.
func (s Statement) Reader() string {
	if s.Claim.Unit != privacy.Token || s.Claim.Notion == privacy.None {
		return ""
	}
	epsilon, ok := s.Parameters["epsilon"].(float64)
	given := slices.ContainsFunc(s.Given, func(name string) bool { return name != "epsilon" })
	if s.Embeddings == nil || !ok || given {
		return notMeasured
	}
	f, found := measured.Find(s.Mechanism, s.Embeddings.SHA256, epsilon)
	if !found {
		return notMeasured
	}
	return f.String() + " " + measured.Source()
}
