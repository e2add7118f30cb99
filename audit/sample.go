package audit

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// sample tries to refute the claim of a mechanism for words: it chooses pairs of inputs,
// for each an event on a third of the draws, and tests the event on the others by
// Clopper-Pearson bounds that share the false-positive rate among all tests. It never
// certifies, and with n draws it cannot show a loss above about ln(n/30) for a pair:
// without any noise a mechanism that claims more stays undecided.
func sample(ctx context.Context, entry mechanism.Entry, m mechanism.Mechanism, table *embedding.Table, trial Trial) (*Finding, error) {
	f := newFinding(entry, m, table, Sampling)
	target := f.Target()
	between, err := distanceOf(target, table)
	if err != nil {
		return nil, err
	}
	if between == nil {
		f.otherDistance(target)
		return f, nil
	}
	pairs := trial.Pairs
	if pairs == nil {
		pairs = choosePairs(table)
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("audit: a table of one word has no pair to compare")
	}
	var releases []release[text]
	for i, p := range pairs {
		releases = append(releases, wordPair(m, table, between, p[0], p[1]))
		if i < 3 { // texts of two tokens: does one token reveal the noise of the other?
			releases = append(releases, wordPair(m, table, between, p[0], p[1], p[1]))
		}
	}
	witness, err := wordsDependent(m, table, trial.alarm()*wordsShare)
	if err != nil {
		return nil, err
	}
	if witness != nil {
		f.Verdict, f.Witness, f.Draws, f.Confidence, f.Why = Refuted, witness, 4*repeatedWords, 1-trial.alarm(), whyDependent
		return f, nil
	}
	return f, refute(ctx, f, target, releases, trial, wordsShare)
}
