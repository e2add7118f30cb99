package synthesis

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/language"
)

// VerifyCorpus compares a statement with the corpus that it names: its figures, the numbers
// of clusters that could be chosen, and the digests of the clusters that were used. It
// recomputes these clusters from the public texts, because the claim assumes that they are
// public. The name of the corpus is not compared. A statement without digests does not say
// which clusters were used, and is refused: whoever changes a statement can also remove them.
func (s *Statement) VerifyCorpus(ctx context.Context, c *corpus.Corpus) error {
	own := corpusFigures(c)
	own.Name = s.Corpus.Name // of a file that may have been renamed: the digest tells corpora apart
	if s.Corpus != own {
		return fmt.Errorf("%s: the statement is of another corpus than %q", Name, c.Name())
	}
	if s.Digests == nil {
		return fmt.Errorf("%s: the statement lacks clustering_digests, as those of 0.2.0: which clusters of %q were used cannot be verified, only the rest without the corpus", Name, c.Name())
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
	if len(s.Digests) != len(sizes) {
		return fmt.Errorf("%s: the statement does not hold: it does not have the digests of all clusters that were used", Name)
	}
	for i, size := range sizes {
		if err := c.VerifyClusters(ctx, size); err != nil {
			return err
		}
		k, err := c.Clusters(ctx, size)
		if err != nil {
			return err
		}
		if s.Digests[i] != (Clustering{size, k.Digest()}) {
			return fmt.Errorf("%s: the statement does not hold: the %d clusters that were used are not those of the public texts", Name, size)
		}
	}
	return nil
}

func (s *Statement) verifyCorpus() error {
	c := s.Corpus
	switch {
	case !isDigest(c.SHA256):
		return fmt.Errorf("the digest of the corpus is not a SHA-256")
	case c.About != "" && !isDigest(c.About):
		return fmt.Errorf("the digest of the words for labels is not a SHA-256")
	case c.Texts < 1:
		return fmt.Errorf("the corpus has no texts")
	case s.Written != nil && !(isDigest(s.Written.Model) && s.Written.Order >= language.MinOrder && s.Written.Order <= language.MaxOrder):
		return fmt.Errorf("the digest or the order of the language model is invalid")
	case !slices.Contains(append(corpus.Kinds(), corpus.Brought), c.Encoder):
		return fmt.Errorf("the encoder of the corpus is unknown")
	}
	return corpus.CheckProbes(s.Probes, c.Encoder == corpus.Brought)
}

// isDigest reports whether a text is a SHA-256 in hexadecimal.
func isDigest(s string) bool {
	digest, err := hex.DecodeString(s)
	return err == nil && len(digest) == 32 && strings.ToLower(s) == s
}
