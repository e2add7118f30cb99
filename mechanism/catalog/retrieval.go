package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/privacy"
)

var retrievalEntry = mechanism.Entry{
	Name:         "retrieval",
	Summary:      "a whole text becomes one of the k public texts most like it with a fixed high chance, any public text otherwise",
	Paper:        "sotto; two-level generalisation of randomised response (Warner 1965; Kairouz et al. 2014)",
	Notion:       privacy.Pure,
	Standing:     privacy.Proved,
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseTexts}, {Use: mechanism.UseTexts, Notion: privacy.Pure}},
	Stops:        slices.Concat(mechanism.Steps(0.5, 4, 0.5), mechanism.Steps(5, 12, 1)),
	Cost:         mechanism.Free,
	Parameters:   []mechanism.Parameter{retrievalNeighbours, retrievalObjective, retrievalSearch},
	NewRetriever: newRetrieval,
	Reviewed:     "157c67acdd53518f",
}

var (
	retrievalNeighbours = mechanism.Parameter{Name: "neighbours", Kind: mechanism.Integer, Role: mechanism.RoleSize, Default: "by objective", Accepts: mechanism.UpTo("public texts"),
		Help: "number of public texts in the set of a text; the output is most likely one of them"}
	retrievalObjective = mechanism.Parameter{Name: "objective", Kind: mechanism.Choice, Default: "signal", Accepts: mechanism.OneOf("signal", "topic", "readable"),
		Help: "what the size of the sets is chosen for: most information, or a chance of the set of 0.7 (topic) or 0.85 (readable)"}
	retrievalSearch = mechanism.Parameter{Name: "search", Kind: mechanism.Choice, Default: "exact", Accepts: mechanism.OneOf("exact", "approximate"),
		Help: "how the set of a text is found: the k nearest of all public texts, or of those in the clusters nearest to it, which is faster"}
)

// insides are the probabilities of the set that objectives ask for; signal has its
// own formula.
var insides = map[string]float64{"topic": 0.7, "readable": 0.85}

// newRetrieval makes P(y|x) = e^epsilon/Z for the k texts of a codebook nearest to
// x and 1/Z for every other, Z = k e^epsilon + M - k.
func newRetrieval(_ context.Context, codebook mechanism.Codebook, spec mechanism.Spec) (mechanism.Retriever, error) {
	const who = "retrieval"
	m := codebook.Len()
	p := parameters.Read(who, spec)
	k, given := p.Integer(retrievalNeighbours.AtMost(m))
	objective, aimed := p.Choice(retrievalObjective)
	chance, known := insides[objective]
	if aimed && given {
		p.Fail(privacy.Unwanted(who, retrievalObjective.Name, "where neighbours is given"))
	}
	search, chosen := p.Choice(retrievalSearch)
	if _, err := p.Close(); err != nil {
		return nil, err
	}
	switch {
	case given:
	case known:
		k = sets.Inside(m, spec.Epsilon, chance)
	default:
		k = sets.Even(m, spec.Epsilon)
	}
	t, err := sets.NewTexts(who, codebook, k, spec)
	if err != nil {
		return nil, err
	}
	t.InForce = append(t.InForce, retrievalNeighbours.Setting(k, given), mechanism.Setting{Name: "texts", Value: m})
	if aimed {
		t.InForce = append(t.InForce, retrievalObjective.Setting(objective, true))
	}
	if chosen {
		t.InForce = append(t.InForce, retrievalSearch.Setting(search, true))
	}
	if search == "approximate" {
		if err := byIndex(t, who, codebook, k); err != nil {
			return nil, err
		}
	}
	levels := t.Levels() // of the weights that are drawn
	t.InForce = append(t.InForce,
		mechanism.Setting{Name: "inside", Value: levels.Inside * float64(levels.Size)},
		mechanism.Setting{Name: "information", Value: sets.Information(k, m, spec.Epsilon)},
		mechanism.Setting{Name: "corpus-sha256", Value: codebook.Digest()})
	return t, nil
}

// byIndex makes the sets those of the codebook's index, and names it.
func byIndex(t *sets.Texts, who string, codebook mechanism.Codebook, k int) error {
	c, ok := codebook.(mechanism.Indexed)
	if !ok {
		return retrievalSearch.Bad(who, "approximate", "exact: the codebook has no index")
	}
	digest, err := c.Index()
	if err != nil {
		return retrievalSearch.Bad(who, "approximate", fmt.Sprintf("exact: the codebook has no index (%v)", err))
	}
	t.ByIndex(c)
	t.InForce = append(t.InForce, mechanism.Setting{Name: "compared", Value: c.Compared(k)}, mechanism.Setting{Name: "index-sha256", Value: digest})
	return nil
}
