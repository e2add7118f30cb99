package synthesis

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy"
)

// Verify recomputes every figure of a statement that follows from others: the noise and
// the parts of epsilon from the claim, the number of clusters from the released count,
// names of labels, sums and intervals, and what is not protected. It cannot check that the
// noise was drawn, from which corpus the texts are (VerifyCorpus does), the version, or the
// caller's free choices: the names of columns and, within limits, the number of records to
// expect. A count so far below 0 that its interval contains only 0 cannot be checked
// either.
func (s *Statement) Verify() error {
	for _, check := range []func() error{s.verifyClaim, s.verifyNoise, s.verifyCorpus, s.verifyLabels, s.verifyClusters, s.verifyCounts, s.verifyRest, s.verifyVariance} {
		if err := check(); err != nil {
			return fmt.Errorf("%s: the statement does not hold: %w", Name, err)
		}
	}
	return nil
}

// votes returns how many votes a unit has, at most.
func (s *Statement) votes() int {
	if s.PerUser == nil {
		return 1
	}
	return *s.PerUser
}

func (s *Statement) verifyClaim() error {
	unit, notion := privacy.Record, privacy.Pure
	if s.PerUser != nil {
		unit = privacy.User
	}
	if s.Noise.Histogram == gaussianNoise {
		notion = privacy.Approximate
	}
	c := s.Claim
	assumes := privacy.PublicData | c.Assumes&privacy.SecretRun
	if s.Corpus.Encoder == corpus.Brought {
		assumes |= privacy.PublicEncoder
	}
	switch {
	case s.Mechanism != Name:
		return fmt.Errorf("it is of another mechanism")
	case c.Unit != unit || c.Neighbouring != privacy.AddRemove || c.Notion != notion || c.Distance != "" || (c.Delta > 0) != (notion == privacy.Approximate):
		return fmt.Errorf("the claim is %s", c)
	case c.Assumes != assumes || s.Standing != privacy.Proved:
		return fmt.Errorf("the assumptions of the claim are not those of its proof")
	case c.Notion == privacy.Approximate && !(c.Delta < 1):
		return privacy.CheckDelta(Name, c.Delta)
	case s.votes() < 1 || s.votes() > MaxPerUser:
		return fmt.Errorf("a user has %d records", s.votes())
	case s.Expected != nil && (*s.Expected < 1 || *s.Expected > MaxExpect):
		return fmt.Errorf("%d records are expected", *s.Expected)
	case notion == privacy.Approximate && s.PerUser == nil:
		return fmt.Errorf("gaussian noise is for users")
	}
	return privacy.CheckEpsilon(Name, c.Epsilon)
}

// scales returns the noise that the claim and the options ask for. The variance of
// Gaussian noise is the statement's.
func (s *Statement) scales() scales {
	o := Options{Epsilon: s.Claim.Epsilon}
	if s.PerUser != nil {
		o.PerUser = *s.PerUser
	}
	if s.Expected != nil {
		o.Expect = *s.Expected
	}
	n := o.scales()
	if s.Noise.Histogram == gaussianNoise {
		if variance := math.Round(s.Noise.Scale * s.Noise.Scale); variance >= 1 && variance <= mostVariance {
			n.variance = uint64(variance)
		}
	}
	return n
}

func (s *Statement) verifyNoise() error {
	n := s.scales()
	switch {
	case s.Epsilons != n.epsilons:
		return fmt.Errorf("the parts of epsilon are %+v, the claim of %g has %+v", s.Epsilons, s.Claim.Epsilon, n.epsilons)
	case s.Noise != n.noise():
		return fmt.Errorf("the noise does not fit the parts of epsilon")
	case (s.Count == nil) != (s.Expected != nil):
		return fmt.Errorf("it must have either a noisy count of the records or an expected number")
	}
	return nil
}

// verifyVariance recomputes the loss of Gaussian noise, which takes the longest.
func (s *Statement) verifyVariance() error {
	if n := s.scales(); n.variance > 0 && !n.neededVariance(s.Claim.Delta) {
		return fmt.Errorf("noise of sigma %g does not have the loss (%g, %g)", s.Noise.Scale, s.Epsilons.Histogram, s.Claim.Delta)
	}
	return nil
}

// neededVariance reports whether Gaussian noise of this variance has the loss of the
// histogram at delta, is about the least that does, and is smaller than Laplace noise.
// Another version may find another least variance, so a thirty-second more passes.
func (s *scales) neededVariance(delta float64) bool {
	holds := func(variance uint64) bool { return gaussianHolds(variance, s.votes, s.epsilons.Histogram, delta) }
	if !(float64(s.variance) < laplaceVariance(s.rate(s.histogram))) || !holds(s.variance) {
		return false
	}
	if s.variance == gaussianVariance(s.epsilons.Histogram, delta, s.votes) {
		return true
	}
	less := s.variance - s.variance/32
	return less == s.variance || !holds(less)
}

func (s *Statement) verifyCorpus() error {
	c := s.Corpus
	switch {
	case !isDigest(c.SHA256):
		return fmt.Errorf("the digest of the corpus is not a SHA-256")
	case c.Texts < 1:
		return fmt.Errorf("the corpus has no texts")
	case s.Written != nil && !(isDigest(s.Written.Model) && s.Written.Order >= language.MinOrder && s.Written.Order <= language.MaxOrder):
		return fmt.Errorf("the digest or the order of the language model is invalid")
	case !slices.Contains(append(corpus.Kinds(), corpus.Brought), c.Encoder):
		return fmt.Errorf("the encoder of the corpus is unknown")
	}
	return nil
}

// isDigest reports whether a text is a SHA-256 in hexadecimal.
func isDigest(s string) bool {
	digest, err := hex.DecodeString(s)
	return err == nil && len(digest) == 32 && strings.ToLower(s) == s
}

// verifyLabels compares the combinations of labels with the columns.
func (s *Statement) verifyLabels() error {
	labels := 1
	if s.Columns == nil {
		return fmt.Errorf("it has no list of columns")
	}
	for i, c := range s.Columns {
		if labels *= len(c.Values); labels < 1 || labels > MaxLabels {
			return fmt.Errorf("the columns have too many labels, or none")
		}
		for _, earlier := range s.Columns[:i] {
			if earlier.Name == c.Name {
				return fmt.Errorf("two columns have one name")
			}
		}
	}
	if s.Clusters < 1 || s.Cells != labels*s.Clusters+1 || len(s.Labels) != labels {
		return fmt.Errorf("%d cells do not fit %d labels and %d clusters", s.Cells, labels, s.Clusters)
	}
	for number, l := range s.Labels {
		if l.Labels == nil || !slices.Equal(l.Labels, combination(s.Columns, number)) {
			return fmt.Errorf("combination %d of labels does not fit the columns", number)
		}
	}
	return nil
}

func (s *Statement) verifyClusters() error {
	n := int64(0)
	switch {
	case s.Expected != nil:
		n = int64(*s.Expected)
	case s.Count != nil:
		n = s.Count.Count
	}
	if len(s.Clusterings) == 0 || s.Clusterings[0] < 1 || !increasing(s.Clusterings) {
		return fmt.Errorf("the numbers of clusters are not ascending")
	}
	rates := s.scales()
	wanted := clustersFor(n, rates.perVote(), len(s.Labels), s.Corpus.Texts)
	if chosen := s.Clusterings[nearestSize(s.Clusterings, wanted)]; s.Clusters != chosen {
		return fmt.Errorf("%d clusters were released, and the released count chooses %d", s.Clusters, chosen)
	}
	return nil
}

func increasing(sizes []int) bool {
	for i, size := range sizes[1:] {
		if size <= sizes[i] {
			return false
		}
	}
	return true
}

// verifyCounts recomputes sums and intervals.
func (s *Statement) verifyCounts() error {
	sum := s.Other.Count
	for _, l := range s.Labels {
		sum += l.Count
	}
	if max(0, sum) != s.RecordsNoisy {
		return fmt.Errorf("the counts sum to %d, not %d", max(0, sum), s.RecordsNoisy)
	}
	if s.Documents != nil || s.Tokens != nil || s.UnknownTokens != nil {
		return fmt.Errorf("it has exact counts")
	}
	if s.Confidence != Confidence || s.FarQuantile != farShare {
		return fmt.Errorf("the confidence of its intervals is not that of this version")
	}
	n := s.scales()
	if s.Counted != "" && s.Counted != n.counted() {
		return fmt.Errorf("the noise is of counts of %s, and it states counts of %s", n.counted(), s.Counted)
	}
	if s.Other != n.interval(s.Other.Count, 1) || s.Count != nil && *s.Count != n.countInterval(s.Count.Count) {
		return fmt.Errorf("an interval does not fit the noise")
	}
	for _, l := range s.Labels {
		if l.Interval != n.interval(l.Count, s.Clusters) {
			return fmt.Errorf("the interval of a label does not fit the noise")
		}
	}
	if s.FarShare != n.share(s.FarShare.Near.Count, s.FarShare.Far.Count) {
		return fmt.Errorf("the far share does not fit the counts")
	}
	return nil
}

func (s *Statement) verifyRest() error {
	if s.Randomness != secure && s.Randomness != given {
		return fmt.Errorf("the noise follows from a seed: anyone who knows it can undo it")
	}
	if !slices.Equal(s.NotProtected, s.open()) {
		return fmt.Errorf("its list of what is not protected differs from that of this version; version %q wrote it", s.Version)
	}
	return nil
}

// VerifyCorpus compares a statement with the corpus that it names: its figures, and the
// numbers of clusters that could be chosen. It recomputes these clusters from the public
// texts, because the claim assumes that they are public.
func (s *Statement) VerifyCorpus(ctx context.Context, c *corpus.Corpus) error {
	if s.Corpus != corpusFigures(c) {
		return fmt.Errorf("%s: the statement is of another corpus than %q", Name, c.Name())
	}
	expect := 0
	if s.Expected != nil {
		expect = *s.Expected
	}
	rates := s.scales()
	sizes, middle := candidates(c, len(s.Labels), expect, rates.perVote())
	if !slices.Equal(sizes, s.Clusterings) {
		return fmt.Errorf("%s: the statement does not hold: its numbers of clusters are not those of the corpus", Name)
	}
	if !slices.Contains(sizes, middle) {
		sizes = append(sizes, middle)
	}
	for _, size := range sizes {
		if err := c.VerifyClusters(ctx, size); err != nil {
			return err
		}
	}
	return nil
}
