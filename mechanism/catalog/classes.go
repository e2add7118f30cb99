package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/privacy"
)

var classesEntry = mechanism.Entry{
	Name:     "classes",
	Summary:  "randomised response over public classes of words: a word becomes the commonest word of its class with a fixed high chance, that of any class otherwise",
	Paper:    "sotto; randomised response (Warner 1965; Kairouz, Oh, Viswanath 2014, arXiv:1407.1338) over a partition of the words",
	Notion:   privacy.Pure,
	Standing: privacy.Proved,
	Reviewed: "3bf9dd851033d3b4",
	// Not compared by default: the best guess under equally likely words, which a comparison
	// shows, says too little of a channel that keeps common words.
	Stops:      mechanism.Steps(1, 16, 0.5),
	Cost:       mechanism.Pass,
	Parameters: []mechanism.Parameter{classesOutputs},
	New:        newClasses,
}

var classesOutputs = mechanism.Parameter{Name: "outputs", Kind: mechanism.Integer, Default: "the most informative for epsilon", Accepts: mechanism.UpTo("words"),
	Help: "number of classes; the outputs are the most common word of each class"}

// newClasses makes P(y|x) = e^epsilon/Z for the output of the class of x and 1/Z for
// the outputs of the other m - 1 classes; Z = e^epsilon + m - 1 is the same for every x.
func newClasses(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("classes", spec)
	m, given := p.Integer(classesOutputs.AtMost(table.Len()))
	if _, err := p.Close(); err != nil {
		return nil, err
	}
	if !given {
		m = sets.ClassesFor(table.Len(), spec.Epsilon)
	}
	classes, err := sets.NewClasses(ctx, table, m)
	if err != nil {
		return nil, err
	}
	c, err := sets.NewClassWords("classes", classes, spec.Epsilon)
	if err != nil {
		return nil, err
	}
	c.InForce = append(c.InForce, classesOutputs.Setting(m, given), mechanism.Setting{Name: "classes-sha256", Value: classes.Digest()},
		mechanism.Setting{Name: "bayes-success", Value: c.BestGuess()}, mechanism.Setting{Name: "bayes-success-by-rank", Value: classes.Guess(c.Levels())})
	return c, nil
}
