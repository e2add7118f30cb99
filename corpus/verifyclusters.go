package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
)

// Digest returns the hexadecimal SHA-256 of the clusters: their centres, and which text is
// in which. The digest of the corpus does not cover them.
func (c *Clusters) Digest() string {
	h := sha256.New()
	h.Write([]byte("sotto-index 1\x00"))
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(c.Len())))
	centres := make([]byte, len(c.centres))
	for i, x := range c.centres {
		centres[i] = byte(x)
	}
	h.Write(centres)
	texts := make([]byte, 0, 4*len(c.of))
	for _, i := range c.of {
		texts = binary.LittleEndian.AppendUint32(texts, i)
	}
	h.Write(texts)
	return hex.EncodeToString(h.Sum(nil))
}

// VerifyClusters computes a clustering from the texts' vectors and compares it with the
// stored one. The digest of a corpus does not cover its clusters, so a file could contain
// clusters that were fitted on private texts.
func (c *Corpus) VerifyClusters(ctx context.Context, count int) error {
	stored, err := c.Clusters(ctx, count)
	if err != nil {
		return err
	}
	computed, err := c.kMeans(ctx, c.vectors(), count, nil)
	if err != nil {
		return err
	}
	if !slices.Equal(stored.centres, computed.centres) || !slices.Equal(stored.of, computed.of) {
		return fmt.Errorf("corpus: the %d clusters that are stored are not those of the texts", count)
	}
	return nil
}

// VerifyIndex is VerifyClusters for the clusters that Approximate searches by.
func (c *Corpus) VerifyIndex(ctx context.Context) error {
	count := c.card.indexClusters()
	if count == 0 {
		return ErrNoClusters
	}
	return c.VerifyClusters(ctx, count)
}
