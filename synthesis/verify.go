package synthesis

import (
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/samefields"
	"github.com/sotto-dp/sotto/privacy"
)

// notRecomputed are the fields of a statement that nothing else of it determines. VerifyCorpus
// compares the corpus and the clusterings. The others are chosen by the caller and checked to
// be possible, except for the version.
var notRecomputed = []string{"corpus", "encoder_probes", "clusterings", "clustering_digests", "written", "expected", "columns", "per_user", "drawn", "randomness", "version"}

// Verify recomputes a statement and compares every field that follows from others: the noise
// and the parts of epsilon from the claim, the number of clusters from the released count,
// names of labels, sums and intervals, and what is not protected. [Statement.NotVerified]
// lists what it cannot check.
func (s *Statement) Verify() error {
	for _, check := range []func() error{s.verifyChoices, s.verifyCorpus, s.verifyColumns, s.verifyClusterings, s.compare, s.verifyVariance, s.verifyDrawn} {
		if err := check(); err != nil {
			return fmt.Errorf("%s: the statement does not hold: %v", Name, err) // a fault of the report, not of a parameter
		}
	}
	return nil
}

// verifyDrawn refuses what no rows have: the digest is compared with a file, and only shown else.
func (s *Statement) verifyDrawn() error {
	if s.Drawn == nil {
		return nil
	}
	return s.Drawn.Check()
}

// NotVerified lists what Verify, and with corpus VerifyCorpus, does not verify. Whoever has
// compared the rows of a file with Drawn sets rows. A statement without Drawn may be an earlier
// one, or one from which it was removed.
func (s *Statement) NotVerified(corpus, rows bool) []string {
	not := []string{"the noisy counts", "that the noise was drawn, and from a " + s.source(), "the names of columns and their values", "the version"}
	if !rows {
		not = append(not, "which rows were drawn")
	}
	if s.Expected != nil {
		not = append(not, "the number of records that was expected, among those that choose the same clusters")
	}
	if s.Written != nil {
		not = append(not, "the language model that wrote the texts, its order and its seed")
	} else {
		not = append(not, "that the texts are those of the corpus, and no language model wrote them")
	}
	if corpus {
		not = append(not, "the name of the corpus")
	} else {
		not = append(not, "the corpus and the clusters: it was not given")
	}
	return not
}

// source names what the statement says that the noise was drawn from.
func (s *Statement) source() string {
	if s.Randomness == given {
		return "secret and secure source of the caller"
	}
	return "secure source"
}

// votes returns how many votes a unit has, at most.
func (s *Statement) votes() int {
	if s.PerUser == nil {
		return 1
	}
	return *s.PerUser
}

// claim returns the claim that the statement must have.
func (s *Statement) claim() privacy.Claim {
	c := privacy.Claim{Unit: privacy.Record, Neighbouring: privacy.AddRemove, Notion: privacy.Pure, Epsilon: s.Claim.Epsilon, Assumes: privacy.PublicData | s.Claim.Assumes&privacy.SecretRun}
	if s.PerUser != nil {
		c.Unit = privacy.User
	}
	if s.Noise.Histogram == gaussianNoise {
		c.Notion, c.Delta = privacy.Approximate, s.Claim.Delta
	}
	if s.Corpus.Encoder == corpus.Brought {
		c.Assumes |= privacy.PublicEncoder
	}
	return c
}

// verifyChoices refuses choices of the caller that no plan takes.
func (s *Statement) verifyChoices() error {
	switch {
	case s.votes() < 1 || s.votes() > MaxPerUser:
		return fmt.Errorf("a user has %d records", s.votes())
	case s.Expected != nil && (*s.Expected < 1 || *s.Expected > MaxExpect):
		return fmt.Errorf("%d records are expected", *s.Expected)
	case s.Noise.Histogram == gaussianNoise && s.PerUser == nil:
		return fmt.Errorf("gaussian noise is for users")
	case s.Noise.Histogram == gaussianNoise && privacy.CheckDelta(Name, s.Claim.Delta) != nil:
		return privacy.CheckDelta(Name, s.Claim.Delta)
	case s.Randomness != secure && s.Randomness != given:
		return fmt.Errorf("the noise follows from a seed: anyone who knows it can undo it")
	}
	return privacy.CheckEpsilon(Name, s.Claim.Epsilon)
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

// verifyColumns refuses columns that no plan takes.
func (s *Statement) verifyColumns() error {
	if s.Columns == nil {
		return fmt.Errorf("it has no list of columns")
	}
	if labels := s.combinations(); labels < 1 {
		return fmt.Errorf("the columns have too many labels, or none")
	}
	for i, c := range s.Columns {
		for _, earlier := range s.Columns[:i] {
			if earlier.Name == c.Name {
				return fmt.Errorf("two columns have one name")
			}
		}
	}
	return nil
}

// combinations returns the number of combinations of labels, 0 for too many.
func (s *Statement) combinations() int {
	labels := 1
	for _, c := range s.Columns {
		if labels *= len(c.Values); labels < 1 || labels > MaxLabels {
			return 0
		}
	}
	return labels
}

// verifyClusterings refuses numbers of clusters and digests that contradict each other.
func (s *Statement) verifyClusterings() error {
	if len(s.Clusterings) == 0 || s.Clusterings[0] < 1 || !increasing(s.Clusterings) {
		return fmt.Errorf("the numbers of clusters are not ascending")
	}
	if s.Digests == nil { // of an earlier version
		return nil
	}
	sizes := make([]int, len(s.Digests))
	for i, k := range s.Digests {
		if sizes[i] = k.Clusters; k.Clusters < 1 || !isDigest(k.SHA256) {
			return fmt.Errorf("the digest of %d clusters is not a SHA-256", k.Clusters)
		}
	}
	n := len(s.Clusterings)
	if len(sizes) < n || len(sizes) > n+1 || !slices.Equal(sizes[:n], s.Clusterings) || len(sizes) > n && slices.Contains(s.Clusterings, sizes[n]) {
		return fmt.Errorf("its digests are not of its clusterings")
	}
	return nil
}

// chosen returns the number of clusters that the released count, or the expected one, chooses.
func (s *Statement) chosen() int {
	n := int64(0)
	switch {
	case s.Expected != nil:
		n = int64(*s.Expected)
	case s.Count != nil:
		n = s.Count.Count
	}
	rates := s.scales()
	return s.Clusterings[nearestSize(s.Clusterings, clustersFor(n, rates.perVote(), s.combinations(), s.Corpus.Texts))]
}

func increasing(sizes []int) bool {
	for i, size := range sizes[1:] {
		if size <= sizes[i] {
			return false
		}
	}
	return true
}

// compare compares the statement with the one that it must be.
func (s *Statement) compare() error {
	again := s.restated()
	return samefields.Exactly(s, &again, notRecomputed...)
}

// restated returns the statement of a plan with the same choices and of a release with the
// same noisy counts.
func (s *Statement) restated() Statement {
	n := s.scales()
	again := Statement{
		Mechanism: Name, Claim: s.claim(), Standing: privacy.Proved, Epsilons: n.epsilons, Noise: n.noise(), Counted: n.counted(),
		Clusters: s.chosen(), Other: n.interval(s.Other.Count, 1), FarShare: n.share(s.FarShare.Near.Count, s.FarShare.Far.Count),
		FarQuantile: farShare, Confidence: Confidence, NotProtected: s.open(),
	}
	if s.Counted == "" { // an earlier version did not say it
		again.Counted = ""
	}
	if s.Expected == nil {
		again.Count = &Interval{}
		if s.Count != nil {
			*again.Count = n.countInterval(s.Count.Count)
		}
	}
	sum := s.Other.Count
	for number := range s.combinations() {
		count := int64(0)
		if number < len(s.Labels) {
			count = s.Labels[number].Count
		}
		again.Labels = append(again.Labels, LabelFigures{combination(s.Columns, number), n.interval(count, again.Clusters)})
		sum += count
	}
	again.Cells, again.RecordsNoisy = len(again.Labels)*again.Clusters+1, max(0, sum)
	return again
}
