package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/privacy"
)

var surrogateEntry = mechanism.Entry{
	Name:         "surrogate",
	Summary:      "a marked value becomes one of its type: one of the k nearest with a fixed high chance, any value otherwise",
	Paper:        "sotto; two-level generalisation of randomised response (Warner 1965; Kairouz et al. 2014)",
	Notion:       privacy.Pure,
	Standing:     privacy.Proved,
	Reviewed:     "dba953fa16678f81",
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseMarks}, {Use: mechanism.UseMarks, Notion: privacy.Pure}},
	Stops:        mechanism.Steps(1, 16, 0.5),
	Cost:         mechanism.Free,
	FromZero:     true,
	Parameters:   []mechanism.Parameter{surrogateNeighbours},
	NewRetriever: newSurrogate,
}

var surrogateNeighbours = mechanism.Parameter{Name: "neighbours", Kind: mechanism.Integer, Role: mechanism.RoleSize, Default: "1 if values are not in order, else by epsilon", Accepts: mechanism.UpTo("values"),
	Help: "number of values in the set of a value; the output is most likely one of them"}

// newSurrogate makes P(y|x) = e^epsilon/Z for the k values of a codebook around the place of
// x and 1/Z for every other, Z = k e^epsilon + M - k. With epsilon 0 every value of the
// codebook is equally likely.
func newSurrogate(_ context.Context, codebook mechanism.Codebook, spec mechanism.Spec) (mechanism.Retriever, error) {
	const who = "surrogate"
	m := codebook.Len()
	p := parameters.ReadFromZero(who, spec)
	k, given := p.Integer(surrogateNeighbours.AtMost(m))
	if _, err := p.Close(); err != nil {
		return nil, err
	}
	unordered, ok := codebook.(mechanism.Unordered)
	switch {
	case given:
	case spec.Epsilon == 0 || ok && unordered.Unordered():
		k = 1
	default:
		k = sets.Even(m, spec.Epsilon)
	}
	t, err := sets.NewTexts(who, codebook, k, spec)
	if err != nil {
		return nil, err
	}
	levels := t.Levels() // of the weights that are drawn
	t.InForce = append(t.InForce, surrogateNeighbours.Setting(k, given), mechanism.Setting{Name: "values", Value: m},
		mechanism.Setting{Name: "inside", Value: levels.Inside * float64(levels.Size)})
	return t, nil
}
