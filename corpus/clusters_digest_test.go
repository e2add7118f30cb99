package corpus

import "testing"

// Other centres, and other texts in a cluster, are other clusters. The digest is that of an
// index of the same clusters, which earlier reports have.
func TestDigestCoversCentresAndTexts(t *testing.T) {
	c := build(t, sample(70), Options{Table: tableOf(t), Clusters: 5, Public: true})
	k, err := c.Clusters(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	digest := k.Digest()
	if index, err := c.Index(); err != nil || index != digest {
		t.Errorf("the digest of the index is %s, that of its clusters %s (%v)", index, digest, err)
	}
	k.of[0] ^= 1
	if k.Digest() == digest {
		t.Error("a text in another cluster leaves the digest as it is")
	}
	k.of[0] ^= 1
	k.centres[len(k.centres)-1] ^= 1
	if k.Digest() == digest {
		t.Error("another centre leaves the digest as it is")
	}
}
