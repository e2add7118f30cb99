package evaluating

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/derived"
	"github.com/sotto-dp/sotto/evaluation"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// learn measures what a classifier gains from the release, if there is a test, and states what
// the evaluation reveals. The release was cut along the words for labels, or not.
func (c *ReportCmd) learn(ctx context.Context, term *cli.Terminal, e *evaluation.Evaluation, along bool, read provenance.Inputs) error {
	e.Privacy = read.Of(provenance.Figures)
	switch {
	case c.Test == "" && c.About != "" && !along:
		return cli.WrongUsage("", "--about needs --test: it says what public knowledge alone names of the test texts")
	case c.Test == "":
		return nil
	case c.Label == "":
		return cli.WrongUsage("", "--test needs --label, the column of the labels")
	}
	l := derived.LearnCmd{FormatFlags: c.FormatFlags, Report: c.Report, Corpus: c.Corpus, Encoding: c.Encoding, Label: c.Label, Weight: c.Weight, Test: c.Test, File: []string{c.File}}
	if along {
		l.AboutFlag = c.AboutFlag
	}
	var found *derived.Learnt
	err := l.Guard(ctx, func(ctx context.Context) (err error) { found, _, err = l.Learn(ctx, term); return err })
	if err != nil {
		return err
	}
	figures := derived.WithoutFolders(found.Provenance.Figures)
	if !along { // the words beside the release, which the figure of public knowledge is from
		figures = figures.Add(derived.WithoutFolders(c.AboutFlag.Inputs())...)
	}
	of := found.Examples
	e.Learned = &evaluation.Learned{Label: c.Label, Accuracy: accuracy(found.Accuracy, of), Privacy: figures.Of(provenance.Figures)}
	e.Learned.Blind = evaluation.NewAccuracy(mostFrequent(found.Result), of)
	e.Privacy = e.Learned.Privacy
	if c.About == "" {
		return nil
	}
	known := found.PublicKnowledge
	if known == nil {
		l.AboutFlag = c.AboutFlag
		alone, err := l.Knowledge(ctx, term, found.Trained.Labels)
		if err != nil {
			return err
		}
		known = &alone.Accuracy
	}
	alone := accuracy(*known, of)
	e.Learned.Public = &alone
	return nil
}

func accuracy(share float64, of int) evaluation.Accuracy {
	return evaluation.NewAccuracy(int(math.Round(share*float64(of))), of)
}

// mostFrequent returns how many of the test texts have the most frequent label.
func mostFrequent(r *learn.Result) int {
	most := 0
	for _, predicted := range r.Confusion {
		sum := 0
		for _, n := range predicted {
			sum += n
		}
		most = max(most, sum)
	}
	return most
}
