package audit

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
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

func whySampled(f *Finding, target privacy.Claim, releases int, visible float64, l found) string {
	per := ""
	if isMetric(target.Notion) {
		per = " per unit of distance"
	}
	at := ""
	if target.Delta > 0 {
		at = fmt.Sprintf(" at delta %.4g", target.Delta)
	}
	s := fmt.Sprintf("%d pairs of inputs were compared by %d draws. Events were chosen on a third of the draws and counted on the others; all bounds below hold together with confidence %.6g. ", releases, f.Draws, f.Confidence)
	if f.Verdict == Refuted {
		return s + fmt.Sprintf("The loss%s%s is at least %.4g, and at the claimed epsilon of %.4g delta is at least %.4g: the claim does not hold.",
			per, at, float64(f.EpsilonLow), target.Epsilon, float64(f.DeltaLow))
	}
	return s + fmt.Sprintf("The largest loss shown%s%s is %.4g, which does not exceed the %.4g claimed. That proves nothing: sampling can refute and never certifies, and this number of draws cannot show a loss above %.3g for a pair.",
		per, at, float64(f.EpsilonLow), target.Epsilon, visible)
}
