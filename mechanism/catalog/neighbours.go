package catalog

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/wordclass"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/privacy"
)

var neighboursEntry = mechanism.Entry{
	Name:       "neighbours",
	Summary:    "a word becomes one of its k nearest words with a fixed high chance, any word otherwise",
	Paper:      "sotto; two-level generalisation of randomised response (Warner 1965; Kairouz et al. 2014)",
	Notion:     privacy.Pure,
	Standing:   privacy.Proved,
	Reviewed:   "3ffcf14f781c88aa",
	DefaultFor: []mechanism.Default{{Use: mechanism.UseWords}, {Use: mechanism.UseWords, Notion: privacy.Pure}},
	Compared:   true,
	Stops:      mechanism.Steps(1, 16, 0.5),
	Cost:       mechanism.Free,
	Parameters: []mechanism.Parameter{neighboursK, neighboursObjective, neighboursAttack, neighboursOutputs, neighboursSimilar, neighboursClasses},
	New:        newNeighbours,
}

var (
	neighboursK = mechanism.Parameter{Name: "neighbours", Kind: mechanism.Integer, Role: mechanism.RoleSize, Default: "by objective, or the least that meets attack", Accepts: mechanism.UpTo("outputs"),
		Help: "number of words in the set of a word; the output is most likely one of them"}
	neighboursObjective = mechanism.Parameter{Name: "objective", Kind: mechanism.Choice, Default: "signal", Accepts: mechanism.OneOf("signal", "readable", "distance"),
		Help: "what the size of the sets is chosen for: learning, reading, or the least distance (which chooses outputs too)"}
	neighboursAttack = mechanism.Parameter{Name: "attack", Kind: mechanism.Number, Default: "no cap", Accepts: mechanism.Accepts{High: 1, LowOpen: true},
		Help: "largest chance that the best guess of a word is right, with all words equally likely: sets grow until it holds"}
	neighboursOutputs = mechanism.Parameter{Name: "outputs", Kind: mechanism.Integer, Default: "all words", Accepts: mechanism.UpTo("words"),
		Help: "number of words that can be an output: the first of the table"}
	neighboursSimilar = mechanism.Parameter{Name: "similar", Kind: mechanism.File, Default: "nearest words alone",
		Help: "public file of similar words for the sets: on each line a word, then its similar words, best first"}
	neighboursClasses = mechanism.Parameter{Name: "classes", Kind: mechanism.Choice, Default: "none", Accepts: mechanism.OneOf("english"),
		Help: "public list of word classes: words of the same class go into a set before all others"}
)

// newNeighbours makes P(y|x) = e^epsilon/Z for the k outputs of a public set S_x
// and 1/Z for every other; Z = k e^epsilon + m - k is the same for every x, so
// every ratio of two rows is at most e^epsilon.
func newNeighbours(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	w, err := readNeighbours(table, spec)
	if err != nil {
		return nil, err
	}
	rule, err := w.rule(table, spec)
	if err != nil {
		return nil, err
	}
	if err := w.size(ctx, rule, spec.Epsilon); err != nil {
		return nil, err
	}
	c, err := sets.NewWords("neighbours", rule, spec.Epsilon)
	if err != nil {
		return nil, err
	}
	c.InForce = append(c.InForce, neighboursK.Setting(rule.K, w.given), neighboursOutputs.Setting(rule.Len(), w.cut))
	if w.aimed {
		c.InForce = append(c.InForce, neighboursObjective.Setting(w.objective, true))
	}
	if w.capped {
		c.InForce = append(c.InForce, neighboursAttack.Setting(w.attack, true))
	}
	if w.listed {
		c.InForce = append(c.InForce, mechanism.Setting{Name: "similar-sha256", Value: rule.Digest})
	}
	if w.classed {
		c.InForce = append(c.InForce, neighboursClasses.Setting(w.classes, true))
	}
	c.InForce = append(c.InForce, mechanism.Setting{Name: "bayes-success", Value: c.BestGuess()})
	return c, nil
}

// neighbours holds the requested parameters, and whether each was given.
type neighbours struct {
	k         int
	given     bool
	objective string
	aimed     bool
	attack    float64
	capped    bool
	outputs   int
	cut       bool
	similar   string
	listed    bool
	classes   string
	classed   bool
}

func readNeighbours(table *embedding.Table, spec mechanism.Spec) (w neighbours, err error) {
	n := table.Len()
	p := parameters.Read("neighbours", spec)
	w.k, w.given = p.Integer(neighboursK.AtMost(n))
	w.objective, w.aimed = p.Choice(neighboursObjective)
	w.attack, w.capped = p.Optional(neighboursAttack)
	w.outputs, w.cut = p.Integer(neighboursOutputs.AtMost(n))
	w.similar, w.listed = p.File(neighboursSimilar)
	w.classes, w.classed = p.Choice(neighboursClasses)
	switch {
	case w.aimed && w.given:
		p.Fail(privacy.Unwanted("neighbours", neighboursObjective.Name, "where neighbours is given"))
	case w.cut && w.given && w.k > w.outputs:
		p.Fail(neighboursK.Bad("neighbours", w.k, fmt.Sprintf("at most the number of outputs, %d", w.outputs)))
	}
	_, err = p.Close()
	return w, err
}

// rule returns the rule of the sets, without their size if that is not given.
func (w neighbours) rule(table *embedding.Table, spec mechanism.Spec) (*sets.Nearest, error) {
	rule := &sets.Nearest{Outputs: sets.Outputs{Table: table}, K: w.k}
	if w.listed {
		var err error
		if rule.Similar, rule.Digest, err = sets.ReadSimilar(spec, w.similar, table); err != nil {
			return nil, err
		}
	}
	if w.cut && w.outputs < table.Len() {
		rule.Limit(sets.FirstOf(w.outputs))
	}
	if w.classed {
		classes, err := wordclass.English(table)
		if err != nil {
			return nil, err
		}
		rule.Classify(classes)
	}
	return rule, nil
}

// size chooses the size of the sets for epsilon, and for the objective distance
// the outputs too.
func (w neighbours) size(ctx context.Context, rule *sets.Nearest, epsilon float64) error {
	n := rule.Table.Len()
	least := func(m int) int {
		if !w.capped {
			return 1
		}
		return sets.LeastSize(n, m, epsilon, w.attack)
	}
	if w.capped && w.attack < 1/float64(n) {
		return neighboursAttack.Bad("neighbours", w.attack, fmt.Sprintf("at least %g, one in the number of words", 1/float64(n)))
	}
	switch k := least(rule.Len()); {
	case w.given && w.k < k:
		return neighboursK.Bad("neighbours", w.k, fmt.Sprintf("at least %d for attack = %g", k, w.attack))
	case w.given:
	case w.objective == "distance" && !w.cut && !w.listed && !w.classed:
		outputs, k, err := sets.Representatives(ctx, rule.Table, epsilon, least)
		if err != nil {
			return err
		}
		if rule.K = k; len(outputs) < n {
			rule.Limit(outputs)
		}
	case w.capped && !w.aimed:
		rule.K = k
	default:
		chosen, err := rule.Choose(ctx, w.objective, epsilon)
		if err != nil {
			return err
		}
		rule.K = max(k, chosen)
	}
	return nil
}
